"""Recognises an image by both generations of the API, with requests.

pip install requests          # on Debian: apt-get install python3-requests
KEY=lyn_… python3 recognise.py photo.jpg
"""

import base64
import os
import sys

import requests

if len(sys.argv) != 2:
    sys.exit(__doc__)
if not os.environ.get("KEY"):
    sys.exit("Set KEY to an API key.")

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:8080").rstrip("/")
session = requests.Session()
# In a header, because proxies log addresses.
session.headers["X-API-Key"] = os.environ["KEY"]


def read(response):
    """The answer; an error ends the program with its message, which says what to correct."""
    answer = response.json()
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return answer


with open(sys.argv[1], "rb") as file:
    image = file.read()

# v1: the file as an upload. "parts" selects what is looked for; without it, classes and faces come as well.
parts = {"parts": "objects,texts"}
answer = read(session.post(f"{base_url}/predict/image", params=parts, files={"image": image}, timeout=70))
print("v1, objects and texts:")
for found in answer["objects"]["predictions"]:
    # Coordinates are X1, X2, Y1, Y2 in pixels.
    x1, x2, y1, y2 = (int(number) for number in found["coordinates"].split(","))
    print(f"  {found['object_title']} {found['score']} from {x1},{y1} to {x2},{y2}")
for found in answer["texts"]["predictions"]:
    print(f"  the text \"{found['text_value']}\" at {found['coordinates']}")

# v2: JSON with the image as base64, and the detector of your choice.
body = {"base64str": base64.b64encode(image).decode("ascii"), "model_id": "coco-fast"}
answer = read(session.put(f"{base_url}/predict", json=body, timeout=70))
print("v2, objects:")
for found in answer["predictions"]:
    box = found["coordinates"]
    print(f"  {found['class_title']} {found['score']} from {box['xmin']},{box['ymin']} to {box['xmax']},{box['ymax']}")
