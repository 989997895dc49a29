"""Previews: small pictures of stored files are requested, claimed by workers, made, retried, given up, deleted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import case, delete, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import PREVIEWS
from app.domain.content_credentials import CredentialKind
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.domain.preview_keys import preview_key
from app.domain.sizes import COPIES, DownloadSize, labeled
from app.models import Job, Organization, Preview, PublicPicture, UploadSession
from app.services.leases import Lease, WorkQueue
from app.services.previews import outlooks, photo_facts
from app.services.previews.photo_facts import UNREAD, ReadFile
from engine.types.pictures import Previews, PreviewSize, WantedPreviews

QUEUE = WorkQueue(Preview.source_key, Preview.attempts, PREVIEWS)
MAX_MISSING_TIME = timedelta(hours=1)
"""A file that is not in the store is expected there for this time after the request; then its previews are given
up.
"""
MAX_ERROR = 300
"""The maximum length of a stored error, in characters."""
GIVEN_UP = f"No preview of this photo could be made in {PREVIEWS.max_attempts} tries."


@dataclass(frozen=True, slots=True)
class PreviewClaim(Lease):
    """One worker's claim on one file's previews."""

    label: str | None
    wants_public: bool
    wants_copies: bool
    missing_until: datetime
    upload_session_id: str | None = None
    """The upload session of the file, or None if an order was placed with it. With an upload session, the file's
    facts are read and stored too.
    """
    of_draft: bool = False
    """Whether the upload session is a draft's. Then the type of the photo is guessed; API requests, which have no
    drafts, state the type themselves.
    """

    @property
    def wanted(self) -> WantedPreviews:
        """What the maker of previews must make."""
        return WantedPreviews(
            self.label, facts=self.upload_session_id is not None, guess=self.of_draft, public=self.wants_public
        )

    @property
    def is_last_try(self) -> bool:
        """Whether this is the last attempt."""
        return self.attempt == PREVIEWS.max_attempts


def request(session: Session, source_key: str, folder: str, now: datetime, label: str | None = None) -> None:
    """Request the file's small pictures and, with a `label`, a copy at full size with that text in the picture.

    A worker is notified after the caller's transaction commits. Harmless to repeat: previews that are requested or
    made already do not change. `folder`: the prefix of the file's storage key, by which forget() deletes its
    previews.
    """
    values = {"folder": folder, "livemode": _find_mode(folder), "label": label}
    values |= {"next_attempt_at": now, "created_at": now}
    try:
        with session.begin_nested():
            session.execute(insert(Preview).values(source_key=source_key, **values))
    except IntegrityError:
        return
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def _find_mode(folder: str) -> Any:
    """The `livemode` of a file in the folder, as SQL: the `livemode` of its job, or of the account of its upload
    session.
    """
    owner = folder.rstrip("/").rpartition("/")[2]
    if is_id(owner, Prefix.JOB):
        return func.coalesce(select(Job.livemode).where(Job.id == owner).scalar_subquery(), true())
    of_sandbox = select(UploadSession.id).join(Organization, Organization.id == UploadSession.account_id)
    return ~of_sandbox.where(UploadSession.id == owner, Organization.sandbox_of.is_not(None)).exists()


def request_public(session: Session, source_key: str, folder: str, now: datetime) -> None:
    """Request the small pictures like request(), and also a public copy: at full size, without metadata."""
    request(session, source_key, folder, now)
    _restart(session, [source_key], wants_public=True)
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def request_copies(session: Session, source_keys: Iterable[str]) -> None:
    """Request smaller copies to download of these files, whose previews were requested already. Harmless to
    repeat.
    """
    lacking = select(Preview.source_key).where(
        Preview.source_key.in_(set(source_keys)), Preview.wants_copies.is_(False)
    )
    keys = list(session.scalars(lacking))
    if keys:
        _restart(session, keys, wants_copies=True)
        notify_after_commit(session, QueueName.PREVIEWS, keys)


def get_all(session: Session, source_keys: Iterable[str]) -> dict[str, Preview]:
    """The previews of these files by storage key, in one query; files whose previews were never requested are left
    out. `width` is set when the previews are made, `error` when they cannot be made.
    """
    found = select(Preview).where(Preview.source_key.in_(set(source_keys)))
    return {preview.source_key: preview for preview in session.scalars(found)}


def key_of(source_key: str, size: str) -> str:
    """The storage key of the file's picture of this size, whether it is made or not."""
    return preview_key(source_key, size)


def has_copies(preview: Preview | None, size: DownloadSize) -> bool:
    """Whether the file can be downloaded in this size; at full size it always can."""
    if size is DownloadSize.FULL:
        return True
    return preview is not None and size in (preview.copies or {})


def are_copies_given_up(preview: Preview | None) -> bool:
    """Whether smaller copies of the file were requested, and could not be made."""
    return preview is not None and preview.wants_copies and preview.state is WorkState.DONE and not preview.copies


def list_keys(source_key: str) -> list[str]:
    """The storage keys of the file's pictures of all sizes, whether they are made or not."""
    return [key_of(source_key, size) for size in (*PreviewSize, *COPIES, *map(labeled, COPIES))]


