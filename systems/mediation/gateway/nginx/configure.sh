# Print the configuration for this environment: sh configure.sh FOLDER
#
# The folder is for what nginx writes. A wrong variable is named on stderr, and the exit code is 2.
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
kept=
case $client in
    h1c | h2c) kept="$kept $client" ;;
    h1) kept="$kept h1 client-tls" ;;
    # With HTTP/2 nginx always offers HTTP/1.1 as well.
    h2 | h2-downgrade) kept="$kept h2 client-tls" ;;
    *) wrong CLIENT_PROTOCOL "h1c, h1, h2c, h2 or h2-downgrade" "$client" ;;
esac
case $client in
    h1 | h2 | h2-downgrade)
        file TLS_CERT "${TLS_CERT:-}"
        file TLS_KEY "${TLS_KEY:-}"
        ;;
esac
case $upstream in
    h1c) scheme=http kept="$kept upstream-cleartext" ;;
    h1)
        scheme=https kept="$kept upstream-tls"
        file TLS_CA "${TLS_CA:-}"
        ;;
    *) wrong UPSTREAM_PROTOCOL "h1c or h1" "$upstream" ;;
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
name=${authority%:*}
case $name in
    # nginx compares a certificate with names alone, not with addresses.
    127.0.0.1 | '[::1]') name=localhost ;;
    *) kept="$kept upstream-name" ;;
esac

keep=
for word in $kept; do
    keep="$keep;s|^@$word  *|            |"
done
sed -e "1,/^\$/d$keep" -e '/^@/d' \
    -e "s|%FOLDER%|$folder|;s|%HOST%|$host|;s|%PORT%|$port|;s|%AUTHORITY%|$authority|;s|%NAME%|$name|" \
    -e "s|%CPUS%|$(nproc)|" \
    -e "s|%TLS_CERT%|${TLS_CERT:-}|;s|%TLS_KEY%|${TLS_KEY:-}|;s|%TLS_CA%|${TLS_CA:-}|" \
    nginx.conf
