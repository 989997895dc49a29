"""Buying credits: the form that begins a purchase, and its page, to which the buyer returns from paying."""

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
from app.portal.visitors import current_url, for_signed_in, visitor
from app.services.billing import purchases
from app.services.billing.payment_service import PaymentService, ReturnUrls
from app.services.billing.purchases import PurchaseRequest, PurchaseView
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("purchases", __name__, url_prefix="/credits/purchases"))

QUERY_INTERVAL = timedelta(seconds=10)
"""The minimum time between two queries to the provider about the same purchase."""
FRESH_POLLS, MAX_POLLS = 20, 200
"""A page first polls often, FRESH_POLLS times, and then slowly, up to MAX_POLLS times in all."""
POLL_SECONDS = {PurchaseState.OPEN: (3, 15), PurchaseState.AWAITED: (15, 60)}
"""Seconds until the next poll: the first while polling often, the second while polling slowly."""
PAGE_UNAVAILABLE = (
    "The payment page cannot be opened at the moment. Nothing was charged, and your choice is kept. Try again."
)
_RETRYABLE = (PurchaseState.FAILED, PurchaseState.EXPIRED)


@dataclass(frozen=True, slots=True)
class Polling:
    """The next poll of a page: the seconds until it, and its number (`count`), counted from 1."""

    seconds: int
    count: int


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Begin a purchase and redirect to its payment page; the same form sent again begins no other purchase."""
    wanted = purchase_form.read_form()
    try:
        purchase = require_payment_service().begin(visitor().account_id, wanted, _return_urls(wanted))
    except InvalidRequest as refusal:
        return _show_form_again("Check the amount", (refusal.details or {})["credits"], 422)
    except Conflict as refusal:
        return _show_form_again("No purchase was made", refusal.message, 409)
    except (PaymentsUnavailableError, PaymentRefusedError):
        return _show_form_again("No payment page yet", PAGE_UNAVAILABLE, 503)
    return redirect(_direct_payment_page(purchase) or url_for(".show", purchase_id=purchase.id), 303)


@blueprint.get("/<purchase_id>")
def show(purchase_id: str) -> ResponseReturnValue:
    """The page of a purchase; while it is undecided, its provider is asked for its state."""
    return _show_purchase(purchase_id)


@blueprint.get("/<purchase_id>/check")
def check(purchase_id: str) -> ResponseReturnValue:
    """The purchase as a fragment, which htmx polls; `state` in the query is the state that the page shows."""
    return _show_purchase(purchase_id)


def require_payment_service() -> PaymentService:
    """The payment service; aborts with 404 where none is configured."""
    found = container().payment_service
    return found if found is not None else abort(404)


def find_own(purchase_id: str) -> PurchaseView:
    """Read the visitor's own purchase. Raises NotFound."""
    with container().database.read_session() as session:
        return purchases.read_view(session, visitor().account_id, purchase_id)


def url_of_choice(purchase: Purchase | PurchaseRequest) -> str:
    """The URL of the page of credits with these credits already chosen."""
    amount = f"{purchase.credits.normalize():f}"
    return url_for("credits.index", credits=amount, draft=purchase.draft_id, _anchor="buy")


def _return_urls(wanted: PurchaseRequest) -> ReturnUrls:
    base_url, back = container().settings.base_url, url_of_choice(wanted)
    return ReturnUrls(
        paid=lambda purchase_id: base_url + url_for(".show", purchase_id=purchase_id, returned=1),
        back=lambda _: base_url + back,
    )


def _direct_payment_page(purchase: Purchase) -> str | None:
    """The URL of the payment page, if the content security policy of the form's page allows to redirect to it; else
    None, and the purchase's page links to it.
    """
    payments, url = container().payments, payment_page(purchase)
    if url is None or payments is None:
        return None
    parts = urlsplit(url)
    return url if payments.origin in (None, f"{parts.scheme}://{parts.netloc}") else None


def payment_page(purchase: Purchase) -> str | None:
    """The URL where the purchase is paid; None if it cannot be paid now."""
    payments = container().payments
    is_offered = payments is not None and purchase.provider is payments.provider
    return purchase.checkout_url if is_offered and purchase.state is PurchaseState.OPEN else None


def find_demo(purchase: Purchase) -> DemoPayments | None:
    """The demo provider, where it is in use and the purchase was begun with it; else None."""
    demo = container().payments
    if not isinstance(demo, DemoPayments) or purchase.provider is not demo.provider or not purchase.session_id:
        return None
    return demo


def _demo_page(purchase: Purchase) -> str | None:
    """The URL where the visitor chooses what the bank does next, while a demo payment waits for the bank."""
    is_awaited = purchase.state is PurchaseState.AWAITED and find_demo(purchase) is not None
    return url_for("demo_checkout.show", purchase_id=purchase.id) if is_awaited else None


def _show_form_again(heading: str, fault: str, http_status: int) -> Response:
    is_amount_fault = http_status == 422
    buy = purchase_form.rebuild_form(fault if is_amount_fault else "")
    values = {"heading": heading, "faults": [("credits" if is_amount_fault else "", fault)]}
    return make_response(render_template("portal/credits/purchases/new.html", buy=buy, **values), http_status)


def _show_purchase(purchase_id: str) -> ResponseReturnValue:
    view = find_own(purchase_id)
    state_on_page = request.args.get("state", view.purchase.state)
    payment_service = container().payment_service
    if payment_service is not None and view.purchase.state in POLL_SECONDS:
        payment_service.ask(purchase_id, QUERY_INTERVAL)
        before, view = view, find_own(purchase_id)
        if before.purchase.state is not view.purchase.state and not wants_fragment():
            # The page's header has the balance from before the change: reload the page.
            return redirect(current_url(), 303)
    parts = ("portal/credits/purchases/show.html", "portal/credits/purchases/_answer.html")
    state_changed = state_on_page != view.purchase.state
    return render_page_or_fragment(
        *parts, view=view, purchase=view.purchase, state_changed=state_changed, **_describe(view.purchase)
    )


def _describe(purchase: Purchase) -> dict[str, Any]:
    amount = f"{purchase.credits.normalize():f}"
    can_retry = purchase.state in _RETRYABLE and not purchase.problem
    return {
        "states": PurchaseState,
        "tag": words.describe_purchase(purchase),
        "is_returned": words.find_return(purchase) is not None,
        "returned": "returned" in request.args,
        "payment_page": payment_page(purchase),
        "demo_page": _demo_page(purchase),
        "polling": _plan_poll(purchase),
        "buy": purchase_form.build_form(amount, purchase.draft_id or "") if can_retry else None,
        "choose_again_url": url_of_choice(purchase),
        "demo": purchase.provider is Provider.DEMO,
        "now": container().clock(),
    }


def _plan_poll(purchase: Purchase) -> Polling | None:
    """The next poll of the page; None if it does not poll. An open purchase is polled only after the buyer
    returned from the payment page.
    """
    polls = request.args.get("polls", "0")
    count = int(polls) if polls.isascii() and polls.isdigit() and len(polls) < 5 else 0
    should_poll = "returned" in request.args or purchase.state is PurchaseState.AWAITED
    if purchase.state not in POLL_SECONDS or purchase.problem or not should_poll or count >= MAX_POLLS:
        return None
    return Polling(POLL_SECONDS[purchase.state][count >= FRESH_POLLS], count + 1)
