# Run nginx, configured by the environment, until SIGTERM or SIGINT; its files are removed at the end.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh configure.sh "$folder" > "$folder/nginx.conf"

ulimit -n "$(ulimit -H -n)" # two for each request in flight
# It ends with this shell, however that ends; a signal to the group of this shell is not for it.
setsid setpriv --pdeathsig TERM nginx -p "$folder" -e stderr -c "$folder/nginx.conf" -g 'daemon off;' &
nginx=$!

# At SIGTERM nginx would cut requests in flight off; at SIGQUIT it lets them end.
stop() {
    trap '' TERM INT
    kill -QUIT "$nginx"
    wait "$nginx"
    exit 0
}
trap stop TERM INT
until [ -s "$folder/nginx.pid" ]; do # which it writes once it listens
    kill -0 "$nginx" 2> /dev/null || wait "$nginx"
    sleep 0.02
done
echo "listening on ${HOST:-127.0.0.1}:$PORT"
wait "$nginx"
