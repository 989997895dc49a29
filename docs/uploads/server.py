"""A site whose visitors upload photos to Brightlist: flask --app server run"""

import json
import os

import requests
from flask import Flask, abort, request, send_file, session

BRIGHTLIST = "https://brightlist.example"
KEY = {"Authorization": f"Bearer {os.environ['BRIGHTLIST_API_KEY']}"}
POLICY = f"default-src 'none'; script-src {BRIGHTLIST}; connect-src 'self' {BRIGHTLIST}; form-action 'self'"

app = Flask(__name__)
app.secret_key = os.environ["SECRET_KEY"]


def call(path, body):
    answer = requests.post(f"{BRIGHTLIST}/api/v1/{path}", json=body, headers=KEY, timeout=60)
    answer.raise_for_status()
    return answer.json()


@app.get("/")
def show_form():
    page = send_file("page.html")
    page.headers["Content-Security-Policy"] = POLICY
    return page


@app.post("/upload-token")
def make_token():
    # A visitor goes on with their own upload session only.
    wanted = request.get_json()["uploadSessionId"]
    mine = wanted if wanted == session.get("uploads") else None
    made = call("client-tokens", {"uploadSessionId": mine, "maxFiles": 20})
    session["uploads"] = made["uploadSessionId"]
    return {"token": made["token"]}


@app.post("/orders")
def place_order():
    photos = json.loads(request.form["photos"])
    if photos["uploadSessionId"] != session.get("uploads"):
        abort(403)
    # Nothing else of it: a browser could send more, such as enhancements that cost you credits.
    files = {name: photos[name] for name in ("uploadSessionId", "interiorFiles")}
    order = {"serviceType": "interior", "interiorEnhancements": ["hdr_enhancement"]}
    made = call("orders/from-uploads", {**files, **order, "address": request.form["address"]})
    return f"Thank you. Your photos are being edited: {made['jobId']}"
