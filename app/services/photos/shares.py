"""Share links, with which clients see an order's results: created, listed, changed, revoked, deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session, selectinload

from app.domain.errors import Conflict, NotFound, require_found
from app.domain.ids import Prefix, digest_of_secret, is_id, random_base62
from app.domain.retention import SHARE_LINK_DAYS, find_end
from app.domain.sending import DecryptionError, Vault
from app.domain.shares import MAX_LINKS, MAX_LIVE_LINKS, read_pin, read_title
from app.models import Job, ShareComment, ShareLink, ShareResponse
from app.services.accounts import passwords
from app.services.orders import jobs
from app.services.photos import downloads

PATH = "/shared"
"""The path of all pages for clients, followed by their tokens."""
TOKEN_LENGTH = 22
"""Characters of base 62, together 131 bits: too long to be guessed."""


@dataclass(frozen=True, slots=True)
class SharePlan:
    """What a link offers, and for how many days. `kept_for`: how long the pictures of a live job are kept, unless
    their owner keeps them longer. `pin`: the PIN that clients enter once; "" for no PIN, None to keep the present
    one.
    """

    kept_for: timedelta
    title: str = ""
    days: int = SHARE_LINK_DAYS
    may_download: bool = True
    pin: str | None = None


def create(
    session: Session, vault: Vault, account_id: str, job_id: str, plan: SharePlan, now: datetime
) -> ShareLink:
    """Create a link to the results of the account's job. It ends when the pictures are removed, if not before.

    Raises NotFound, NotReady while there are no results, InvalidRequest, and Conflict where there are too many
    links.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    downloads.require_ready(job)
    _require_room(session, job_id, now)
    token = random_base62(TOKEN_LENGTH)
    link = ShareLink(account_id=account_id, job_id=job_id, created_at=now, may_download=plan.may_download)
    link.token_digest, link.token = digest_of_secret(token), vault.seal(token)
    link.title = read_title(plan.title)
    link.pin_digest = None
    _set_pin(link, plan)
    link.expires_at = _find_end(job, plan, now)
    link.response, link.comments = None, []
    session.add(link)
    session.flush()
    return link


def update(
    session: Session, account_id: str, job_id: str, link_id: str, plan: SharePlan, now: datetime
) -> ShareLink:
    """Change what a link offers, and let it end `plan.days` from now; its address stays.

    Raises NotFound, also for a revoked link, and InvalidRequest.
    """
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    link = _get(session, job, link_id)
    if link.revoked_at is not None:
        raise NotFound
    link.title, link.may_download = read_title(plan.title), plan.may_download
    _set_pin(link, plan)
    link.expires_at = _find_end(job, plan, now)
    return link


def revoke(session: Session, account_id: str, job_id: str, link_id: str, now: datetime) -> None:
    """Let a link stop working, at once and for good; harmless to repeat. Raises NotFound."""
    job = jobs.lock(session, jobs.get(session, account_id, job_id).id)
    link = _get(session, job, link_id)
    link.revoked_at = link.revoked_at or now


def get(session: Session, account_id: str, job_id: str, link_id: str) -> ShareLink:
    """One of the job's links that was not revoked. Raises NotFound."""
    link = _get(session, jobs.get(session, account_id, job_id), link_id)
    if link.revoked_at is not None:
        raise NotFound
    return link


def list_of(session: Session, account_id: str, job_id: str) -> Sequence[ShareLink]:
    """The job's links with the clients' answers, the newest first. Raises NotFound."""
    return of_job(session, jobs.get(session, account_id, job_id).id)


def of_job(session: Session, job_id: str) -> Sequence[ShareLink]:
    """The job's links with the clients' answers, in three queries. The caller knows that the job is the
    account's.
    """
    return _list_links(session, ShareLink.job_id == job_id)


def get_all(session: Session, account_id: str) -> Sequence[ShareLink]:
    """All links of the account that are still kept, with the clients' answers."""
    return _list_links(session, ShareLink.account_id == account_id)


def is_live(link: ShareLink, now: datetime) -> bool:
    """Whether the link is not revoked and has not expired. Its account and pictures are not checked."""
    return link.revoked_at is None and link.expires_at > now


def url_of(vault: Vault, base_url: str, link: ShareLink) -> str | None:
    """The link's address; None if no current secret key decrypts its token."""
    try:
        return f"{base_url.rstrip('/')}{PATH}/{vault.open(link.token)}"
    except DecryptionError:
        return None


def forget(session: Session, job_id: str) -> None:
    """Delete the job's links, and the clients' answers, because its pictures are about to be removed."""
    _forget(session, ShareLink.job_id == job_id)


def forget_all(session: Session, account_id: str) -> None:
    """Delete all links of the account, and the clients' answers."""
    _forget(session, ShareLink.account_id == account_id)


def _set_pin(link: ShareLink, plan: SharePlan) -> None:
    if plan.pin is not None:
        pin = read_pin(plan.pin)
        link.pin_digest = passwords.digest_pin(pin) if pin else None


def _forget(session: Session, which: ColumnElement[bool]) -> None:
    link_ids = select(ShareLink.id).where(which)
    for model in (ShareComment, ShareResponse):
        session.execute(delete(model).where(model.share_link_id.in_(link_ids)))
    session.execute(delete(ShareLink).where(which))


def _list_links(session: Session, which: ColumnElement[bool]) -> Sequence[ShareLink]:
    answers = selectinload(ShareLink.response), selectinload(ShareLink.comments)
    found = select(ShareLink).options(*answers).where(which)
    return session.scalars(found.order_by(ShareLink.created_at.desc(), ShareLink.id)).all()


def _get(session: Session, job: Job, link_id: str) -> ShareLink:
    if job.expired_at is not None or not is_id(link_id, Prefix.SHARE_LINK):
        raise NotFound
    answers = selectinload(ShareLink.response), selectinload(ShareLink.comments)
    mine = select(ShareLink).options(*answers).where(ShareLink.id == link_id, ShareLink.job_id == job.id)
    return require_found(session.scalar(mine))


def _require_room(session: Session, job_id: str, now: datetime) -> None:
    live = func.count().filter(ShareLink.revoked_at.is_(None), ShareLink.expires_at > now)
    counted = select(live, func.count()).where(ShareLink.job_id == job_id)
    open_links, all_links = session.execute(counted).one()
    if open_links >= MAX_LIVE_LINKS or all_links >= MAX_LINKS:
        raise Conflict(
            f"An order may have {MAX_LIVE_LINKS} active links, and {MAX_LINKS} in all. Revoke one that is not "
            "needed, or change one that is there."
        )


def _find_end(job: Job, plan: SharePlan, now: datetime) -> datetime:
    """When the link ends: after its days, or earlier when the pictures are removed."""
    pictures_end = find_end(
        job.settled_at or now, job.kept_until, plan.kept_for.total_seconds(), livemode=job.livemode
    )
    return min(now + timedelta(days=plan.days), pictures_end)
