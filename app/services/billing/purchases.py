"""Purchases of credits: begun once per form, linked to a payment page, found, polled, and given a receipt."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session

from app.domain import credit_packs, limits
from app.domain.errors import Conflict, InvalidRequest, require_found
from app.domain.ids import Prefix, is_id
from app.domain.payments import AWAITING_PAYMENT, POLL_PROVIDER_AFTER, Checkout, Payment, Provider, PurchaseState
from app.models import Draft, Membership, PaymentEvent, Purchase, Receipt
from app.services import security_log
from app.services.accounts import organizations
from app.services.billing import credits

_AMOUNT_FAULT = (
    f"Enter an amount from {credit_packs.MIN_CREDITS} to {credit_packs.MAX_CREDITS:,} credits, "
    "in halves: 7.5 for example."
)


@dataclass(frozen=True, slots=True)
class PurchaseRequest:
    """A customer's request to buy credits. `form_token` identifies the form that they sent, `draft_id` the draft
    that they were filling in before.
    """

    credits: Decimal
    form_token: str
    draft_id: str | None = None


@dataclass(frozen=True, slots=True)
class PurchaseView:
    """A purchase as its owner sees it, with the number of its receipt, the open draft from which the buyer came,
    and the balance.
    """

    purchase: Purchase
    receipt: int | None
    draft_id: str | None
    balance: Decimal


def begin(
    session: Session, account_id: str, wanted: PurchaseRequest, provider: Provider, now: datetime
) -> Purchase:
    """Begin a purchase; if the same form was sent before, return the purchase begun then.

    Raises InvalidRequest for an amount that is not on sale, and Conflict for a sandbox and when too many purchases
    are not paid yet.
    """
    if not credit_packs.is_on_sale(wanted.credits):
        raise InvalidRequest({"credits": _AMOUNT_FAULT})
    organization = organizations.get(session, account_id, lock=True)
    if organization.sandbox_of is not None:
        raise Conflict("Test credits cost nothing and cannot be bought. Leave test mode to buy credits.")
    # The digest includes the amount, because the same form with another amount is another purchase.
    token = sha256(f"{wanted.form_token} {wanted.credits.normalize():f}".encode()).hexdigest()
    same = select(Purchase).where(Purchase.account_id == organization.id, Purchase.form_token == token)
    found = session.scalar(same)
    if found is not None:
        return found
    _require_few_open_purchases(session, organization.id)
    offer = credit_packs.offer(wanted.credits)
    purchase = Purchase(
        account_id=organization.id,
        form_token=token,
        bought_by=security_log.sender_id(),
        credits=offer.credits,
        price_cents=offer.price_cents,
        currency=credit_packs.CURRENCY,
        provider=provider,
        draft_id=wanted.draft_id if _is_open_draft(session, organization.id, wanted.draft_id) else None,
        created_at=now,
        checked_at=now,
    )
    session.add(purchase)
    session.flush()
    return purchase


def attach(session: Session, purchase_id: str, checkout: Checkout) -> Purchase:
    """Save the purchase's payment page, unless it has another one already."""
    purchase = lock(session, purchase_id)
    if purchase.session_id in (None, checkout.session_id):
        purchase.session_id, purchase.checkout_url = checkout.session_id, checkout.url
    return purchase


def get(session: Session, account_id: str, purchase_id: str) -> Purchase:
    """The account's purchase. Raises NotFound, also for another account's purchase."""
    mine = select(Purchase).where(Purchase.id == purchase_id, Purchase.account_id == account_id)
    return require_found(session.scalar(mine) if is_id(purchase_id, Prefix.PURCHASE) else None)


def read_view(session: Session, account_id: str, purchase_id: str) -> PurchaseView:
    """What the purchase's page shows. Raises NotFound like get()."""
    purchase = get(session, account_id, purchase_id)
    number = session.scalar(select(Receipt.number).where(Receipt.purchase_id == purchase.id))
    is_open = _is_open_draft(session, account_id, purchase.draft_id)
    balance = credits.balance(session, account_id)
    return PurchaseView(purchase, number, purchase.draft_id if is_open else None, balance)


def lock(session: Session, purchase_id: str) -> Purchase:
    """The purchase, with its row locked until this unit of work ends. Raises LookupError when there is none."""
    return session.get_one(Purchase, purchase_id, with_for_update=True, populate_existing=True)


def find_reported(session: Session, provider: Provider, payment: Payment) -> str | None:
    """The id of the purchase that a provider's report is about, found by our purchase id if the report has it, else
    by the provider's payment id; None when there is none.
    """
    ids = select(Purchase.id).where(Purchase.provider == provider)
    if payment.purchase_id is not None:
        return session.scalar(ids.where(Purchase.id == payment.purchase_id))
    if payment.payment_id is None:
        return None
    return session.scalar(ids.where(Purchase.payment_id == payment.payment_id).limit(1))


