"""A payment server for tests: speaks Stripe's calls on this machine, shows its payment page, sends signed events.

    with stripe_server.running() as stripe: ... stripe.url ... stripe.webhook_url = ... stripe.pay(session_id)

It knows as much as Checkout needs: sessions with idempotency keys, payment intents with charges, refunds, disputes.
"""

import itertools
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
from werkzeug import Request, Response
from werkzeug.routing import Map, Rule
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.stripe_answers import KEY, PATIENCE_SECONDS, Thing, Trouble, page, refusal, signed


@dataclass(frozen=True)
class Seen:
    """One call as it came."""

    method: str
    path: str
    fields: dict[str, str]
    idempotency_key: str | None


@dataclass
class StripeServer:
    """The running server. `troubles` come instead of the next answers; `gate` opens when the server is stopped.

    Events go to `webhook_url` where one is set, before the buyer is sent back; all are kept in `events`.
    """

    origin: str = ""
    webhook_url: str | None = None
    seen: list[Seen] = field(default_factory=list)
    events: list[Thing] = field(default_factory=list)
    sessions: dict[str, Thing] = field(default_factory=dict)
    intents: dict[str, Thing] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    _kept: dict[str, tuple[dict[str, str], Thing]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def url(self) -> str:
        """The address of its API."""
        return self.origin

    @property
    def calls(self) -> list[str]:
        """What was called, in short."""
        return [f"{each.method} {re.sub(r'(cs|pi)_[a-z0-9_]+', '…', each.path)}" for each in self.seen]

    # What buyers and banks do.

    def pay(self, session_id: str) -> Thing:
        """The card is charged."""
        return self._complete(session_id, "paid", "succeeded", "checkout.session.completed")

    def pay_later(self, session_id: str) -> Thing:
        """The bank takes its time."""
        return self._complete(session_id, "unpaid", "processing", "checkout.session.completed")

    def arrive(self, session_id: str) -> Thing:
        """The money that was awaited is there."""
        return self._complete(session_id, "paid", "succeeded", "checkout.session.async_payment_succeeded")

    def bounce(self, session_id: str) -> Thing:
        """It never comes."""
        kind = "checkout.session.async_payment_failed"
        return self._complete(session_id, "unpaid", "requires_payment_method", kind)

    def expire(self, session_id: str) -> Thing:
        """Nobody paid in time."""
        self.sessions[session_id] |= {"status": "expired", "url": None}
        return self.tell("checkout.session.expired", self.sessions[session_id])

    def refund(self, session_id: str, cents: int) -> Thing:
        """So many cents more go back."""
        charge = self.charge_of(session_id)
        charge["amount_refunded"] += cents
        charge["refunded"] = charge["amount_refunded"] == charge["amount"]
        return self.tell("charge.refunded", charge)

    def dispute(self, session_id: str, status: str, kind: str, cents: int | None = None) -> Thing:
        """The owner of the card disputes the payment, or the bank has decided."""
        charge = self.charge_of(session_id)
        return self.tell(
            f"charge.dispute.{kind}",
            {
                "id": f"dp_{session_id}",
                "object": "dispute",
                "amount": charge["amount"] if cents is None else cents,
                "charge": charge["id"],
                "payment_intent": charge["payment_intent"],
                "status": status,
                "metadata": {},
            },
        )

    def charge_of(self, session_id: str) -> Thing:
        """The charge of a paid session."""
        charge: Thing = self.intents[self.sessions[session_id]["payment_intent"]]["latest_charge"]
        return charge

    # What it tells.

    def tell(self, kind: str, thing: Thing) -> Thing:
        """Make an event of the thing as it is, and send it where events go."""
        event = {
            "id": f"evt_{next(self._numbers)}",
            "object": "event",
            "type": kind,
            "created": int(time.time()),
            "livemode": False,
            "data": {"object": json.loads(json.dumps(thing))},
        }
        self.events.append(event)
        if self.webhook_url:
            self.send(event)
        return event

    def send(self, event: Thing, **how: Any) -> requests.Response:
        """Post the event as signed() has it."""
        assert self.webhook_url
        body, signature = signed(event, **how)
        headers = {"Stripe-Signature": signature, "Content-Type": "application/json"}
        return requests.post(self.webhook_url, body, headers=headers, timeout=PATIENCE_SECONDS)

    # What is asked of it.

    def answer(self, request: Request) -> Response:
        """The answer to one call, or its page."""
        fields = {**request.args.to_dict(), **request.form.to_dict()}
        urls = _URLS.bind_to_environ(request.environ)
        endpoint, values = urls.match(method=request.method)
        if endpoint.startswith("page"):
            return getattr(self, f"_{endpoint}")(**values)
        key = request.headers.get("Idempotency-Key")
        with self._lock:
            self.seen.append(Seen(request.method, request.path, fields, key))
            trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            return trouble(self)
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return refusal(401, "Invalid API Key provided", "invalid_request_error")
        with self._lock:
            if endpoint == "create":
                return self._create(fields, key)
            return getattr(self, f"_{endpoint}")(fields=fields, **values)

    def _create(self, fields: dict[str, str], key: str | None) -> Response:
        if key in self._kept:
            before, session = self._kept[key]
            if before != fields:
                return refusal(400, "Keys can only be used with the same parameters", "idempotency_error")
            return _json(session)
        if int(fields["line_items[0][price_data][unit_amount]"]) < 50:
            return refusal(400, "Amount must be at least $0.50 usd", "invalid_request_error")
        session_id = f"cs_test_{next(self._numbers)}"
        session = {
            "id": session_id,
            "object": "checkout.session",
            "mode": fields["mode"],
            "client_reference_id": fields["client_reference_id"],
            "metadata": _inside("metadata", fields),
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"],
            "customer_email": fields["customer_email"],
            "payment_intent": None,
            "payment_status": "unpaid",
            "status": "open",
            "success_url": fields["success_url"],
            "cancel_url": fields["cancel_url"],
            "url": f"{self.origin}/c/pay/{session_id}",
        }
        self.sessions[session_id] = session
        self.intents[f"meta_{session_id}"] = _inside("payment_intent_data[metadata]", fields)
        self.sessions[session_id]["_name"] = fields["line_items[0][price_data][product_data][name]"]
        if key is not None:
            self._kept[key] = fields, json.loads(json.dumps(session))
        return _json(session)

    def _retrieve(self, fields: dict[str, str], session_id: str) -> Response:
        if session_id not in self.sessions:
            return refusal(404, f"No such checkout.session: {session_id}", "invalid_request_error")
        session = dict(self.sessions[session_id])
        if fields.get("expand[0]") == "payment_intent.latest_charge" and session["payment_intent"]:
            session["payment_intent"] = self.intents[session["payment_intent"]]
        return _json(session)

    def _expire(self, fields: dict[str, str], session_id: str) -> Response:
        if self.sessions.get(session_id, {}).get("status") != "open":
            return refusal(400, "Only open sessions can be expired", "invalid_request_error")
        self.expire(session_id)
        return _json(self.sessions[session_id])

    def _intent(self, fields: dict[str, str], intent_id: str) -> Response:
        if intent_id not in self.intents:
            return refusal(404, f"No such payment_intent: {intent_id}", "invalid_request_error")
        return _json(self.intents[intent_id])

    def _complete(self, session_id: str, paid: str, intent_status: str, kind: str) -> Thing:
        with self._lock:
            session = self.sessions[session_id]
            intent_id = session_id.replace("cs_test", "pi")
            metadata = self.intents[f"meta_{session_id}"]
            charge = {
                "id": intent_id.replace("pi", "ch"),
                "object": "charge",
                "amount": session["amount_total"],
                "amount_refunded": 0,
                "currency": session["currency"],
                "metadata": metadata,
                "payment_intent": intent_id,
                "refunded": False,
            }
            self.intents[intent_id] = {
                "id": intent_id,
                "object": "payment_intent",
                "metadata": metadata,
                "status": intent_status,
                "latest_charge": charge,
            }
            session |= {"payment_status": paid, "status": "complete", "payment_intent": intent_id, "url": None}
        return self.tell(kind, session)

    # Its payment page.

    def _page(self, session_id: str, said: str = "") -> Response:
        session = self.sessions[session_id]
        if session["status"] != "open":
            return Response(
                "<!doctype html><title>Checkout</title><h1>This page is over</h1>", mimetype="text/html"
            )
        return page(session, f"/c/pay/{session_id}", said)

    def _page_act(self, session_id: str, deed: str) -> Response:
        if deed == "decline":
            return self._page(session_id, "Your card was declined.")
        {"pay": self.pay, "later": self.pay_later}[deed](session_id)
        return Response(status=303, headers={"Location": self.sessions[session_id]["success_url"]})


@contextmanager
def running() -> Iterator[StripeServer]:
    """A server on a free port of this machine until the block is left."""
    server = StripeServer()
    wsgi = make_server("127.0.0.1", 0, Request.application(server.answer), threaded=True, request_handler=_Quiet)
    wsgi.daemon_threads = True
    server.origin = f"http://127.0.0.1:{wsgi.server_port}"
    thread = threading.Thread(target=wsgi.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.gate.set()
        wsgi.shutdown()
        thread.join()
        wsgi.server_close()


_URLS = Map(
    [
        Rule("/v1/checkout/sessions", methods=["POST"], endpoint="create"),
        Rule("/v1/checkout/sessions/<session_id>", methods=["GET"], endpoint="retrieve"),
        Rule("/v1/checkout/sessions/<session_id>/expire", methods=["POST"], endpoint="expire"),
        Rule("/v1/payment_intents/<intent_id>", methods=["GET"], endpoint="intent"),
        Rule("/c/pay/<session_id>", methods=["GET"], endpoint="page"),
        Rule("/c/pay/<session_id>/<any(pay, decline, later):deed>", methods=["POST"], endpoint="page_act"),
    ]
)
_Quiet = type("_Quiet", (WSGIRequestHandler,), {"log": lambda *_: None})


def _inside(name: str, fields: dict[str, str]) -> dict[str, str]:
    head = f"{name}["
    return {key[len(head) : -1]: text for key, text in fields.items() if key.startswith(head)}


def _json(document: Thing) -> Response:
    shown = {name: value for name, value in document.items() if not name.startswith("_")}
    return Response(json.dumps(shown), mimetype="application/json")
