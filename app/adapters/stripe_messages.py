"""What Stripe's objects say of a payment of ours, in our words: sessions, charges, refunds and disputes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from app.domain.ids import Prefix, is_id
from app.domain.payments import Dispute, Payment, PurchaseState

PURCHASE, ACCOUNT = "purchase_id", "account_id"
"""What we write into the metadata of sessions and payments."""

Thing = Mapping[str, Any]

_GAVE_UP = ("requires_payment_method", "canceled")
_LOST_REFUNDS = ("failed", "canceled")


def of_session(session: Thing) -> Payment:
    """A checkout session, with its payment intent written out or only named."""
    intent, said = session.get("payment_intent"), session.get("metadata") or {}
    payment = intent if isinstance(intent, Mapping) else {"id": intent}
    charge = payment.get("latest_charge")
    return Payment(
        purchase_id=_purchase(session.get("client_reference_id")),
        account_id=said.get(ACCOUNT),
        session_id=session["id"],
        payment_id=payment.get("id"),
        state=_state(session, payment.get("status")),
        amount_cents=session.get("amount_total"),
        currency=session.get("currency"),
        refunded_cents=charge.get("amount_refunded", 0) if isinstance(charge, Mapping) else 0,
    )


def purchase_of(intent: Thing) -> str | None:
    """The purchase that a payment intent is for, if it is one of ours."""
    return _purchase((intent.get("metadata") or {}).get(PURCHASE))


def of_event(kind: str, thing: Thing) -> Payment | None:
    """The thing that an event of this type is about; None for what does not concern us."""
    for prefix, tell in _TOLD.items():
        if kind.startswith(prefix):
            return tell(kind, thing)
    return None


def _of_session_event(kind: str, session: Thing) -> Payment | None:
    told = of_session(session)
    if told.purchase_id is None:
        return None
    failed = kind == "checkout.session.async_payment_failed"
    return replace(told, state=PurchaseState.FAILED) if failed else told


def _of_charge(_kind: str, charge: Thing) -> Payment | None:
    if not charge.get("payment_intent"):
        return None
    return Payment(
        purchase_id=purchase_of(charge),
        payment_id=_name(charge["payment_intent"]),
        refunded_cents=charge.get("amount_refunded", 0),
    )


def _of_refund(_kind: str, refund: Thing) -> Payment | None:
    """Charges tell of refunds that go well; one that does not is for people."""
    if refund.get("status") not in _LOST_REFUNDS or not refund.get("payment_intent"):
        return None
    trouble = f"The refund {refund['id']} of {refund.get('amount', 0)} cents did not reach the buyer."
    return Payment(payment_id=_name(refund["payment_intent"]), trouble=trouble)


def _of_dispute(_kind: str, dispute: Thing) -> Payment | None:
    status = str(dispute.get("status"))
    # A warning is a bank's question: no money has moved, and none may.
    if status.startswith("warning_") or not dispute.get("payment_intent"):
        return None
    ends = {"won": Dispute.WON, "prevented": Dispute.WON, "lost": Dispute.LOST}
    return Payment(
        payment_id=_name(dispute["payment_intent"]),
        dispute=ends.get(status, Dispute.OPEN),
        disputed_cents=dispute.get("amount", 0),
    )


_TOLD: dict[str, Callable[[str, Thing], Payment | None]] = {
    "checkout.session.": _of_session_event,
    "charge.dispute.": _of_dispute,
    "charge.refunded": _of_charge,
    "refund.": _of_refund,
}


def _state(session: Thing, intent_status: str | None) -> PurchaseState:
    if session.get("payment_status") in ("paid", "no_payment_required"):
        return PurchaseState.PAID
    if session.get("status") == "expired":
        return PurchaseState.EXPIRED
    if session.get("status") != "complete":
        return PurchaseState.OPEN
    return PurchaseState.FAILED if intent_status in _GAVE_UP else PurchaseState.AWAITED


def _purchase(said: str | None) -> str | None:
    return said if said and is_id(said, Prefix.PURCHASE) else None


def _name(thing: str | Thing) -> str:
    return thing if isinstance(thing, str) else str(thing["id"])
