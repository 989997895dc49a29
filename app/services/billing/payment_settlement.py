"""Turns a provider's reports on payments into credits: given once, withdrawn when the money is returned.

Reports arrive in any order and any number of times. So each report is merged into the purchase, and the credits are
calculated from the purchase alone.
"""

import logging
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain import ledger
from app.domain.amounts import credits_, money
from app.domain.ledger import LedgerKind
from app.domain.payments import (
    AWAITING_PAYMENT,
    Dispute,
    Payment,
    PurchaseState,
    choose_later,
    credits_to_deduct,
    merge_disputes,
)
from app.domain.security_events import SecurityEvent
from app.models import LedgerLine, Organization, Purchase
from app.services import security_log
from app.services.accounts import organizations
from app.services.billing import credits, purchases
from app.services.billing.credits import Movement
from app.services.mail import notices

log = logging.getLogger(__name__)

MAX_FLAG_REASON = 500
"""The maximum length of the reason for which an account is flagged, in characters."""
_WITHHELD = (Dispute.OPEN, Dispute.LOST)
"""While a dispute has one of these states, the bank withholds the disputed money from us."""
_PAYMENT_MADE = (PurchaseState.PAID, PurchaseState.AWAITED)
"""States in which the buyer has made a payment, which may not have arrived yet."""


def settle(session: Session, purchase_id: str, payment: Payment, seller: str, now: datetime) -> None:
    """Update the purchase and the balance from the reported payment, in the caller's transaction.

    A report that contradicts the purchase gives no credits: the contradiction is noted for staff, and the account
    is flagged.
    """
    purchase = purchases.lock(session, purchase_id)
    organization = session.get_one(Organization, purchase.account_id, with_for_update=True, populate_existing=True)
    fault = _describe_contradictions(purchase, payment)
    if payment.state in _PAYMENT_MADE and not fault and organization.deleted_at is not None:
        fault = "It was paid after the account was deleted: the money has to be refunded."
    if fault and payment.state not in (None, *_PAYMENT_MADE):
        return  # An earlier payment page of the same purchase has expired or failed.
    for trouble in (fault, payment.trouble):
        if trouble:
            _note_for_staff(purchase, organization, trouble, now)
    if fault:
        return
    _merge(purchase, payment)
    if payment.state is not None:
        _advance(session, purchase, organization, payment.state, seller, now)
    if payment.dispute in _WITHHELD:
        _flag(organization, f"Purchase {purchase.id}: the payment is disputed.", now)
    if purchase.state is PurchaseState.PAID:
        _match_credits_to_money(session, purchase, organization, disputed=payment.dispute is not None, now=now)


def expire(session: Session, purchase_id: str, now: datetime) -> None:
    """Mark an undecided purchase as expired; a decided one stays. A payment may still be reported later."""
    purchase = purchases.lock(session, purchase_id)
    if purchase.state in AWAITING_PAYMENT:
        purchase.state, purchase.ended_at = PurchaseState.EXPIRED, now


def _describe_contradictions(purchase: Purchase, payment: Payment) -> str:
    """The reported facts that contradict the purchase, in words for staff; empty if there are none."""
    facts = {
        "the account": (payment.account_id, purchase.account_id),
        "the payment page": (payment.session_id, purchase.session_id),
        "the payment": (payment.payment_id, purchase.payment_id),
        "the amount": (_money_or_none(payment.amount_cents), money(purchase.price_cents)),
        "the currency": (payment.currency, purchase.currency),
    }
    return " ".join(
        f"The payment provider reported {name} {reported}, not {known}."
        for name, (reported, known) in facts.items()
        if reported is not None and known is not None and reported != known
    )


def _money_or_none(cents: int | None) -> str | None:
    return None if cents is None else money(cents)


def _merge(purchase: Purchase, payment: Payment) -> None:
    purchase.session_id = purchase.session_id or payment.session_id
    purchase.payment_id = purchase.payment_id or payment.payment_id
    purchase.refunded_cents = max(purchase.refunded_cents, payment.refunded_cents)
    purchase.dispute = merge_disputes(purchase.dispute, payment.dispute)
    purchase.disputed_cents = max(purchase.disputed_cents, payment.disputed_cents)


