#!/bin/sh
# The same service with wget, which sends a body as application/x-www-form-urlencoded unless set otherwise.
# BASE, KEY: the service. IMAGE: a file. IMAGE_URL: its address.
set -eu
body=$(mktemp)
trap 'rm -f "$body"' EXIT

form() {
  printf '%s\t' "$1"
  shift
  wget -qO- --content-on-error "$@" || true
  echo
}
printf '{"base64str": "%s", "model_id": 102}' "$(base64 -w0 "$IMAGE")" >"$body"
address=$(printf %s "$IMAGE_URL" | sed 's/:/%3A/g; s,/,%2F,g')

form 'v2 --post-file' --post-file="$body" "$BASE/predict?api_key=$KEY"
form 'v2 --method=PUT' --method=PUT --body-file="$body" "$BASE/predict?api_key=$KEY"
form 'v1 GET url' "$BASE/predict/object_detection/?model_id=102&url=$address&apikey=$KEY"
form 'v1 --post-file' --post-file="$IMAGE" --header='Content-Type: image/jpeg' \
  "$BASE/predict/object_detection/?model_id=102&apikey=$KEY"
# wget shows no body with a 401.
form 'unknown model' "$BASE/predict/image?model_id=77&url=$address&apikey=$KEY"
