"""Drafts, which are orders not yet placed: they are begun, found, changed, discarded, and deleted when old."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, bindparam, delete, func, select
from sqlalchemy.orm import Session

from app.database import Reader
from app.domain import limits
from app.domain.disclosure.listing import find_chosen_law
from app.domain.drafts import Content
from app.domain.errors import Conflict, require_found
from app.domain.ids import Prefix, is_id
from app.domain.ports import Storage
from app.domain.retention import DRAFTS_KEPT
from app.models import Draft, DraftPhoto, Job
from app.services.accounts import organizations
from app.services.orders import presets
from app.services.uploads import uploads
from app.services.uploads.quotas import UploadQuota

BATCH = 100
ARRIVED = (DraftPhoto.uploaded_at.is_not(None), DraftPhoto.removed_at.is_(None))
"""SQL conditions on DraftPhoto: the file was uploaded, and was not removed from the draft."""

# A subquery counts the photos of each draft: with GROUP BY, the photos of every account would be counted first.
_PHOTO_COUNT = (
    select(func.count(func.coalesce(DraftPhoto.group_id, DraftPhoto.id).distinct()))
    .where(DraftPhoto.draft_id == Draft.id, *ARRIVED, ~DraftPhoto.is_reference)
    .scalar_subquery()
)
# Built once: the list of orders runs this query, and building it takes longer than running it.
_LIST_OPEN = (
    select(Draft.id, Draft.content, Draft.updated_at, _PHOTO_COUNT)
    .where(Draft.account_id == bindparam("account_id"), Draft.job_id.is_(None))
    .where((Draft.version > 1) | (_PHOTO_COUNT > 0))
    .order_by(Draft.updated_at.desc(), Draft.id)
)


@dataclass(frozen=True, slots=True)
class OpenDraft:
    """A draft that its owner can continue."""

    draft_id: str
    content: Content
    updated_at: datetime
    photo_count: int

    @property
    def kept_until(self) -> datetime:
        """When the draft will be deleted, unless it is changed before."""
        return self.updated_at + DRAFTS_KEPT


def begin(session: Session, account_id: str, quota: UploadQuota, now: datetime) -> Draft:
    """Begin a draft with the choices of the default preset. If the account has a draft without changes and files,
    that draft is returned.

    Raises Conflict when the account has MAX_OPEN_DRAFTS already, a sandbox TEST_OPEN_DRAFTS, and
    OpenSessionsExceeded.
    """
    files = select(DraftPhoto.id).where(DraftPhoto.draft_id == Draft.id)
    unchanged = _select_open(account_id).where(Draft.version == 1, ~files.exists())
    found = session.scalar(unchanged.order_by(Draft.created_at.desc()).limit(1).with_for_update())
    if found is not None:
        found.content, found.updated_at = _first_content(session, account_id).model_dump(mode="json"), now
        return found
    count = session.scalar(select(func.count()).select_from(_select_open(account_id).subquery())) or 0
    most = limits.MAX_OPEN_DRAFTS if organizations.is_live(session, account_id) else limits.TEST_OPEN_DRAFTS
    if count >= most:
        raise Conflict(f"You have {count} orders that are not placed yet. Discard some of them first.")
    upload_session = uploads.open_session(session, account_id, quota, now)
    draft = Draft(
        account_id=account_id,
        upload_session_id=upload_session.id,
        content=_first_content(session, account_id).model_dump(mode="json"),
        version=1,
        created_at=now,
        updated_at=now,
    )
    session.add(draft)
    session.flush()
    return draft


def _first_content(session: Session, account_id: str) -> Content:
    """The content of a new draft: where the last order is advertised, and the choices of the default preset."""
    content, preset = _advertised_as_before(session, account_id), presets.find_default(session, account_id)
    return content.with_choices(preset.content) if preset else content


def _advertised_as_before(session: Session, account_id: str) -> Content:
    """Content with the listing service of the account's last order. It also has that order's jurisdiction if the
    customer chose one, except the law of a state, because that follows from an address.
    """
    newest = select(Job.listing, Job.address).where(Job.account_id == account_id)
    last = session.execute(newest.order_by(Job.created_at.desc(), Job.id.desc()).limit(1)).first()
    if last is None:
        return Content()
    listing, address = last
    return Content(mls=listing.mls, jurisdiction=find_chosen_law(listing, address, of_states=False))


def get(session: Session, account_id: str, draft_id: str, *, lock: bool = False) -> Draft:
    """The account's draft, placed (then it has a `job_id`) or not. Raises NotFound, also for another account's
    draft.

    `lock`: lock its row, so that no other transaction changes it until this unit of work ends.
    """
    mine = select(Draft).where(Draft.id == draft_id, Draft.account_id == account_id)
    if lock:
        mine = mine.with_for_update().execution_options(populate_existing=True)
    return require_found(session.scalar(mine) if is_id(draft_id, Prefix.DRAFT) else None)


def get_open(session: Session, account_id: str, draft_id: str) -> Draft:
    """The account's draft, with its row locked. Raises NotFound, and Conflict with its jobId when it was placed."""
    draft = get(session, account_id, draft_id, lock=True)
    if draft.job_id is not None:
        raise Conflict("This order was placed already and can no longer change.", jobId=draft.job_id)
    return draft


