#!/bin/sh
# Recognises an image by both generations of the API, with curl and jq:
#
#   KEY=lyn_… sh recognise.sh photo.jpg
set -eu
base=${BASE_URL:-http://127.0.0.1:8080}
base=${base%/}
image=${1:?"Name an image: sh recognise.sh photo.jpg"}
: "${KEY:?"Set KEY to an API key."}"

# The key is in a header, because proxies log addresses. An error is JSON too: its message says what to correct.
ask() {
  curl -sS -H "X-API-Key: $KEY" "$@"
}
check='if .error then "\(.error.message)\n" | halt_error(1) else . end'

# v1: the file as an upload. "parts" selects what is looked for; without it, classes and faces come as well.
answer=$(ask -F "image=@$image" "$base/predict/image?parts=objects,texts")
# Coordinates are X1, X2, Y1, Y2 in pixels.
printf %s "$answer" | jq -r "$check"' |
  "v1, objects and texts:",
  (.objects.predictions[] | "  \(.object_title) \(.score) at \(.coordinates)"),
  (.texts.predictions[] | "  the text \"\(.text_value)\" at \(.coordinates)")'

# v2: JSON with the image as base64, and the detector of your choice. jq writes the body, so that it may have any length.
answer=$(base64 -w0 "$image" | jq -R '{base64str: ., model_id: "coco-fast"}' |
  ask -X PUT -H 'Content-Type: application/json' --data-binary @- "$base/predict")
printf %s "$answer" | jq -r "$check"' |
  "v2, objects:",
  (.predictions[] | "  \(.class_title) \(.score) from \(.coordinates.xmin),\(.coordinates.ymin) to \(.coordinates.xmax),\(.coordinates.ymax)")'
