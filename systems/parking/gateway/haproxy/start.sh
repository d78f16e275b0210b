# Run HAProxy, configured by the environment, until SIGTERM or SIGINT; its files are removed at the
# end.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh configure.sh "$folder" > "$folder/haproxy.cfg"

# It ends with this shell, however that ends; a signal to the group of this shell is not for it.
setsid setpriv --pdeathsig TERM haproxy -db -f "$folder/haproxy.cfg" &
haproxy=$!

# At SIGTERM HAProxy would cut requests in flight off; at SIGUSR1 it lets them end.
stop() {
    trap '' TERM INT
    kill -USR1 "$haproxy"
    wait "$haproxy"
    exit 0
}
trap stop TERM INT
wait "$haproxy"
