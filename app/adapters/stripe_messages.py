"""Converts Stripe's objects (sessions, charges, refunds, disputes) to Payment."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.domain.ids import Prefix, is_id
from app.domain.payments import Dispute, Payment, PurchaseState

PURCHASE, ACCOUNT = "purchase_id", "account_id"
"""The keys of our ids in the metadata of Stripe's sessions and payment intents."""

StripeObject = Mapping[str, Any]

_FAILED_INTENTS = ("requires_payment_method", "canceled")
_FAILED_REFUNDS = ("failed", "canceled")


def of_session(session: StripeObject) -> Payment:
    """The payment of a checkout session, whose payment intent may be an object (expanded) or only an id."""
    intent, metadata = session.get("payment_intent"), session.get("metadata") or {}
    payment = intent if isinstance(intent, Mapping) else {"id": intent}
    charge = payment.get("latest_charge")
    return Payment(
        purchase_id=_purchase(session.get("client_reference_id")),
        account_id=metadata.get(ACCOUNT),
        session_id=session["id"],
        payment_id=payment.get("id"),
        state=_state(session, payment.get("status")),
        amount_cents=session.get("amount_total"),
        currency=session.get("currency"),
        refunded_cents=charge.get("amount_refunded", 0) if isinstance(charge, Mapping) else 0,
    )


def purchase_of(intent: StripeObject) -> str | None:
    """The purchase's id in the metadata of a payment intent or charge; None if it is not one of ours."""
    return _purchase((intent.get("metadata") or {}).get(PURCHASE))


def of_event(kind: str, thing: StripeObject) -> Payment | None:
    """The payment that an event of type `kind` about the object `thing` reports on; None for irrelevant events."""
    for prefix, convert in _CONVERTERS.items():
        if kind.startswith(prefix):
            return convert(kind, thing)
    return None


def _of_session_event(kind: str, session: StripeObject) -> Payment | None:
    payment = of_session(session)
    if payment.purchase_id is None:
        return None
    failed = kind == "checkout.session.async_payment_failed"
    return replace(payment, state=PurchaseState.FAILED) if failed else payment


def _of_charge(_kind: str, charge: StripeObject) -> Payment | None:
    if not charge.get("payment_intent"):
        return None
    return Payment(
        purchase_id=purchase_of(charge),
        payment_id=_id_of(charge["payment_intent"]),
        refunded_cents=charge.get("amount_refunded", 0),
    )


def _of_refund(_kind: str, refund: StripeObject) -> Payment | None:
    """A failed refund, which staff must look at. Successful refunds are reported by charge.refunded."""
    if refund.get("status") not in _FAILED_REFUNDS or not refund.get("payment_intent"):
        return None
    trouble = f"The refund {refund['id']} of {refund.get('amount', 0)} cents did not reach the buyer."
    return Payment(payment_id=_id_of(refund["payment_intent"]), trouble=trouble)


def _of_dispute(_kind: str, dispute: StripeObject) -> Payment | None:
    status = str(dispute.get("status"))
    # A warning is only an inquiry by the bank: no money has moved, and perhaps none will.
    if status.startswith("warning_") or not dispute.get("payment_intent"):
        return None
    ends = {"won": Dispute.WON, "prevented": Dispute.WON, "lost": Dispute.LOST}
    return Payment(
        payment_id=_id_of(dispute["payment_intent"]),
        dispute=ends.get(status, Dispute.OPEN),
        disputed_cents=dispute.get("amount", 0),
    )


_CONVERTERS: dict[str, Callable[[str, StripeObject], Payment | None]] = {
    "checkout.session.": _of_session_event,
    "charge.dispute.": _of_dispute,
    "charge.refunded": _of_charge,
    "refund.": _of_refund,
}


def _state(session: StripeObject, intent_status: str | None) -> PurchaseState:
    if session.get("payment_status") in ("paid", "no_payment_required"):
        return PurchaseState.PAID
    if session.get("status") == "expired":
        return PurchaseState.EXPIRED
    if session.get("status") != "complete":
        return PurchaseState.OPEN
    return PurchaseState.FAILED if intent_status in _FAILED_INTENTS else PurchaseState.AWAITED


def _purchase(text: str | None) -> str | None:
    return text if text and is_id(text, Prefix.PURCHASE) else None


def _id_of(thing: str | StripeObject) -> str:
    return thing if isinstance(thing, str) else str(thing["id"])
