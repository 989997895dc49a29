"""The payment page of the demo provider, which moves no money. With other providers the page is not found."""

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.adapters.payments_demo import DemoPayments
from app.domain.errors import require_found
from app.domain.payments import PurchaseState
from app.models import Purchase
from app.portal.credits import purchases
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in

blueprint = for_signed_in(
    PageBlueprint("demo_checkout", __name__, url_prefix="/credits/purchases/<purchase_id>/demo")
)


@blueprint.get("")
def show(purchase_id: str) -> ResponseReturnValue:
    """The payment page, where the buyer chooses by a button what the bank answers."""
    purchase, _ = _find_demo_purchase(purchase_id)
    if purchase.state not in purchases.POLL_SECONDS:
        return _redirect_back(purchase_id)
    back = purchases.url_of_choice(purchase)
    return render_template("portal/credits/purchases/demo.html", purchase=purchase, states=PurchaseState, back=back)


@blueprint.post("/pay")
def pay(purchase_id: str) -> ResponseReturnValue:
    """Simulate a payment: at once, or after the bank's delay."""
    return _simulate(purchase_id, PurchaseState.PAID)


@blueprint.post("/later")
def later(purchase_id: str) -> ResponseReturnValue:
    """Simulate a bank that accepts the payment but pays later."""
    return _simulate(purchase_id, PurchaseState.AWAITED)


@blueprint.post("/decline")
def decline(purchase_id: str) -> ResponseReturnValue:
    """Simulate a bank that refuses the payment."""
    return _simulate(purchase_id, PurchaseState.FAILED)


@blueprint.post("/cancel")
def cancel(purchase_id: str) -> ResponseReturnValue:
    """Go back without paying: the purchase stays open, and the choice is kept."""
    purchase, _ = _find_demo_purchase(purchase_id)
    return redirect(purchases.url_of_choice(purchase), 303)


def _simulate(purchase_id: str, state: PurchaseState) -> ResponseReturnValue:
    """Set the demo payment's state, and notify the payment service by a signed message, as any provider would."""
    purchase, demo = _find_demo_purchase(purchase_id)
    message = demo.act(purchase.session_id or "", state)
    purchases.require_payment_service().receive(*message)
    return _redirect_back(purchase_id)


def _find_demo_purchase(purchase_id: str) -> tuple[Purchase, DemoPayments]:
    """The visitor's own demo purchase and its provider. Raises NotFound if the demo provider is not in use."""
    purchase = purchases.find_own(purchase_id).purchase
    demo = require_found(purchases.find_demo(purchase))
    return purchase, demo


def _redirect_back(purchase_id: str) -> ResponseReturnValue:
    return redirect(url_for("purchases.show", purchase_id=purchase_id, returned=1), 303)
