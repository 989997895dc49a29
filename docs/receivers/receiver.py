"""Receives Brightlist webhooks. Start it with: WEBHOOK_SECRET=whsec_... PORT=9000 python3 receiver.py"""

import hmac
import json
import os
import time
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["WEBHOOK_SECRET"].split()  # two, the old and the new one, while you change it
SEEN = {}  # in your own service: a table with a unique key on the id, kept for a week


def genuine(headers, body):
    """Whether Brightlist sent this body under this delivery id, and no more than five minutes ago."""
    delivery, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if delivery != headers.get("X-Service-Delivery") or not sent_at.isdecimal():
        return False
    if abs(time.time() - int(sent_at)) > 300:
        return False
    content = f"{delivery}.{sent_at}.".encode() + body
    keys = [b64decode(secret.removeprefix("whsec_")) for secret in SECRETS]
    standard = ["v1," + b64encode(hmac.digest(key, content, "sha256")).decode() for key in keys]
    service = ["sha256=" + hmac.digest(secret.encode(), body, "sha256").hex() for secret in SECRETS]
    return one_is_right(headers.get("webhook-signature", "").split(), standard) and one_is_right(
        [headers.get("X-Service-Signature", "")], service
    )


def one_is_right(given, expected):
    """Compares in constant time: an answer's speed tells nothing about the signature."""
    return any(hmac.compare_digest(each.encode(), right.encode()) for each in given for right in expected)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))  # the raw bytes, before any parsing
        if not genuine(self.headers, body):
            return self.answer(401)
        me = object()
        if SEEN.setdefault(self.headers["webhook-id"], me) is me:  # else it was here before: fine, nothing to do
            event = json.loads(body)
            print(event["event"], event["data"]["jobId"], flush=True)  # your work; leave what takes long to a queue
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
