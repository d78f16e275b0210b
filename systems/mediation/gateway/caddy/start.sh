# Run Caddy, configured by the environment, until SIGTERM or SIGINT; its files are removed at the end.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh configure.sh > "$folder/Caddyfile"

# What it keeps of itself: the configuration in use, and locks.
export HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_DATA_HOME="$folder"

ulimit -n "$(ulimit -H -n)" # two for each request in flight
# It ends with this shell, however that ends.
setpriv --pdeathsig TERM caddy run --adapter caddyfile --config "$folder/Caddyfile" &
caddy=$!

# At SIGTERM it lets requests in flight end.
stop() {
    trap '' TERM INT
    kill -TERM "$caddy"
    wait "$caddy"
    exit 0
}
trap stop TERM INT
wait "$caddy"
