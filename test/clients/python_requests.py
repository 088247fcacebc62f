"""Programs written with Python's requests do this. A line a form: its name, a tab, what the program read."""

import base64
import json
import os

import requests

base, key = os.environ["BASE"], os.environ["KEY"]
image_path, image_url = os.environ["IMAGE"], os.environ["IMAGE_URL"]


def told(name, value):
    print(name, value if isinstance(value, str) else json.dumps(value), sep="\t")


with open(image_path, "rb") as file:
    content = file.read()
payload = {
    "base64str": base64.b64encode(content).decode("ascii"),
    "model_id": "coco-fast",
    "conf_thresh": 0.4,
    "nms_thresh": 0.45,
}

# data= with text sends no Content-Type at all.
url = f"{base}/predict?api_key={key}"
answer = requests.put(url, data=json.dumps(payload))
assert "Content-Type" not in answer.request.headers
told("put data=json.dumps", answer.json())
told("put json=", requests.put(url, json=payload).json())

image = f"{base}/predict/image?apikey={key}"
with open(image_path, "rb") as file:
    told("post files=", requests.post(image, files={"image": file}).json())
odd = {"file": ("picture.bin", content, "application/octet-stream")}
told("post files= of another name", requests.post(image, files=odd).json())
told("post data= with a data URL", requests.post(image, data={"image": "data:image/jpeg;base64," + payload["base64str"]}).json())

# An address in the query beside a body that says JSON and is empty.
headers = {"Content-Type": "application/json"}
answer = requests.post(image, params={"url": image_url}, headers=headers)
told("post url, empty JSON", answer.json())
told("get url, empty JSON", requests.get(image, params={"url": image_url}, headers=headers).json())

# Some programs cut what they want out of the text.
text = answer.text
start = text.find('"object_title": "') + len('"object_title": "')
told("cut object_title", text[start : text.find('"', start)])
start = text.find('"score": ') + len('"score": ')
told("cut score", text[start : text.find("}", start)])

command = {"command": "create_person", "person_name": "Zoë Müller", "model_id": 77, "apikey": key}
answer = requests.post(f"{base}/predict/face", params=command)
told("create_person", [answer.status_code, answer.json()["status"]])

answer = requests.put(f"{base}/predict?api_key=wrong", data=json.dumps(payload))
told("a wrong key", [answer.status_code, answer.json()["status"], answer.json()["status_description"]])
