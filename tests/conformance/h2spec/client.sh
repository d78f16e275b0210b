# The engine as the client that h2specd starts: sh client.sh PLAN ENGINE OUT URL. In the plan stands @address@ for the server's.
address=${4#*://}
address=${address%/}
exec "$2" run --plan - --out "$3/${address##*:}" <<PLAN
$(sed "s/@address@/$address/g" "$1")
PLAN
