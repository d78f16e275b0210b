# Print the configuration for this environment: sh configure.sh FOLDER
#
# The folder is for the files that it names. A wrong variable is named on stderr, and the exit code
# is 2.
set -eu

folder=$1

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
    h1c | h2c) ;;
    h1 | h2 | h2-downgrade)
        file TLS_CERT "${TLS_CERT:-}"
        file TLS_KEY "${TLS_KEY:-}"
        (umask 077 && cat "$TLS_CERT" "$TLS_KEY" > "$folder/callers.pem")
        ;;
    *) wrong CLIENT_PROTOCOL "h1c, h1, h2c, h2 or h2-downgrade" "$client" ;;
esac
case $upstream in
    h1c) scheme=http ;;
    # Over HTTP/2, HAProxy 2.6 lets one answer that is not read hold up the whole connection (H2-6).
    h1 | h2-downgrade)
        scheme=https
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
    *[!][0-9A-Za-z.:-]* | *:*[!0-9] | *:) wrong UPSTREAM_URL "like $scheme://127.0.0.1:8688" "$url" ;;
    *:*) ;;
    *) wrong UPSTREAM_URL "like $scheme://127.0.0.1:8688" "$url" ;;
esac
name=${authority%:*}
case $name in
    # HAProxy compares a certificate with names alone, not with addresses.
    127.0.0.1 | '[::1]') name=localhost sni= ;;
    *) sni="sni str($name)" ;;
esac

sed -e "1,/^\$/d" -e "s|^@$client  *|    |;s|^@to-$upstream  *|    |;/^@/d" \
    -e "s|%FOLDER%|$folder|;s|%HOST%|$host|;s|%PORT%|$port|;s|%AUTHORITY%|$authority|;s|%NAME%|$name|" \
    -e "s|%SNI%|$sni|;s|%TLS_CA%|${TLS_CA:-}|" \
    haproxy.cfg
