#!/bin/sh
# Enrols an image of a person and looks for that person in another image, with curl and jq:
#
#   KEY=lyn_… sh faces.sh Ada ada.jpg group.jpg
#
# PERCEPTION: the number of the collection of people; without it a new one is created.
set -eu
base=${BASE_URL:-http://127.0.0.1:8080}
base=${base%/}
: "${3:?"Name a person, an image of that person, and an image to search: sh faces.sh Ada ada.jpg group.jpg"}"
: "${KEY:?"Set KEY to an API key."}"

# Errors of /api are JSON, whose detail says what to correct.
ask() {
  answer=$(curl -sS -H "X-API-Key: $KEY" "$@")
  printf %s "$answer" | jq 'if .detail then "\(.detail)\n" | halt_error(1) else . end'
}

if [ -z "${PERCEPTION:-}" ]; then
  created=$(ask -H 'Content-Type: application/json' -d '{"name": "example"}' "$base/api/perceptions")
  PERCEPTION=$(printf %s "$created" | jq .model_id)
fi
echo "perception $PERCEPTION"

# key_id is your own id of a person; the first image under a new one creates the person. Three to five images are best.
key_id=$(jq -rn --arg name "$1" '$name | @uri')
enrolled=$(ask -F "image=@$2" "$base/api/perceptions/$PERCEPTION/images?key_id=$key_id")
printf %s "$enrolled" | jq -r '["enrolled: \(.outcome)", (.findings[] | "  \(.advice)")] | join("\n") |
  if startswith("enrolled: added") then . else "\(.)\n" | halt_error(1) end'

# A match is above the decision point, "unsure" near it, and a stranger is "unknown".
found=$(ask -F "image=@$3" "$base/api/perceptions/$PERCEPTION/search")
printf %s "$found" | jq -r '"faces: \(.faces | length)",
  (.faces[] | "  \(.verdict): \(.candidates[0].name // "nobody") \(.candidates[0].similarity // 0)")'
