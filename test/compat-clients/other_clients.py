"""What Home Assistant's DOODS, CompreFace's Python SDK, double-take and Viseron send, by Python's requests.

A line a client: its name, a tab, what it made of the answer.
"""

import base64
import json
import os

import requests

base, doods_key, face_key = os.environ["BASE"], os.environ["DOODS_KEY"], os.environ["FACE_KEY"]
with open(os.environ["IMAGE"], "rb") as file:
    image = file.read()
with open(os.environ["FACE"], "rb") as file:
    face = file.read()


def told(name, value):
    print(name, json.dumps(value), sep="\t")


def home_assistant():
    """Looks for its detector and its labels, then asks with percentages and reads fractions."""
    headers = {"doods-auth-key": doods_key}
    detectors = requests.get(f"{base}/detectors", headers=headers, timeout=10).json()["detectors"]
    [detector] = [each for each in detectors if each["name"] == "default"]
    if "stop sign" not in detector["labels"]:
        raise ValueError(detector["labels"])
    answer = requests.post(
        f"{base}/detect",
        json={
            "detector_name": "default",
            "data": base64.b64encode(image).decode("utf-8"),
            "detect": {"*": 50},
            "regions": [],
        },
        headers=headers,
        timeout=30,
    ).json()
    if "error" in answer:
        raise ValueError(answer["error"])
    return [
        [each["label"], 50 <= each["confidence"] <= 100, 0 <= each["top"] < each["bottom"] <= 1, each["left"] < each["right"]]
        for each in answer["detections"]
    ]


def home_assistant_refused():
    answer = requests.get(f"{base}/detectors", headers={"doods-auth-key": "wrong"}, timeout=10)
    return [answer.status_code, isinstance(answer.json()["error"], str)]


def compreface_sdk():
    """The Python SDK puts `&` before the first option, and reads the body whatever the status is."""
    url = f"{base}/api/v1/recognition"
    headers = {"x-api-key": face_key}
    added = requests.post(
        f"{url}/faces?subject=Ada&det_prob_threshold=0.8", headers=headers, files={"file": face}, timeout=30
    ).json()
    seen = requests.post(
        f"{url}/recognize?&limit=0&det_prob_threshold=0.8&prediction_count=1",
        headers=headers,
        files={"file": face},
        timeout=30,
    ).json()
    refused = requests.post(
        f"{url}/recognize?&limit=0", headers={"x-api-key": "wrong"}, files={"file": face}, timeout=10
    ).json()
    return [added["subject"], [each["subjects"][0]["subject"] for each in seen["result"]], refused["code"]]


def double_take():
    """Sends options that it has no value for, and reads percentages of what it got."""
    seen = requests.post(
        f"{base}/api/v1/recognition/recognize?det_prob_threshold=0.8&face_plugins=undefined",
        headers={"x-api-key": face_key},
        files={"file": ("a.jpg", face, "image/jpeg")},
        timeout=30,
    ).json()
    return [
        {
            "name": each["subjects"][0]["subject"].lower(),
            "confidence": each["subjects"][0]["similarity"] * 100 >= 60,
            "width": each["box"]["x_max"] - each["box"]["x_min"] > 0,
        }
        for each in seen["result"]
    ]


def viseron():
    """Trains by subjects and faces; `subjects[0]` must be there."""
    url = f"{base}/api/v1/recognition"
    headers = {"x-api-key": face_key}
    deleted = requests.delete(f"{url}/subjects/Grace", headers=headers, timeout=10).json()
    made = requests.post(f"{url}/subjects", headers=headers, json={"subject": "Grace"}, timeout=10)
    listed = requests.get(f"{url}/subjects", headers=headers, timeout=10).json()
    return [deleted.get("code"), made.status_code, sorted(listed["subjects"])]


for client in (home_assistant, home_assistant_refused, compreface_sdk, double_take, viseron):
    told(client.__name__, client())
