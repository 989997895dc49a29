"""What the payment server of the tests says: its page, its errors, its signatures, and the ways it goes wrong."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from markupsafe import Markup
from werkzeug import Response

KEY, SECRET = "sk_test_4eC39HqLyjWDarjtT1zdp7dc", "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH"
PATIENCE_SECONDS = 30
Thing = dict[str, Any]


class Waits(Protocol):
    """Something that ends when the test does."""

    def wait(self, timeout: float) -> bool: ...


class Gated(Protocol):
    """The server, as its answers know it."""

    gate: Waits


Trouble = Callable[[Gated], Response]

PAGE = Markup("""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body><main>
<h1>Pay {price}</h1><p>{name}</p>{said}<form method="post">
<button formaction="{page}/pay">Pay</button> <button formaction="{page}/decline">Fail</button>
<button formaction="{page}/later">Pay later</button></form><p><a href="{cancel}">Cancel</a></p>
</main></body></html>""")


OVER = "<!doctype html><title>Checkout</title><h1>This page is over</h1>"


def page(session: Thing, address: str, said: str) -> Response:
    """Where a session is paid, with what went wrong before."""
    if session["status"] != "open":
        return Response(OVER, mimetype="text/html")
    price = f"${session['amount_total'] / 100:.2f}"
    note = Markup('<p role="alert">{}</p>').format(said) if said else ""
    values = {"price": price, "name": session["_name"], "said": note, "cancel": session["cancel_url"]}
    return Response(PAGE.format(page=address, **values), mimetype="text/html")


def signed(event: Thing, secret: str = SECRET, age_seconds: float = 0) -> tuple[bytes, str]:
    """The body of an event and its Stripe-Signature, made so long ago."""
    body = json.dumps(event, indent=2).encode()
    return body, signature_of(body, secret, age_seconds)


def signature_of(body: bytes, secret: str = SECRET, age_seconds: float = 0) -> str:
    """The Stripe-Signature of these bytes, whatever they are."""
    at = int(time.time() - age_seconds)
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def refusal(status: int, message: str, kind: str) -> Response:
    """An error as Stripe says it."""
    body = json.dumps({"error": {"message": message, "type": kind}})
    return Response(body, status, mimetype="application/json")


def fails(status: int = 500) -> Trouble:
    """Answer with an error of its own."""
    return lambda _: refusal(status, "out of order", "api_error")


def raw(body: bytes) -> Trouble:
    """Answer something that is none."""
    return lambda _: Response(body, mimetype="application/json")


def hangs() -> Trouble:
    """Say nothing until the server is stopped."""

    def answer(server: Gated) -> Response:
        server.gate.wait(PATIENCE_SECONDS)
        return Response(status=500)

    return answer
