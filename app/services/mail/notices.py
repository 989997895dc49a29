"""Mails that can be switched off, written in the transaction of what they tell."""

from collections.abc import Callable, Collection
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.actors import Browser
from app.domain.devices import device
from app.domain.errors import InvalidRequest
from app.domain.lifecycle import Status
from app.domain.notices import MAX_LOW_BALANCE, Notice
from app.domain.sending import Email
from app.models import Account, Job, Purchase
from app.services.mail import outbox


def send_notice(
    session: Session, account_id: str, notice: Notice, write: Callable[[str], Email], now: datetime
) -> None:
    """Post the message, written for the account's address; nothing where its owner does not want it.

    Nothing goes to an account that is deleted or suspended either.
    """
    mine = select(Account.email, Account.mails_off).where(
        Account.id == account_id, Account.deleted_at.is_(None), Account.suspended_at.is_(None)
    )
    # Asked for afresh: a row loaded earlier may be older than the choice.
    reader = session.execute(mine).one_or_none()
    if reader is not None and notice not in reader.mails_off:
        outbox.post(session, account_id, write(reader.email), now)


def job_moved(session: Session, job: Job, now: datetime) -> None:
    """Tell that a job is ready, or came to nothing; what it still holds is about to go back."""
    refund = job.credit_cost - job.credits_refunded
    facts: tuple[Any, ...] = (job.id, job.address)
    if job.status is Status.APPROVED:
        send_notice(session, job.account_id, Notice.ORDER_READY, lambda to: emails.order_ready(to, *facts), now)
    elif job.status is Status.UNDELIVERABLE:
        facts += (job.undeliverable_reason or "", refund)
        told = Notice.ORDER_UNDELIVERABLE
        send_notice(session, job.account_id, told, lambda to: emails.order_undeliverable(to, *facts), now)
    elif job.status is Status.FAILED:
        facts += (job.error or "", refund)
        send_notice(session, job.account_id, Notice.ORDER_FAILED, lambda to: emails.order_failed(to, *facts), now)


def balance_fell(
    session: Session, account_id: str, before: Decimal, after: Decimal, limit: Decimal | None, now: datetime
) -> None:
    """Tell that the balance crossed the owner's limit downwards; nothing where it was below before."""
    if limit is not None and after < limit <= before:
        told = Notice.LOW_BALANCE
        send_notice(session, account_id, told, lambda to: emails.low_balance(to, after, limit), now)


def signed_in(session: Session, account_id: str, browser: Browser, now: datetime) -> None:
    """Tell of a sign-in by a browser that the account does not know."""
    facts = (device(browser.user_agent), browser.address, now)
    send_notice(session, account_id, Notice.NEW_SIGN_IN, lambda to: emails.new_sign_in(to, *facts), now)


def purchase_paid(session: Session, purchase: Purchase, number: int, now: datetime) -> None:
    """Send the receipt of a paid purchase."""
    facts = (purchase.id, number, purchase.credits, purchase.price_cents)
    told = Notice.PURCHASE_PAID
    send_notice(session, purchase.account_id, told, lambda to: emails.receipt(to, *facts), now)


def choose(account: Account, wanted: Collection[Notice], low_balance: Decimal | None) -> None:
    """Let a held account's owner have these notices and no others, that of a low balance below so many credits.

    Raises InvalidRequest when that is no amount.
    """
    if low_balance is not None and not _is_amount(low_balance):
        fault = f"Enter an amount of credits up to {MAX_LOW_BALANCE:,}, such as 5 or 7.5, or nothing for never."
        raise InvalidRequest({"low_balance": fault})
    account.mails_off = [notice for notice in Notice if notice not in wanted]
    account.low_balance = low_balance


def _is_amount(credits: Decimal) -> bool:
    return credits.is_finite() and 0 < credits <= MAX_LOW_BALANCE and credits == round(credits, 2)