def _advance(
    session: Session,
    purchase: Purchase,
    organization: Organization,
    reported: PurchaseState,
    seller: str,
    now: datetime,
) -> None:
    state = choose_later(purchase.state, reported)
    if state is purchase.state:
        return
    purchase.state = state
    purchase.ended_at = None if state in AWAITING_PAYMENT else now
    if state is not PurchaseState.PAID:
        return
    purchase.paid_at = now
    reason = f"Bought {purchase.credits.normalize():f} {'credit' if purchase.credits == 1 else 'credits'}"
    cause = ledger.purchase_cause(purchase.id)
    movement = Movement(purchase.credits, LedgerKind.PURCHASE, cause, reason, purchase_id=purchase.id)
    credits.credit(session, organization.id, [movement], now)
    buyer_id = security_log.DoneBy(purchase.bought_by)
    about = f"{credits_(purchase.credits)} for {money(purchase.price_cents)}"
    security_log.record_activity_of(
        session, buyer_id, SecurityEvent.CREDITS_BOUGHT, organization.id, about, now, purchase=purchase.id
    )
    buyer = organizations.get_owner(session, organization.id)
    number = purchases.issue_receipt(session, purchase, seller, buyer, now)
    notices.report_purchase_paid(session, purchase, number, now)


def _match_credits_to_money(
    session: Session, purchase: Purchase, organization: Organization, *, disputed: bool, now: datetime
) -> None:
    """Withdraw the credits whose money was refunded or is withheld, as far as the balance allows, and note the rest
    as owed. When we win a dispute, give its credits again.
    """
    withheld_cents = purchase.disputed_cents if purchase.dispute in _WITHHELD else 0
    unpaid = credits_to_deduct(purchase.credits, purchase.refunded_cents + withheld_cents, purchase.price_cents)
    # Credits that staff forgave are never demanded again.
    due = max(unpaid - purchase.credits_forgiven, Decimal(0))
    change = due - purchase.credits_taken
    if change > 0:
        taken = min(change, credits.balance(session, organization.id))
        if taken:
            why = "disputed" if disputed or not purchase.refunded_cents else "refunded"
            movement = _make_reversal(session, purchase, taken, f"Taken back: payment {why}")
            credits.debit(session, organization.id, movement, now)
            purchase.credits_taken += taken
    elif change < 0:
        movement = _make_reversal(session, purchase, -change, "Given back: dispute won")
        credits.credit(session, organization.id, [movement], now)
        purchase.credits_taken = due
    owed = due - purchase.credits_taken
    if owed > purchase.credits_owed:
        _flag(organization, f"Purchase {purchase.id}: the money was refunded, and the credits are spent.", now)
    purchase.credits_owed = owed


def _make_reversal(session: Session, purchase: Purchase, amount: Decimal, reason: str) -> Movement:
    mine = (LedgerLine.account_id == purchase.account_id, LedgerLine.kind == LedgerKind.REVERSAL)
    earlier_count = session.scalar(select(func.count()).where(*mine, LedgerLine.purchase_id == purchase.id)) or 0
    cause = ledger.reversal_cause(purchase.id, earlier_count + 1)
    return Movement(amount, LedgerKind.REVERSAL, cause, reason, purchase_id=purchase.id)


def _note_for_staff(purchase: Purchase, organization: Organization, trouble: str, now: datetime) -> None:
    if trouble in (purchase.problem or ""):
        return
    log.error("purchase %s: %s", purchase.id, trouble)
    purchase.problem = f"{purchase.problem}\n{trouble}" if purchase.problem else trouble
    _flag(organization, f"Purchase {purchase.id}: {trouble}", now)


def _flag(organization: Organization, reason: str, now: datetime) -> None:
    log.warning("account %s is flagged: %s", organization.id, reason)
    organization.flagged_at = organization.flagged_at or now
    if reason not in (organization.flag_reason or ""):
        organization.flag_reason = (
            f"{organization.flag_reason}\n{reason}"[:MAX_FLAG_REASON]
            if organization.flag_reason
            else reason[:MAX_FLAG_REASON]
        )
