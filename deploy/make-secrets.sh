#!/bin/sh
# make-secrets.sh [FOLDER]: makes the secrets of compose.yaml, by default in secrets/ beside this file. Keeps what is there.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
# The folder keeps other users of this machine out; its files are read by the users of the containers.
chmod 700 "$folder"
cd "$folder"
umask 022

random() { openssl rand -hex 24; }
[ -e postgres-password ] || random | tr -d '\n' >postgres-password
[ -e database-url ] || printf 'postgres://lynceus:%s@postgres:5432/lynceus' "$(cat postgres-password)" >database-url
[ -e secret-key ] || openssl rand -base64 32 >secret-key
[ -e first-key ] || random | tr -d '\n' >first-key
if [ ! -e s3-credentials ]; then
  id=$(openssl rand -hex 10) secret=$(random)
  # As clients of Amazon read it, and as the object store does.
  printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' "$id" "$secret" >s3-credentials
  printf '{"identities": [{"name": "lynceus", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], "actions": ["Admin"]}]}\n' \
    "$id" "$secret" >s3-identities.json
fi
echo "The secrets are in $(pwd). The key of the first account is in first-key."
