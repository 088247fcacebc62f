"""Enrols an image of a person and looks for that person in another image, with requests.

KEY=lyn_… python3 faces.py Ada ada.jpg group.jpg

PERCEPTION: the number of the collection of people; without it a new one is created.
"""

import os
import sys

import requests

if len(sys.argv) != 4:
    sys.exit(__doc__)
if not os.environ.get("KEY"):
    sys.exit("Set KEY to an API key.")

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:8080").rstrip("/")
session = requests.Session()
session.headers["X-API-Key"] = os.environ["KEY"]


def post(path, **content):
    """The answer; an error ends the program with its detail, which says what to correct."""
    response = session.post(base_url + path, timeout=70, **content)
    answer = response.json()
    if not response.ok:
        sys.exit(answer["detail"])
    return answer


name, image_of_person, image_to_search = sys.argv[1:4]
perception = os.environ.get("PERCEPTION") or post("/api/perceptions", json={"name": "example"})["model_id"]
print(f"perception {perception}")

# key_id is your own id of a person; the first image under a new one creates the person. Three to five images are best.
with open(image_of_person, "rb") as file:
    enrolled = post(f"/api/perceptions/{perception}/images", params={"key_id": name}, files={"image": file})
lines = [f"enrolled: {enrolled['outcome']}", *(f"  {finding['advice']}" for finding in enrolled["findings"])]
if enrolled["outcome"] != "added":
    sys.exit("\n".join(lines))
print("\n".join(lines))

# A match is above the decision point, "unsure" near it, and a stranger is "unknown".
with open(image_to_search, "rb") as file:
    faces = post(f"/api/perceptions/{perception}/search", files={"image": file})["faces"]
print(f"faces: {len(faces)}")
for face in faces:
    best = next(iter(face["candidates"]), {"name": "nobody", "similarity": 0})
    print(f"  {face['verdict']}: {best['name']} {best['similarity']}")
