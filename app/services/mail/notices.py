"""Notices: mails that a user can switch off, each queued in the transaction of the change that it reports."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session, joinedload

from app.domain import emails, ledger
from app.domain.actors import Browser
from app.domain.amounts import credits_
from app.domain.declines import find_free_parts, find_payable, sum_property_paid
from app.domain.devices import device
from app.domain.emails import AskedPhoto, DecidedCounts
from app.domain.errors import InvalidRequest
from app.domain.lifecycle import Status, UndeliverableCode
from app.domain.notices import CONCERNS, MAX_LOW_BALANCE, Notice
from app.domain.preview_keys import preview_key
from app.domain.revisions import RevisionOutcome
from app.domain.roles import Role, is_granted
from app.domain.sending import Email
from app.domain.shares import ClientAnswer, ShareVerdict
from app.models import (
    Job,
    LedgerLine,
    Membership,
    Organization,
    Photo,
    Purchase,
    Result,
    Revision,
    StoredPicture,
    User,
)
from app.services.mail import outbox
from engine.types.enhancements import PhotoType
from engine.types.pictures import PreviewSize
from engine.types.report import Reason, Verdict

MAX_THUMBNAILS = 6
"""The maximum number of results that a mail shows."""

_ANSWERS: Mapping[RevisionOutcome, str] = {
    RevisionOutcome.REVISED: "It was redone: a new picture replaces it.",
    RevisionOutcome.KEPT: "A reviewer looked at it, and it stays as it is.",
    RevisionOutcome.REFUNDED: "It could not be corrected.",
    RevisionOutcome.DECLINED: "It could not be redone: it was too late, or its files were removed.",
}
_ANSWERS_WITHOUT_RESULT: Mapping[RevisionOutcome, str] = {
    **_ANSWERS,
    RevisionOutcome.REVISED: "There is a picture of it now. You pay nothing for it.",
    RevisionOutcome.KEPT: "A reviewer looked at it, and it cannot be done.",
}
"""The outcomes as in _ANSWERS, for photos that had no usable result."""


def send_notice(
    session: Session, account_id: str, notice: Notice, write: Callable[[str], Email], now: datetime
) -> None:
    """Queue a mail to every member of the organization whom the notice concerns by their role, and who has not
    switched it off; `write` makes the mail for an address. Members of a deleted or suspended organization get none.
    """
    roles = [role for role in Role if is_granted(role, CONCERNS[notice])]
    concerned = and_(Membership.organization_id == account_id, Membership.role.in_(roles))
    _send_to_members(session, concerned, notice, write, now)


def _send_about_order(
    session: Session, job: Job, notice: Notice, write: Callable[[str], Email], now: datetime
) -> None:
    """Like send_notice(), but to the member who placed the order and to the owners; if that member left, or the
    order came by the API, to everybody whom send_notice() finds.
    """
    orderer = session.get(Membership, (job.ordered_by, job.account_id)) if job.ordered_by else None
    if orderer is None:
        send_notice(session, job.account_id, notice, write, now)
        return
    concerned = or_(Membership.role == Role.OWNER, Membership.user_id == job.ordered_by)
    _send_to_members(session, and_(Membership.organization_id == job.account_id, concerned), notice, write, now)


def _send_to_members(
    session: Session, whom: ColumnElement[bool], notice: Notice, write: Callable[[str], Email], now: datetime
) -> None:
    """Like send_notice(), but to the users of the memberships that meet the condition `whom`."""
    members = select(User.id, User.email, User.mails_off).join(Membership, Membership.user_id == User.id)
    members = members.join(Organization, Organization.id == Membership.organization_id).where(whom)
    active = (User.deleted_at.is_(None), Organization.deleted_at.is_(None), Organization.suspended_at.is_(None))
    # Columns are selected, not entities: a User loaded earlier may not show the user's latest choice.
    found = session.execute(members.where(*active).order_by(Membership.created_at, User.id)).all()
    for user_id, email in dict.fromkeys((row.id, row.email) for row in found if notice not in row.mails_off):
        outbox.post(session, user_id, write(email), now)


def report_job_moved(session: Session, job: Job, now: datetime) -> None:
    """Mail that a job is ready, undeliverable or failed, and which credits were refunded. The caller has paid the
    refunds already.
    """
    facts: tuple[Any, ...] = (job.id, job.address)
    if job.status is Status.APPROVED:
        finished = _count_results(session, job, Result.verdict == Verdict.APPROVED)
        cancelled = _count_results(session, job, Result.reason == Reason.CANCELLED)
        counts = DecidedCounts(finished, job.exterior_count, job.interior_count, job.credits_refunded, cancelled)
        facts += (counts, _list_asked(session, job))
        shown = _list_thumbnails(session, job)

        def write(to: str) -> Email:
            return replace(emails.order_ready(to, *facts), picture_keys=shown)

        _send_about_order(session, job, Notice.ORDER_READY, write, now)
    elif job.undeliverable_code is UndeliverableCode.CANCELLED:
        facts += (job.credits_refunded,)
        notice = Notice.ORDER_UNDELIVERABLE
        _send_about_order(session, job, notice, lambda to: emails.order_cancelled(to, *facts), now)
    elif job.status is Status.UNDELIVERABLE:
        facts += (job.undeliverable_reason or "", job.credits_refunded, _list_asked(session, job))
        notice = Notice.ORDER_UNDELIVERABLE
        _send_about_order(session, job, notice, lambda to: emails.order_undeliverable(to, *facts), now)
    elif job.status is Status.FAILED:
        facts += (job.error or "", job.credits_refunded)
        _send_about_order(session, job, Notice.ORDER_FAILED, lambda to: emails.order_failed(to, *facts), now)


def report_job_cancelled_partly(session: Session, job: Job, cancelled: int, going_on: int, now: datetime) -> None:
    """Mail that photos of a job were cancelled while work on the others continues, and which credits were refunded.
    The caller has paid the refunds already.
    """
    facts = (job.id, job.address, cancelled, going_on, job.credits_refunded)
    notice = Notice.ORDER_UNDELIVERABLE
    _send_about_order(session, job, notice, lambda to: emails.order_cancelled_partly(to, *facts), now)


def _list_thumbnails(session: Session, job: Job) -> tuple[str, ...]:
    """The storage keys of small pictures of the first results, including pictures that are not made yet."""
    keys = select(StoredPicture.storage_key).join(Result, Result.picture_id == StoredPicture.id)
    keys = keys.join(Photo, Photo.id == Result.photo_id)
    keys = keys.where(Result.job_id == job.id, Result.verdict == Verdict.APPROVED)
    found = session.scalars(keys.order_by(Photo.type, Photo.index).limit(MAX_THUMBNAILS))
    return tuple(preview_key(key, PreviewSize.THUMB) for key in found if key)


def _list_asked(session: Session, job: Job) -> list[AskedPhoto]:
    """The photos of a job that was just decided that can still be done once the customer shows what we missed."""
    query = select(Photo).where(Photo.job_id == job.id, Photo.from_imagery.is_(False))
    photos = session.scalars(query.options(joinedload(Photo.result)).order_by(Photo.type, Photo.index)).all()
    lines = select(LedgerLine.cause, LedgerLine.amount).where(
        LedgerLine.job_id == job.id, LedgerLine.kind == ledger.LedgerKind.REFUND
    )
    refunded = {line.cause: line.amount for line in session.execute(lines)}
    alone = {each.id: each.image_credits for each in photos if each.type is PhotoType.EXTERIOR}
    paid = sum_property_paid(job.id, job.property_credits, alone, refunded)
    paid = Decimal(0) if job.status is Status.UNDELIVERABLE else paid
    decided = [each.decided for each in photos if each.decided]
    payable, free = find_payable(decided, paid), find_free_parts(decided, paid)
    return [
        *(AskedPhoto(each.id, each.file_name, payable[each.id].part) for each in photos if each.id in payable),
        *(AskedPhoto(each.id, each.file_name, free[each.id], True) for each in photos if each.id in free),
    ]


def _count_results(session: Session, job: Job, condition: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(Result).where(Result.job_id == job.id, condition)
    return session.scalar(counted) or 0


def report_photo_revised(session: Session, job: Job, file_name: str, revision: Revision, now: datetime) -> None:
    """Mail the outcome of a round: what happened to a result that was sent back."""
    outcome, had_result = revision.outcome, not revision.lacked_result
    words = [(_ANSWERS if had_result else _ANSWERS_WITHOUT_RESULT)[outcome]] if outcome else []
    if revision.credits_refunded:
        words.append(f"Refunded to your balance: {credits_(revision.credits_refunded)}.")
    if revision.answer:
        words.append(f"Our reviewer writes: {emails.quote(revision.answer)}")
    facts, revised = (job.id, job.address, file_name, " ".join(words)), outcome is RevisionOutcome.REVISED

    def write(to: str) -> Email:
        return emails.photo_revised(to, *facts, had_result=had_result, revised=revised)

    _send_about_order(session, job, Notice.PHOTO_REVISED, write, now)


def report_client_answered(session: Session, job: Job, said: ClientAnswer, now: datetime) -> None:
    """Mail a client's verdict on the results of a job that were shared with them."""
    facts = (job.id, job.address, said.verdict is ShareVerdict.APPROVED, said.name or said.email, said.message)
    notice = Notice.CLIENT_ANSWERED
    _send_about_order(session, job, notice, lambda to: emails.client_answered(to, *facts), now)


