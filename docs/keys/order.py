"""One photo from upload to result. Install what it needs with: pip install requests"""

import os
import sys
import time
from pathlib import Path

import requests

KEY = os.environ["BRIGHTLIST_API_KEY"]
API = "https://brightlist.example/api/v1"
PHOTO, RESULT = Path("room.jpg"), Path("room-better.jpg")

session = requests.Session()
session.headers["Authorization"] = f"Bearer {KEY}"


def ask(method, path, **options):
    """The JSON of a good answer; a refusal says what to do about it."""
    answer = session.request(method, API + path, timeout=60, **options)
    if not answer.ok:
        sys.exit(f"{answer.status_code}: {answer.text}")
    return answer.json()


room = ask("POST", "/orders/upload-urls", json={"interiorCount": 1, "exteriorCount": 0})
target = room["interiorUrls"][0]
requests.put(target["uploadUrl"], data=PHOTO.read_bytes(), timeout=60).raise_for_status()

order = ask(
    "POST",
    "/orders/from-uploads",
    json={
        "address": "12 Garden Lane, Springfield, IL 62704",
        "serviceType": "interior",
        "uploadSessionId": room["uploadSessionId"],
        "interiorFiles": [{"filePath": target["filePath"], "fileName": PHOTO.name}],
        "interiorEnhancements": ["hdr_enhancement"],
    },
)

while True:
    job = ask("GET", f"/jobs/{order['jobId']}/status")
    print(job["jobId"], "is", job["status"])
    if job["status"] in ("approved", "delivered"):
        break
    if job["status"] in ("undeliverable", "failed"):
        sys.exit(job.get("error") or job["undeliverable"]["reason"])
    time.sleep(5)

image = ask("GET", f"/downloads/{order['jobId']}")["images"][0]
RESULT.write_bytes(requests.get(image["url"], timeout=60).content)
print("Saved", RESULT)
