"""What clients of DeepStack and CodeProject.AI send, and what they read of the answers, by Python's requests.

A line a client: its name, a tab, what it made of the answer. Each does what the public code of that client does, in the same
order of fields, with the same assumptions about what must be there.
"""

import json
import os

import requests

base, key, image_path = os.environ["BASE"], os.environ["KEY"], os.environ["IMAGE"]
with open(image_path, "rb") as file:
    image = file.read()
with open(os.environ["FACE"], "rb") as file:
    face = file.read()
labels = ["person", "bicycle", "car", "stop sign", "cat", "dog"]


def told(name, value):
    print(name, json.dumps(value), sep="\t")


def frigate():
    """Room for 20 boxes; it reads until the first that is unsure or that it has no number for."""
    answer = requests.post(
        f"{base}/v1/vision/detection", data={"api_key": key}, files={"image": image}, timeout=10
    ).json()
    detections = [None] * 20
    for at, prediction in enumerate(answer.get("predictions")):
        if prediction["confidence"] < 0.4 or prediction["label"] not in labels:
            break
        box = (prediction["y_min"], prediction["x_min"], prediction["y_max"], prediction["x_max"])
        detections[at] = [prediction["label"], *(int(value) for value in box)]
    return [each for each in detections if each is not None]


def hass():
    """Any HTTP status but 200 raises; `success` decides."""
    answer = requests.post(
        f"{base}/v1/vision/detection",
        files={"image": image},
        data={"api_key": key, "min_confidence": 0.45},
        timeout=10,
    )
    if answer.status_code != 200:
        raise ValueError(answer.status_code)
    if not answer.json()["success"]:
        raise ValueError(answer.json()["error"])
    return [prediction["label"] for prediction in answer.json()["predictions"]]


def viseron():
    """Without a key where there is none; `success` must be there; it trains by delete, face and register."""
    url = f"{base}/v1/vision/face"
    deleted = requests.post(f"{url}/delete", data={"userid": "Ada", "api_key": key}, timeout=10).json()
    seen = requests.post(url, files={"image": face}, data={"api_key": key}, timeout=30).json()
    if not seen["success"] or not seen["predictions"]:
        raise ValueError("no face")
    made = requests.post(
        f"{url}/register", files={"image": face}, data={"userid": "Ada", "api_key": key}, timeout=30
    ).json()
    known = requests.post(
        f"{url}/recognize", files={"image": face}, data={"min_confidence": 0.5, "api_key": key}, timeout=30
    ).json()
    return [deleted["success"], made["success"], [each["userid"] for each in known["predictions"]]]


def double_take():
    """A match from 60 %, of the confidence in percent."""
    answer = requests.post(
        f"{base}/v1/vision/face/recognize", files={"image": face}, data={"api_key": key}, timeout=30
    ).json()
    predictions = answer["predictions"] if answer["success"] else []
    return [
        {
            "name": each["userid"].lower(),
            "match": each["userid"] != "unknown" and each["confidence"] * 100 >= 60,
            "box": {"width": each["x_max"] - each["x_min"] > 0, "height": each["y_max"] - each["y_min"] > 0},
        }
        for each in predictions
    ]


def shinobi():
    """Asks without an image at its start, and calls `endsWith` on the error."""
    answer = requests.post(f"{base}/v1/vision/detection", data={"api_key": key}, timeout=10).json()
    return answer["success"] is False and answer["error"].endswith("found")


def aitool():
    """`error` must be empty on success; the count is read as a number."""
    answer = requests.post(
        f"{base}/v1/vision/detection",
        files={"image": ("a.jpg", image, "image/jpeg")},
        data={"min_confidence": "0.4", "api_key": key},
        timeout=10,
    ).json()
    assert not answer.get("error")
    return [answer["success"], answer["code"], answer["count"], answer["processMs"] >= 0, answer["inferenceMs"] >= 0]


def blue_iris():
    """Lists custom models, asks for one by name, and probes the server."""
    ping = requests.get(f"{base}/v1/status/ping", timeout=10).json()
    models = requests.post(f"{base}/v1/vision/custom/list", data={"api_key": key}, timeout=10).json()
    answer = requests.post(
        f"{base}/v1/vision/custom/ipcam-general",
        files={"image": image},
        data={"min_confidence": 0.4, "api_key": key},
        timeout=10,
    ).json()
    names = models["models"]
    return [ping["success"], "ipcam-general" in names, [each["label"] for each in answer["predictions"]]]


def refusals():
    """What is refused has a text in `error`, under the statuses that clients know."""
    url = f"{base}/v1/vision/detection"
    sent = {"files": {"image": image}, "timeout": 10}
    answers = [
        requests.post(url, data={"api_key": ""}, **sent),
        requests.post(url, data={"api_key": "wrong"}, **sent),
        requests.post(url, data={"api_key": key}, files={"image": b"no image"}, timeout=10),
        requests.get(url, timeout=10),
    ]
    return [[each.status_code, each.json()["success"], each.json()["error"]] for each in answers]


for client in (frigate, hass, viseron, double_take, shinobi, aitool, blue_iris, refusals):
    told(client.__name__, client())
