"""Customers who order over the API as careful programs do: with Idempotency-Keys, again after every fault."""

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

import requests
from sqlalchemy import func, select

from app.domain.sending import DeliveryState
from app.models import Delivery
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from bench.customers import form_fields
from tests import scenes
from tests.conftest import order_body
from tests.journeys.receiver import Receiver
from tests.journeys.service import Client, Service

ANSWER_SECONDS = 10
"""A careful program waits no longer for one answer."""
RETRY_SECONDS = 1.0
GIVE_UP_SECONDS = 180
LOOK_SECONDS = 0.5
OPENING_CREDITS = Decimal(100_000)
SETTLED = ("approved", "delivered", "failed", "undeliverable")
SIZE = (320, 214)


class GaveUpError(Exception):
    """Nothing helped for GIVE_UP_SECONDS."""


@dataclass(frozen=True, slots=True)
class Unhealed:
    """A retry that was answered with 500 or more, too: sent and answered when, by the monotonic clock."""

    what: str
    status: int
    sent_at: float
    answered_at: float


@dataclass
class Figures:
    """What all customers saw together."""

    requests: int = 0
    orders: dict[str, str] = field(default_factory=dict)
    """The job of each key: what the customer believes to have ordered."""
    statuses: Counter[str] = field(default_factory=Counter)
    """How each job ended, as the customer was told."""
    faults: Counter[str] = field(default_factory=Counter)
    """Answers of 500 and more, and connections that were cut, by kind."""
    unhealed: list[Unhealed] = field(default_factory=list)
    """Answers of 500 and more that the first retry met too."""
    broken: list[str] = field(default_factory=list)
    """What a customer could make nothing of."""
    longest_seconds: float = 0.0
    """The longest time until a request had its good answer, retries included."""
    longest_order_seconds: float = 0.0
    """The longest time from the answer to an order until its customer was told that it had settled."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Customer:
    """One account with a key and a webhook, whose program orders one photo after the other."""

    def __init__(self, service: Service, figures: Figures, seed: int) -> None:
        self.receiver = Receiver()
        with service.books() as here, here.database.unit_of_work() as session:
            member = accounts.create(session, f"{uuid.uuid4()}@example.com", here.clock())
            credits.adjust(session, member.organization_id, OPENING_CREDITS, "Opening balance", here.clock())
            _, secret = api_keys.create(session, member.organization_id, here.clock())
        self.account_id = member.organization_id
        self._client = Client(service.url, secret)
        self._figures = figures
        self._chance = random.Random(seed)
        self._photo = scenes.encoded(scenes.room(*SIZE))

    def register(self, url: str) -> None:
        """Have every event sent to the receiver."""
        self.receiver.secret = self._send("POST", "/webhooks", json={"url": url}, key=self._key())["secret"]

    def order_until(self, stop: threading.Event) -> None:
        """Place orders, each once the one before has settled."""
        try:
            while not stop.is_set():
                key = self._key()
                job_id = self._order(key)
                with self._figures.lock:
                    self._figures.orders[key] = job_id
                self._wait_for(job_id)
        except Exception as error:
            self._figures.broken.append(repr(error))

    def _order(self, key: str) -> str:
        if self._chance.random() < 0.5:
            files = {"interiorPhoto0": ("room.jpg", self._photo)}
            placed = self._send("POST", "/orders", key=key, data=form_fields(), files=files)
        else:
            upload_session = self._send("POST", "/orders/upload-urls", key=self._key(), json={"interiorCount": 1})
            target = upload_session["interiorUrls"][0]
            self._send("PUT", target["uploadUrl"], data=self._photo)
            files = {"uploadSessionId": upload_session["uploadSessionId"]}
            files["interiorFiles"] = [{"filePath": target["filePath"]}]
            placed = self._send("POST", "/orders/from-uploads", key=key, json={**order_body(), **files})
        return str(placed["jobId"])

    def _wait_for(self, job_id: str) -> None:
        status = ""
        began = time.monotonic()
        while status not in SETTLED:
            if time.monotonic() - began > GIVE_UP_SECONDS:
                raise GaveUpError(f"{job_id} is {status}")
            time.sleep(LOOK_SECONDS)
            status = self._send("GET", f"/jobs/{job_id}/status")["status"]
        with self._figures.lock:
            self._figures.statuses[status] += 1
            taken = time.monotonic() - began
            self._figures.longest_order_seconds = max(self._figures.longest_order_seconds, taken)
        if status == "approved":
            self._send("GET", f"/downloads/{job_id}")

    def _send(self, method: str, path: str, key: str | None = None, **content: Any) -> Any:
        """The JSON of the good answer, however often it takes; None where it has no body."""
        url = path if path.startswith("http") else f"{self._client.url}{path}"
        headers = {"Idempotency-Key": key} if key else {}
        began, before = time.monotonic(), ""
        while time.monotonic() - began < GIVE_UP_SECONDS:
            sent_at = time.monotonic()
            fault, answer = self._attempt(method, url, headers=headers, **content)
            if answer is not None and answer.status_code < 300:
                self._note(time.monotonic() - began)
                return answer.json() if answer.content else None
            if answer is not None and answer.status_code < 500 and answer.status_code != 409:
                raise GaveUpError(f"{method} {path}: {answer.status_code} {answer.text}")
            if fault:
                self._note_fault(f"{method} {path.split('?', maxsplit=1)[0]}", fault, before, sent_at)
            before = fault
            time.sleep(
                float(answer.headers.get("Retry-After", RETRY_SECONDS)) if answer is not None else RETRY_SECONDS
            )
        raise GaveUpError(f"{method} {path}: {before}")

    def _attempt(self, method: str, url: str, **content: Any) -> tuple[str, requests.Response | None]:
        session = self._client.session
        try:
            answer = session.request(method, url, timeout=ANSWER_SECONDS, **content)
        except (requests.ConnectionError, requests.Timeout) as error:
            return type(error).__name__, None
        return str(answer.status_code) if answer.status_code >= 500 else "", answer

    def _note(self, seconds: float) -> None:
        with self._figures.lock:
            self._figures.requests += 1
            self._figures.longest_seconds = max(self._figures.longest_seconds, seconds)

    def _note_fault(self, what: str, fault: str, before: str, sent_at: float) -> None:
        with self._figures.lock:
            self._figures.faults[fault] += 1
            if before and fault.isdigit():
                told = f"{what}: {before}, then {fault}"
                self._figures.unhealed.append(Unhealed(told, int(fault), sent_at, time.monotonic()))

    def _key(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))


@contextmanager
def ordering(service: Service, count: int, seed: int) -> Iterator[tuple[Figures, list[Customer]]]:
    """So many customers place orders until the block is left and their last orders have settled."""
    figures, stop = Figures(), threading.Event()
    customers = [Customer(service, figures, seed * 1000 + number) for number in range(count)]
    threads = [threading.Thread(target=each.order_until, args=(stop,)) for each in customers]
    with ExitStack() as stack:
        for each in customers:
            each.register(stack.enter_context(each.receiver.serving()))
        for thread in threads:
            thread.start()
        try:
            yield figures, customers
        finally:
            stop.set()
            for thread in threads:
                thread.join()
            # What is still on its way finds its receiver.
            soon = time.monotonic() + GIVE_UP_SECONDS
            while undelivered(service) and time.monotonic() < soon:
                time.sleep(LOOK_SECONDS)


def undelivered(service: Service, until: datetime | None = None) -> int:
    """How many deliveries, of those made `until` then, are still to be made."""
    ended = (DeliveryState.SUCCEEDED, DeliveryState.FAILED)
    open_ = select(func.count()).select_from(Delivery).where(Delivery.state.not_in(ended))
    with service.books() as here, here.database.read_session() as session:
        return session.scalar(open_.where(Delivery.created_at <= until) if until else open_) or 0
