# Print the configuration for this environment: sh configure.sh FOLDER
#
# Caddy needs no folder for files of the configuration; start.sh gives it one for those that it keeps. A
# wrong variable is named on stderr, and the exit code is 2.
set -eu

wrong() {
    echo "gateway: $1 must be $2, not \"$3\"" >&2
    exit 2
}

file() {
    [ -r "$2" ] || wrong "$1" "a PEM file" "$2"
}

client=${CLIENT_PROTOCOL:-h1c}
upstream=${UPSTREAM_PROTOCOL:-h1c}
host=${HOST:-127.0.0.1} port=${PORT:-}
url=${UPSTREAM_URL:-}

case $host in
    *[!0-9.]*) wrong HOST "an IPv4 address" "$host" ;;
esac
case $port in
    '' | *[!0-9]*) wrong PORT "a number from 1 to 65535" "$port" ;;
esac
case $client in
    h1c | h2c) kept=$client ;;
    h1) kept="h1 client-tls" ;;
    # With HTTP/2 it always offers HTTP/1.1 as well.
    h2 | h2-downgrade) kept="h2 client-tls" ;;
    *) wrong CLIENT_PROTOCOL "h1c, h1, h2c, h2 or h2-downgrade" "$client" ;;
esac
case $client in
    h1 | h2 | h2-downgrade)
        file TLS_CERT "${TLS_CERT:-}"
        file TLS_KEY "${TLS_KEY:-}"
        ;;
esac
case $upstream in
    h1c) scheme=http kept="$kept to-h1c" ;;
    # Over HTTP/2 it takes an upstream that agrees to HTTP/1.1 alone (LG-4), and opens a connection for
    # each request that finds none (H2-2).
    h1 | h2-downgrade)
        scheme=https kept="$kept to-$upstream upstream-tls"
        file TLS_CA "${TLS_CA:-}"
        ;;
    *) wrong UPSTREAM_PROTOCOL "h1c, h1 or h2-downgrade" "$upstream" ;;
esac
authority=${url#"$scheme://"}
authority=${authority%/}
case $url in
    "$scheme://"?*) ;;
    *) wrong UPSTREAM_URL "like $scheme://127.0.0.1:8688" "$url" ;;
esac
case $authority in
    '' | *[!][0-9A-Za-z.:-]*) wrong UPSTREAM_URL "like $scheme://127.0.0.1:8688" "$url" ;;
esac

keep=
for word in $kept; do
    keep="$keep;s|^@$word ||"
done
sed -e "1,/^\$/d$keep" -e '/^@/d' \
    -e "s|%HOST%|$host|;s|%PORT%|$port|;s|%URL%|$scheme://$authority|" \
    -e "s|%TLS_CERT%|${TLS_CERT:-}|;s|%TLS_KEY%|${TLS_KEY:-}|;s|%TLS_CA%|${TLS_CA:-}|" \
    Caddyfile