def claim(session: Session, source_key: str, now: datetime) -> PreviewClaim | None:
    """Claim the previews if they are due and no other worker has claimed them; this counts as an attempt.

    None when there is nothing to do. This includes previews whose attempts are used up because workers died: they
    are given up now.
    """
    lease = QUEUE.claim(session, source_key, now)
    if lease is None:
        return None
    preview = session.get_one(Preview, source_key, populate_existing=True)
    missing_until = preview.created_at + MAX_MISSING_TIME
    session_id = photo_facts.find_open_session(session, preview.folder)
    wanted = preview.label, preview.wants_public, preview.wants_copies
    of_draft = photo_facts.is_of_draft(session, session_id)
    held = PreviewClaim(lease.claim_id, source_key, lease.attempt, *wanted, missing_until, session_id, of_draft)
    if held.attempt > PREVIEWS.max_attempts:
        give_up(session, held, GIVEN_UP)
        return None
    return held


def finish(
    session: Session,
    held: PreviewClaim,
    made: Previews,
    credentials: CredentialKind | None = None,
    *,
    read: ReadFile | None = None,
    copies: dict[str, int] | None = None,
) -> bool:
    """Record that the pictures `made` are in the store, and the facts `read` from the file. `credentials`: the kind
    of content credentials in the labeled copy. `copies`: the bytes of each copy to download. From now on public
    pages show the public copy. Returns False when the claim was lost.
    """
    found = {"width": made.width, "height": made.height, "holds": list(made.holds)}
    if not QUEUE.finish(session, held, **found, credentials=credentials, copies=copies, error=None):
        return False
    if (public := made.pictures.get(PreviewSize.PUBLIC)) is not None:
        shown = update(PublicPicture).where(PublicPicture.original_key == held.key)
        shown = shown.values(copy_sha256=sha256(public).hexdigest())
        session.execute(shown.execution_options(synchronize_session=False))
    if held.upload_session_id is not None and read is not None:
        # The row of the previews is changed before the facts, in the same order as in forget(), to avoid deadlocks.
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def give_up(session: Session, held: PreviewClaim, error: str, *, read: ReadFile = UNREAD) -> bool:
    """Record that the previews cannot be made, with an `error` for the customer. Those that were made before stay
    as they are. Returns False like finish().
    """
    message = case((Preview.width.is_(None), error[:MAX_ERROR]), else_=None)
    if not QUEUE.finish(session, held, error=message):
        return False
    if held.upload_session_id is not None:
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def retry(session: Session, held: PreviewClaim, now: datetime) -> bool:
    """Record a failed attempt: queue another after a longer delay, or give up after the last. Returns False like
    finish().
    """
    if held.attempt >= PREVIEWS.max_attempts:
        return give_up(session, held, GIVEN_UP)
    return QUEUE.retry(session, held, now)


def is_wanted(session: Session, source_key: str) -> bool:
    """Whether this file's previews are requested or made, and not deleted."""
    return session.get(Preview, source_key) is not None


def forget(session: Session, folder: str) -> None:
    """Delete the rows of the previews, facts and outlooks of all files in the folder; the caller removes the
    folder's files, which include the small pictures.
    """
    deletion = delete(Preview).where(Preview.folder == folder)
    session.execute(deletion.execution_options(synchronize_session=False))
    photo_facts.forget(session, folder)
    outlooks.forget(session, folder)


def forget_file(session: Session, source_key: str) -> None:
    """Delete the rows of the previews, facts and outlooks of one file; the caller removes its small pictures, see
    list_keys().
    """
    deletion = delete(Preview).where(Preview.source_key == source_key)
    session.execute(deletion.execution_options(synchronize_session=False))
    photo_facts.forget_files(session, [source_key])
    outlooks.forget_files(session, [source_key])


def make_again(session: Session, source_keys: Iterable[str]) -> None:
    """Queue previews to be made again, because another file was stored under the key; the facts and
    outlooks of the earlier file are deleted. The sweep notifies a worker.
    """
    keys = set(source_keys)
    _restart(session, keys, width=None, height=None, error=None)
    photo_facts.forget_files(session, keys)
    outlooks.forget_files(session, keys)


def request_facts(session: Session, source_keys: Iterable[str], folder: str, now: datetime) -> None:
    """Request the facts of files of an upload session that have none yet. Facts are read when previews are made, so
    previews that were made without facts are made again.
    """
    keys = list(source_keys)
    existing = get_all(session, keys)
    for key in keys:
        request(session, key, folder, now)
    done = [key for key, preview in existing.items() if preview.state is WorkState.DONE]
    if done:
        make_again(session, done)
        notify_after_commit(session, QueueName.PREVIEWS, done)


def _restart(session: Session, source_keys: Iterable[str], **values: object) -> None:
    """Queue these previews to be made again, even if a worker has claimed them, and set the columns `values`. The
    present pictures stay until then.
    """
    restart = {"state": WorkState.WAITING, "attempts": 0, "next_attempt_at": Preview.created_at, "claim_id": None}
    restarted = update(Preview).where(Preview.source_key.in_(set(source_keys)))
    restarted = restarted.values(**restart, lease_until=None, **values)
    session.execute(restarted.execution_options(synchronize_session=False))