def report_client_commented(session: Session, job: Job, now: datetime) -> None:
    """Mail that a client wrote a first comment on the pictures that were shared with them."""
    facts, notice = (job.id, job.address), Notice.CLIENT_ANSWERED
    _send_about_order(session, job, notice, lambda to: emails.client_commented(to, *facts), now)


def report_low_balance(session: Session, account_id: str, balance: Decimal, limit: Decimal, now: datetime) -> None:
    """Mail that the balance fell below the limit that members set."""
    send_notice(session, account_id, Notice.LOW_BALANCE, lambda to: emails.low_balance(to, balance, limit), now)


def report_signed_in(session: Session, user_id: str, browser: Browser, now: datetime) -> None:
    """Mail the user that they signed in with a browser that they had never used before."""
    facts = (device(browser.user_agent), browser.address, now)
    whom, notice = Membership.user_id == user_id, Notice.NEW_SIGN_IN
    _send_to_members(session, whom, notice, lambda to: emails.new_sign_in(to, *facts), now)


def report_purchase_paid(session: Session, purchase: Purchase, number: int, now: datetime) -> None:
    """Mail that a purchase is paid, with the number of its receipt."""
    facts = (purchase.id, number, purchase.credits, purchase.price_cents)
    notice = Notice.PURCHASE_PAID
    send_notice(session, purchase.account_id, notice, lambda to: emails.receipt(to, *facts), now)


def choose(user: User, organization: Organization, wanted: Collection[Notice], low_balance: Decimal | None) -> None:
    """Save which notices a user wants, and the balance in credits below which members of the organization get the
    notice of a low balance; None means never. The caller has locked both rows.

    Raises InvalidRequest when `low_balance` is not a possible amount.
    """
    if low_balance is not None and not _is_amount(low_balance):
        fault = f"Enter an amount of credits up to {MAX_LOW_BALANCE:,}, such as 5 or 7.5. Leave it empty for never."
        raise InvalidRequest({"low_balance": fault})
    user.mails_off = [notice for notice in Notice if notice not in wanted]
    organization.low_balance = low_balance


def _is_amount(credits: Decimal) -> bool:
    return credits.is_finite() and 0 < credits <= MAX_LOW_BALANCE and credits == round(credits, 2)
