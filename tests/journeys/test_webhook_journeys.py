"""Webhooks of the whole service: a receiver written from the interface alone hears every event, whatever dies."""

import hashlib
import hmac
import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from redis import Redis
from standardwebhooks import Webhook

from tests import scenes
from tests.journeys.service import ASK_SECONDS, Client, Service
from tests.waiting import eventually

LIFE = ["job.created", "job.processing", "job.completed", "job.approved", "job.delivered"]


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

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hooks"
        server.shutdown()


def register(client: Client, receiver: Receiver, url: str) -> None:
    made = client.session.post(f"{client.url}/webhooks", json={"url": url}, timeout=ASK_SECONDS)
    assert made.status_code == 201, made.text
    receiver.secret = made.json()["secret"]


def order(client: Client) -> str:
    files = client.upload({"interior": [scenes.encoded(scenes.room(600, 400))]})
    placed = client.order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
    return str(placed["jobId"])


def test_a_receiver_verifies_every_delivery_of_an_orders_whole_life(service: Service) -> None:
    client, receiver = service.client(), Receiver()
    with receiver.serving() as url:
        register(client, receiver, url)
        job = order(client)
        client.settled(job)
        client.call("GET", f"/downloads/{job}")
        eventually("all five events have come", lambda: len(receiver.bodies) == 5)
    assert receiver.faults == []
    assert sorted(receiver.names()) == sorted(LIFE)
    assert set(receiver.seen.values()) == {1}
    assert {body["data"]["jobId"] for body in receiver.bodies.values()} == {job}


def test_redis_wiped_sweeper_and_senders_killed_every_delivery_arrives(service: Service) -> None:
    client, receiver = service.client(), Receiver()
    redis = Redis.from_url(service.redis_url())
    receiver.answers = [500, 503, 500]
    with receiver.serving() as url:
        register(client, receiver, url)
        jobs = [order(client) for _ in range(3)]
        for victim in ("sweeper$", "hooks-fast$", "hooks-slow$"):
            redis.flushdb()
            for process in service.processes(victim):
                process.send_signal(signal.SIGKILL)
        for job in jobs:
            client.settled(job)
            redis.flushdb()
            client.call("GET", f"/downloads/{job}")
        eventually("all events of three orders have come", lambda: len(receiver.bodies) == 15)
    assert receiver.faults == []
    assert max(receiver.seen.values()) <= 5
    assert Counter(receiver.names()) == dict.fromkeys(LIFE, 3)
