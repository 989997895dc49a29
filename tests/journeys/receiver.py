"""A customer's receiver of webhooks, written from the interface alone."""

import hashlib
import hmac
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


class Receiver:
    """A customer's receiver: verifies, deduplicates, and answers as `answer` says."""

    def __init__(self) -> None:
        self.secret = ""
        self.seen: Counter[str] = Counter()
        self.bodies: dict[str, dict[str, Any]] = {}
        self.faults: list[str] = []
        self.answers: list[int] = []
        self.lock = threading.Lock()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """One request; the status it is answered with."""
        expected = hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(headers["X-Service-Signature"], f"sha256={expected}"):
            self.faults.append("signature")
        delivery, event = headers["X-Service-Delivery"], json.loads(body)
        if event["event"] != headers["X-Service-Event"] or abs(int(headers["X-Service-Timestamp"])) < 1:
            self.faults.append(f"headers do not fit {event}")
        Webhook(self.secret).verify(body, headers)
        with self.lock:
            self.seen[delivery] += 1
            if self.bodies.setdefault(delivery, event) != event:
                self.faults.append("the body changed")
            return self.answers.pop(0) if self.answers else 204

    def names(self) -> list[str]:
        """The names of the events in the order they happened."""
        return [body["event"] for body in sorted(self.bodies.values(), key=lambda body: body["timestamp"])]

    @contextmanager
    def serving(self) -> Iterator[str]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = 500
                try:
                    status = receiver.take(dict(self.headers), body)
                except Exception as error:
                    receiver.faults.append(repr(error))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/hooks"
            finally:
                server.shutdown()
                thread.join()
