#!/bin/sh
# The forms of a request that the documentation shows, with curl. A line a form: its name, a tab, the answer.
# BASE, KEY: the service. IMAGE: a file. IMAGE_URL: its address. LARGE: an image of some megabytes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

form() {
  printf '%s\t' "$1"
  shift
  curl -sS "$@"
  echo
}
image="$BASE/predict/image?apikey=$KEY"
detection="$BASE/predict/object_detection/?model_id=102&apikey=$KEY"
predict="$BASE/predict?api_key=$KEY"
address=$(printf %s "$IMAGE_URL" | sed 's/:/%3A/g; s,/,%2F,g')

base64 -w0 "$IMAGE" >"$work/text"
printf '{"base64str": "%s", "model_id": "coco-fast"}' "$(cat "$work/text")" >"$work/body.json"
{
  printf 'data:image/jpeg;base64,'
  cat "$work/text"
} >"$work/data-url"

form 'v2 -d' -X PUT "$predict" -d "{\"base64str\": \"$(cat "$work/text")\", \"model_id\": \"coco-fast\"}"
form 'v2 -d @file' -X PUT "$predict" -d "@$work/body.json"
form 'v2 -T file' -T "$work/body.json" "$predict"
form 'v2 -T -' -T - "$predict" <"$work/body.json"
form 'v2 --json' -X PUT -H 'Content-Type: application/json' --data-binary "@$work/body.json" "$predict"
form 'v2 POST' -d "@$work/body.json" "$predict"
form 'v2 slash' -X PUT "$BASE/predict/?api_key=$KEY" -d "@$work/body.json"
form 'v2 address' -X PUT "$predict" -d "{\"image_file_url\": \"$IMAGE_URL\", \"model_id\": 102}"
form 'v2 header key' -X PUT "$BASE/predict" -H "X-API-Key: $KEY" -d "@$work/body.json"
form 'v2 wrong key' -X PUT "$BASE/predict?api_key=wrong" -d "@$work/body.json"

form 'v1 -F' "$image" -F "image=@$IMAGE"
form 'v1 -F other name' "$image" -F "upload=@$IMAGE;type=application/octet-stream;filename=x.txt"
form 'v1 -F by GET' -X GET "$image" -F "image=@$IMAGE"
form 'v1 -F large' "$image" -F "image=@$LARGE"
form 'v1 data URL' "$image" -F "image=<$work/data-url"
form 'v1 raw body' "$image" -H 'Content-Type: image/jpeg' --data-binary "@$IMAGE"
form 'v1 POST url' -X POST "$image&url=$address"
form 'v1 GET url' "$image&url=$address"
form 'v1 GET url, JSON' -H 'Content-Type: application/json' "$image&url=$address"
form 'v1 empty JSON' -X POST -H 'Content-Type: application/json' -d '' "$image&url=$address"
form 'v1 slash' "$detection" -F "image=@$IMAGE"
form 'v1 no slash' "$BASE/predict/object_detection?model_id=102&apikey=$KEY" -F "image=@$IMAGE"
form 'v1 detection url' -X POST "$detection&url=$address"
form 'v1 no file' -X POST "$image"

form 'face command' -X POST "$BASE/predict/face?command=create_person&person_name=Ada%20L&model_id=77&apikey=$KEY"
form 'HEAD' -o /dev/null -w '%{http_code}' -I "$image&url=$address"
form 'OPTIONS' -o /dev/null -w '%{http_code}' -X OPTIONS "$BASE/predict"