def content_of(draft: Draft) -> Content:
    """The customer's choices so far."""
    return Content.model_validate(draft.content)


def find_all_open(session: Session, account_id: str) -> Sequence[Draft]:
    """All drafts of the account that are not placed, the last changed first."""
    return session.scalars(_select_open(account_id).order_by(Draft.updated_at.desc(), Draft.id)).all()


def list_open(reader: Reader, account_id: str) -> list[OpenDraft]:
    """The account's open drafts that were changed or have a photo, the last changed first."""
    found = reader.execute(_LIST_OPEN, {"account_id": account_id})
    return [
        OpenDraft(draft_id, Content.model_validate(content), updated_at, photo_count)
        for draft_id, content, updated_at, photo_count in found
    ]


def write(session: Session, draft: Draft, content: Content, now: datetime, version: int | None = None) -> bool:
    """Store the content. `version`: the draft's version that the customer was shown; None replaces any version.

    Returns False, with nothing changed, when other content was stored meanwhile, for instance from another browser
    tab.
    """
    new = content.model_dump(mode="json")
    if draft.content != new:
        if version is not None and version != draft.version:
            return False
        draft.content, draft.version = new, draft.version + 1
    touch(session, draft, now)
    return True


def touch(session: Session, draft: Draft, now: datetime) -> None:
    """Write the changes to a locked draft to the database, with the time of the change."""
    draft.updated_at = now
    session.flush()


def discard(session: Session, storage: Storage, draft: Draft) -> None:
    """Remove the draft with all its files."""
    _remove(session, [draft.id])
    if uploads.forget(session, draft.upload_session_id):
        storage.delete_prefix(uploads.prefix(draft.upload_session_id))


def forget(session: Session, now: datetime) -> int:
    """Delete at most BATCH drafts that were last changed DRAFTS_KEPT ago or earlier; returns how many. The files of
    unplaced drafts are removed by the sweep, with their unused upload sessions.
    """
    old = select(Draft.id).where(Draft.updated_at <= now - DRAFTS_KEPT).order_by(Draft.updated_at).limit(BATCH)
    ids = list(session.scalars(old))
    _remove(session, ids)
    return len(ids)


def _remove(session: Session, draft_ids: list[str]) -> None:
    options = {"synchronize_session": False}
    session.execute(delete(DraftPhoto).where(DraftPhoto.draft_id.in_(draft_ids)).execution_options(**options))
    session.execute(delete(Draft).where(Draft.id.in_(draft_ids)).execution_options(**options))


def _select_open(account_id: str) -> Select[Draft]:
    return select(Draft).where(Draft.account_id == account_id, Draft.job_id.is_(None))