def record_event(session: Session, event_id: str, kind: str, purchase_id: str | None, now: datetime) -> bool:
    """Record a provider's event; returns False when it was recorded before. The caller has locked its purchase."""
    if session.get(PaymentEvent, event_id) is not None:
        return False
    note = "" if purchase_id else "No purchase of ours."
    session.add(PaymentEvent(id=event_id, kind=kind[:100], purchase_id=purchase_id, note=note, received_at=now))
    session.flush()
    return True


def list_undecided(session: Session, provider: Provider, now: datetime, limit: int) -> list[str]:
    """The ids of undecided purchases about which the provider was not asked for POLL_PROVIDER_AFTER. The purchase
    that was asked about longest ago comes first.
    """
    found: list[tuple[datetime, str]] = []
    for state, wait in POLL_PROVIDER_AFTER.items():
        late = (Purchase.state == state, Purchase.checked_at <= now - wait)
        of_state = select(Purchase.checked_at, Purchase.id).where(*late, *_can_be_asked(provider))
        found += [(row[0], row[1]) for row in session.execute(of_state.order_by(Purchase.checked_at).limit(limit))]
    return [purchase_id for _, purchase_id in sorted(found)[:limit]]


def claim_poll(
    session: Session, purchase_id: str, provider: Provider, gap: timedelta, now: datetime
) -> Purchase | None:
    """Claim the purchase, so that only this process asks the provider about it now; returns the purchase.

    None when the provider was asked less than `gap` ago, or when it must not be asked: the purchase is decided, has
    a problem for staff, or is another provider's.
    """
    # A new purchase has both times equal.
    never_asked = Purchase.checked_at == Purchase.created_at
    changed = (
        update(Purchase)
        .where(Purchase.id == purchase_id, Purchase.state.in_(AWAITING_PAYMENT), *_can_be_asked(provider))
        .where(or_(Purchase.checked_at <= now - gap, never_asked))
        .values(checked_at=now)
        .returning(Purchase.id)
        .execution_options(synchronize_session=False)
    )
    if session.execute(changed).first() is None:
        return None
    return session.get_one(Purchase, purchase_id, populate_existing=True)


def count_awaited(session: Session, account_id: str) -> int:
    """How many of the account's purchases are in the state AWAITED: the buyer's bank has not decided yet."""
    waiting = (Purchase.account_id == account_id, Purchase.state == PurchaseState.AWAITED)
    return session.scalar(select(func.count()).where(*waiting)) or 0


def issue_receipt(session: Session, purchase: Purchase, seller: str, buyer: Membership, now: datetime) -> int:
    """Write the receipt of a purchase that was just paid, with the present name and billing details of the buyer.
    Returns the receipt's number, which is one more than the previous receipt's.
    """
    # The lock on the first receipt lets only one transaction at a time take the next number. A database sequence
    # would leave gaps after rollbacks.
    session.scalar(select(Receipt.number).order_by(Receipt.number).limit(1).with_for_update())
    number = 1 + (session.scalar(select(func.max(Receipt.number))) or 0)
    user, organization = buyer.user, buyer.organization
    session.add(
        Receipt(
            number=number,
            purchase_id=purchase.id,
            issued_at=now,
            seller=seller,
            buyer_name=user.name,
            buyer_email=user.email,
            buyer_company=organization.billing_company,
            buyer_address=organization.billing_address,
            buyer_tax_id=organization.tax_id,
        )
    )
    session.flush()
    return number


def _can_be_asked(provider: Provider) -> tuple[ColumnElement[bool], ...]:
    return (Purchase.provider == provider, Purchase.problem.is_(None))


def _require_few_open_purchases(session: Session, account_id: str) -> None:
    mine = (Purchase.account_id == account_id, Purchase.state == PurchaseState.OPEN)
    if (session.scalar(select(func.count()).where(*mine)) or 0) >= limits.MAX_OPEN_PURCHASES:
        raise Conflict(
            f"{limits.MAX_OPEN_PURCHASES} purchases are not paid yet. Pay one of them, or try again tomorrow."
        )


def _is_open_draft(session: Session, account_id: str, draft_id: str | None) -> bool:
    mine = select(Draft.id).where(Draft.id == draft_id, Draft.account_id == account_id, Draft.job_id.is_(None))
    return draft_id is not None and is_id(draft_id, Prefix.DRAFT) and session.scalar(mine) is not None
