#!/bin/sh
# Uploads an image to a drop by FTP with TLS and prints the keywords that were written into it, with curl and jq:
#
#   KEY=lyn_… DROP=1001 DROP_KEY=lyn_… sh drop.sh photo.jpg
#
# DROP and DROP_KEY are the id of the drop and its password, which "drops create" and the page Drops show. KEY, the key of
# the account, is for asking what became of the file.
# FTP_CERTIFICATE: the certificate of the FTP server, where no authority signed it; without it authorities are asked.
set -eu
base=${BASE_URL:-http://127.0.0.1:8080}
base=${base%/}
image=${1:?"Name an image: sh drop.sh photo.jpg"}
: "${KEY:?"Set KEY to an API key."}" "${DROP:?"Set DROP to the id of a drop."}" "${DROP_KEY:?"Set DROP_KEY to its key."}"

ask() {
  answer=$(curl -sS -H "X-API-Key: $KEY" "$@")
  printf %s "$answer" | jq 'if .detail then "\(.detail)\n" | halt_error(1) else . end'
}
drop=$(ask "$base/api/drops/$DROP")
server=$(printf %s "$drop" | jq -r 'if .ftp.port then .ftp | "\(.host):\(.port)"
  else "the service has no FTP port: set LYNCEUS_FTP_PORT\n" | halt_error(1) end')
user=$(printf %s "$drop" | jq -r .ftp.user_name)
name=$(jq -rn --arg name "$(date +%s)-$(basename "$image")" '$name | @uri')

# That certificate and no other, whatever the host is called: curl compares its public key.
set --
if [ -n "${FTP_CERTIFICATE:-}" ]; then
  pin=$(openssl x509 -in "$FTP_CERTIFICATE" -noout -pubkey | openssl pkey -pubin -outform der |
    openssl dgst -sha256 -binary | base64)
  set -- --insecure --pinnedpubkey "sha256//$pin"
fi
# The password comes by the standard input, so that no list of processes shows it.
printf 'user = "%s:%s"\n' "$user" "$DROP_KEY" | curl -sS -K - --ssl-reqd "$@" -T "$image" "ftp://$server/$name"

# The upload is on the disk of the service now, and recognised within seconds.
while :; do
  files=$(ask "$base/api/drops/$DROP/files?search=$name")
  case $(printf %s "$files" | jq -r '.data[0].state') in
    done) break ;;
    failed) printf %s "$files" | jq '"\(.data[0].error)\n" | halt_error(1)' ;;
  esac
  sleep 1
done
printf %s "$files" | jq -r '"keywords: \(.data[0].summary.keywords | join(", "))"'
