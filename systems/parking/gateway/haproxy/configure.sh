# Print the configuration for this environment: sh configure.sh FOLDER
#
# The folder is for the files that it names. A wrong variable is named on stderr, and the exit code is 2. Secrets stay in the environment.
set -eu

folder=$1

fail() {
    echo "gateway: $*" >&2
    exit 2
}

# wrong NAME SHAPE: with the value, which is no secret
wrong() {
    eval "value=\${$1-}"
    fail "$1 must be $2, not \"$value\""
}

# is_shaped NAME PATTERN: the whole value is one line of that form
is_shaped() {
    eval "value=\${$1-}"
    [ "$(printf '%s' "$value" | wc -l)" -eq 0 ] && printf '%s' "$value" | LC_ALL=C grep -Eqx "$2"
}

pem() {
    eval "value=\${$1-}"
    # openssl is not needed for anything else: HAProxy says itself what is wrong inside such a file.
    [ -r "$value" ] && grep -q -e '-----BEGIN ' "$value" || wrong "$1" "a PEM file"
}

for name in HOST CLIENT_PROTOCOL UPSTREAM_PROTOCOL DISCOVERY_PROTOCOL TLS_CERT TLS_KEY TLS_CA STATIC_INSTANCES REGISTRY REGISTRY_URL \
    JWT_SECRET UPSTREAM_TIMEOUT_MS ALLOWED_ORIGIN; do
    eval "is_empty=\${$name+\${$name:-yes}}"
    [ "${is_empty:-}" != yes ] || fail "$name must be left out or have a value, not \"\""
done

host=${HOST:-127.0.0.1}
[ -z "${HOST+set}" ] || is_shaped HOST '([0-9]{1,3}\.){3}[0-9]{1,3}' || wrong HOST "an IPv4 address"
is_shaped PORT '[0-9]{1,5}' && [ "$PORT" -ge 1 ] && [ "$PORT" -le 65535 ] || wrong PORT "a number from 1 to 65535"
[ "${DISCOVERY_PROTOCOL:-h1c}" = h1c ] || wrong DISCOVERY_PROTOCOL h1c
[ -z "${REGISTRY_URL+set}" ] || is_shaped REGISTRY_URL 'http://[^/?#@]+/?' || wrong REGISTRY_URL "like http://127.0.0.1:8761"
# It knows the instances of its file alone: a list that changes would be a new file each time.
[ "${REGISTRY:-static}" = static ] || wrong REGISTRY static

client=${CLIENT_PROTOCOL:-h1c}
case $client in
    h1c | h2c) ;;
    h1 | h2)
        pem TLS_CERT
        pem TLS_KEY
        (umask 077 && cat "$TLS_CERT" "$TLS_KEY" > "$folder/callers.pem")
        ;;
    *) wrong CLIENT_PROTOCOL "h1c, h1, h2c or h2" ;;
esac
upstream=${UPSTREAM_PROTOCOL:-h1c}
tls=
case $upstream in
    h1c) scheme=http ;;
    h1)
        scheme=https
        pem TLS_CA
        # HAProxy compares a certificate with names alone, not with addresses.
        tls=" ssl ca-file $TLS_CA verifyhost localhost"
        ;;
    *) wrong UPSTREAM_PROTOCOL "h1c or h1" ;;
esac

url="$scheme://([0-9A-Za-z.-]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}/?"
is_shaped STATIC_INSTANCES "users=$url(,$url){0,15}" ||
    wrong STATIC_INSTANCES "users=URL with 1 to 16 URLs like $scheme://127.0.0.1:8090, joined by commas"
: > "$folder/servers"
for each in $(echo "${STATIC_INSTANCES#users=}" | tr ',' '\n' | awk '!seen[$0]++'); do
    authority=${each#"$scheme://"}
    echo "    server ${authority%/} ${authority%/}$tls" >> "$folder/servers"
done

is_shaped JWT_SECRET '[!-~]{32,256}' || fail "JWT_SECRET must be 32 to 256 characters of visible ASCII"
[ -z "${UPSTREAM_TIMEOUT_MS+set}" ] ||
    { is_shaped UPSTREAM_TIMEOUT_MS '[0-9]{1,5}' && [ "$UPSTREAM_TIMEOUT_MS" -ge 1 ] && [ "$UPSTREAM_TIMEOUT_MS" -le 60000 ]; } ||
    wrong UPSTREAM_TIMEOUT_MS "a number from 1 to 60000"
[ -z "${ALLOWED_ORIGIN+set}" ] || { is_shaped ALLOWED_ORIGIN '[!-~]+' && is_shaped ALLOWED_ORIGIN 'https?://[^/?#@]+'; } ||
    wrong ALLOWED_ORIGIN "like https://park.example"

sed -e "1,/^\$/d" -e "s|^@$client  *|    |;/^@/d" \
    -e "s|%FOLDER%|$folder|;s|%HOST%|$host|;s|%PORT%|$PORT|;s|%TIMEOUT%|${UPSTREAM_TIMEOUT_MS:-5000}ms|" \
    -e "/%SERVERS%/{r $folder/servers" -e 'd}' \
    haproxy.cfg
