"""Buying credits: the form that begins it, and the page of one purchase, to which the buyer comes back."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.adapters.payments_demo import DemoPayments
from app.domain.errors import Conflict, InvalidRequest
from app.domain.payments import PaymentRefusedError, PaymentsUnavailableError, Provider, PurchaseState
from app.models import Purchase
from app.portal.credits import purchase_form, words
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, own_address, visitor
from app.services.billing import purchases
from app.services.billing.payment_service import PaymentService, ReturnUrls
from app.services.billing.purchases import PurchaseRequest, PurchaseView
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("purchases", __name__, url_prefix="/credits/purchases"))

ASK_AGAIN_AFTER = timedelta(seconds=10)
"""So often at most is the provider asked for a page."""
FRESH_POLLS, MAX_POLLS = 20, 200
POLL_SECONDS = {PurchaseState.OPEN: (3, 15), PurchaseState.AWAITED: (15, 60)}
NO_PAGE = (
    "The payment page cannot be opened at the moment. Nothing was charged, and your choice is kept. Try again."
)
_TRY_AGAIN = (PurchaseState.FAILED, PurchaseState.EXPIRED)


@dataclass(frozen=True, slots=True)
class Polling:
    """That the page asks again: after so many seconds, for the `count`-th time."""

    seconds: int
    count: int


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Begin a purchase and lead to its payment page, the same however often the form is sent."""
    wanted = purchase_form.read_form()
    try:
        purchase = require_payment_service().begin(visitor().account_id, wanted, _return_urls(wanted))
    except InvalidRequest as refusal:
        return _show_form_again("Check the amount", (refusal.details or {})["credits"], 422)
    except Conflict as refusal:
        return _show_form_again("No purchase was made", refusal.message, 409)
    except (PaymentsUnavailableError, PaymentRefusedError):
        return _show_form_again("No payment page yet", NO_PAGE, 503)
    return redirect(_direct_payment_page(purchase) or url_for(".show", purchase_id=purchase.id), 303)


@blueprint.get("/<purchase_id>")
def show(purchase_id: str) -> ResponseReturnValue:
    """The purchase; while it is undecided, its provider is asked."""
    return _show_purchase(purchase_id)


@blueprint.get("/<purchase_id>/check")
def check(purchase_id: str) -> ResponseReturnValue:
    """The same for htmx, which asks again and again; `state` is what its page shows."""
    return _show_purchase(purchase_id)


def require_payment_service() -> PaymentService:
    """Find who takes the money; the page does not exist where nobody does."""
    found = container().payment_service
    return found if found is not None else abort(404)


def find_own(purchase_id: str) -> PurchaseView:
    """Read the visitor's own purchase. Raises NotFound."""
    with container().database.read_session() as session:
        return purchases.read_view(session, visitor().account_id, purchase_id)


def url_of_choice(purchase: Purchase | PurchaseRequest) -> str:
    """The page of credits with this choice made already."""
    amount = f"{purchase.credits.normalize():f}"
    return url_for("credits.index", credits=amount, draft=purchase.draft_id, _anchor="buy")


def _return_urls(wanted: PurchaseRequest) -> ReturnUrls:
    base_url, back = container().settings.base_url, url_of_choice(wanted)
    return ReturnUrls(
        paid=lambda purchase_id: base_url + url_for(".show", purchase_id=purchase_id, returned=1),
        back=lambda _: base_url + back,
    )


def _direct_payment_page(purchase: Purchase) -> str | None:
    """The payment page, where the form's page may lead there; a page with a link leads everywhere."""
    payments, url = container().payments, payment_page(purchase)
    if url is None or payments is None:
        return None
    parts = urlsplit(url)
    return url if payments.origin in (None, f"{parts.scheme}://{parts.netloc}") else None


def payment_page(purchase: Purchase) -> str | None:
    """Where it is paid, while it can be."""
    mine = container().payments
    offered = mine is not None and purchase.provider is mine.provider
    return purchase.checkout_url if offered and purchase.state is PurchaseState.OPEN else None


def find_demo(purchase: Purchase) -> DemoPayments | None:
    """The demo provider, where it is in force and the purchase has a page of it."""
    mine = container().payments
    if not isinstance(mine, DemoPayments) or purchase.provider is not mine.provider or not purchase.session_id:
        return None
    return mine


def _demo_page(purchase: Purchase) -> str | None:
    """Where the visitor chooses what the bank does next, while a demo payment waits for it."""
    waits = purchase.state is PurchaseState.AWAITED and find_demo(purchase) is not None
    return url_for("demo_checkout.show", purchase_id=purchase.id) if waits else None


def _show_form_again(heading: str, fault: str, http_status: int) -> Response:
    of_field = http_status == 422
    buy = purchase_form.rebuild_form(fault if of_field else "")
    values = {"heading": heading, "faults": [("credits" if of_field else "", fault)]}
    return make_response(render_template("portal/credits/purchases/new.html", buy=buy, **values), http_status)


def _show_purchase(purchase_id: str) -> ResponseReturnValue:
    seen = find_own(purchase_id)
    before = request.args.get("state", seen.purchase.state)
    payment_service = container().payment_service
    if payment_service is not None and seen.purchase.state in POLL_SECONDS:
        payment_service.ask(purchase_id, ASK_AGAIN_AFTER)
        known, seen = seen, find_own(purchase_id)
        if known.purchase.state is not seen.purchase.state and not wants_fragment():
            # The balance above was read before: the page is loaded again, with what holds now.
            return redirect(own_address(), 303)
    parts = ("portal/credits/purchases/show.html", "portal/credits/purchases/_answer.html")
    moved = before != seen.purchase.state
    return render_page_or_fragment(
        *parts, seen=seen, purchase=seen.purchase, moved=moved, **_describe(seen.purchase)
    )


def _describe(purchase: Purchase) -> dict[str, Any]:
    amount = f"{purchase.credits.normalize():f}"
    again = purchase.state in _TRY_AGAIN and not purchase.problem
    return {
        "states": PurchaseState,
        "tag": words.describe_purchase(purchase),
        "came_back": words.find_return(purchase) is not None,
        "returned": "returned" in request.args,
        "payment_page": payment_page(purchase),
        "demo_page": _demo_page(purchase),
        "polling": _plan_poll(purchase),
        "buy": purchase_form.build_form(amount, purchase.draft_id or "") if again else None,
        "again": url_of_choice(purchase),
        "demo": purchase.provider is Provider.DEMO,
        "now": container().clock(),
    }


def _plan_poll(purchase: Purchase) -> Polling | None:
    """When the page asks again: often at first, and for an open payment only once the buyer came back from it."""
    said = request.args.get("polls", "0")
    count = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else 0
    waits = "returned" in request.args or purchase.state is PurchaseState.AWAITED
    if purchase.state not in POLL_SECONDS or purchase.problem or not waits or count >= MAX_POLLS:
        return None
    return Polling(POLL_SECONDS[purchase.state][count >= FRESH_POLLS], count + 1)
