"""Previews: small pictures of stored files, requested, claimed under a lease, made, retried, given up, deleted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import PREVIEWS
from app.domain.content_credentials import CredentialKind
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.models import Preview, PublicPicture
from app.services.leases import Lease, WorkQueue
from app.services.previews import photo_facts
from app.services.previews.photo_facts import UNREAD, ReadFile
from engine.types.pictures import Previews, PreviewSize, WantedPreviews

QUEUE = WorkQueue(Preview.source_key, Preview.attempts, PREVIEWS)
MAX_MISSING_TIME = timedelta(hours=1)
"""How long after the request a file that is not in the store may still appear there."""
MAX_ERROR = 300
GIVEN_UP = f"No preview of this photo could be made in {PREVIEWS.max_attempts} tries."


@dataclass(frozen=True, slots=True)
class PreviewClaim(Lease):
    """One worker's hold on one file's previews."""

    label: str | None
    wants_public: bool
    missing_until: datetime
    upload_session_id: str | None = None
    """The upload session that the file belongs to, until it is ordered: until then the file's facts are
    stored too.
    """
    of_draft: bool = False
    """Whether the upload session is a draft's: programs, which have no drafts, say themselves what their photos
    show.
    """

    @property
    def wanted(self) -> WantedPreviews:
        """What the maker of previews is asked for."""
        return WantedPreviews(
            self.label, facts=self.upload_session_id is not None, guess=self.of_draft, public=self.wants_public
        )

    @property
    def is_last_try(self) -> bool:
        """Whether no attempt follows when this one fails."""
        return self.attempt == PREVIEWS.max_attempts


def request(session: Session, source_key: str, folder: str, now: datetime, label: str | None = None) -> None:
    """Request the file's small pictures and, with a `label`, a copy at full size that bears it.

    In the caller's transaction; a worker is notified after the commit. Harmless to repeat: previews that are
    requested or made stay as they are. `folder`: the prefix of the file's key, by which forget() deletes its
    previews.
    """
    values = {"folder": folder, "label": label, "next_attempt_at": now, "created_at": now}
    try:
        with session.begin_nested():
            session.execute(insert(Preview).values(source_key=source_key, **values))
    except IntegrityError:
        return
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def request_public(session: Session, source_key: str, folder: str, now: datetime) -> None:
    """Request a copy at full size without metadata, with the small pictures, like request()."""
    request(session, source_key, folder, now)
    _start_anew(session, [source_key], wants_public=True)
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def get_all(session: Session, source_keys: Iterable[str]) -> dict[str, Preview]:
    """The previews of these files by key, in one query. `width` is set once they are made, `error` when they cannot
    be; files whose previews were never requested are missing.
    """
    found = select(Preview).where(Preview.source_key.in_(set(source_keys)))
    return {preview.source_key: preview for preview in session.scalars(found)}


def key_of(source_key: str, size: PreviewSize) -> str:
    """The storage key of the file's picture of this size, whether it is made or not."""
    folder, _, name = source_key.rpartition("/")
    return f"{folder}/previews/{name}.{size}.jpg"


def list_keys(source_key: str) -> list[str]:
    """The storage keys of the file's pictures of all sizes, whether they are made or not."""
    return [key_of(source_key, size) for size in PreviewSize]


def claim(session: Session, source_key: str, now: datetime) -> PreviewClaim | None:
    """Claim the previews if they are due and no other worker has claimed them; the attempt counts, however it ends.

    None when there is nothing to do, also when the previews were given up because their workers died too often.
    """
    lease = QUEUE.claim(session, source_key, now)
    if lease is None:
        return None
    preview = session.get_one(Preview, source_key, populate_existing=True)
    missing_until = preview.created_at + MAX_MISSING_TIME
    session_id = photo_facts.find_open_session(session, preview.folder)
    wanted = preview.label, preview.wants_public
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
    labeled: CredentialKind | None = None,
    *,
    read: ReadFile | None = None,
) -> bool:
    """Record that the pictures `made` are in the store, whose credentials the `labeled` copy carries, and what was
    `read` of the file. From now on public pages show the public copy. False when the claim was lost.
    """
    found = {"width": made.width, "height": made.height, "holds": list(made.holds)}
    if not QUEUE.finish(session, held, **found, credentials=labeled, error=None):
        return False
    if (public := made.pictures.get(PreviewSize.PUBLIC)) is not None:
        shown = update(PublicPicture).where(PublicPicture.original_key == held.key)
        shown = shown.values(copy_sha256=sha256(public).hexdigest())
        session.execute(shown.execution_options(synchronize_session=False))
    if held.upload_session_id is not None and read is not None:
        # The previews' row is locked first, then the facts: the same order as in forget().
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def give_up(session: Session, held: PreviewClaim, error: str, *, read: ReadFile = UNREAD) -> bool:
    """Record that the previews cannot be made, with the reason in words for the customer; False like finish()."""
    if not QUEUE.finish(session, held, error=error[:MAX_ERROR]):
        return False
    if held.upload_session_id is not None:
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def retry(session: Session, held: PreviewClaim, now: datetime) -> bool:
    """Record a failed attempt: another follows, later each time, or the previews are given up after the last. False
    like finish().
    """
    if held.attempt >= PREVIEWS.max_attempts:
        return give_up(session, held, GIVEN_UP)
    return QUEUE.retry(session, held, now)


def is_wanted(session: Session, source_key: str) -> bool:
    """Whether this file's previews are requested or made, and were not deleted since."""
    return session.get(Preview, source_key) is not None


def forget(session: Session, folder: str) -> None:
    """Delete the previews and facts of the files below the prefix; the pictures are removed with the folder's
    files.
    """
    deletion = delete(Preview).where(Preview.folder == folder)
    session.execute(deletion.execution_options(synchronize_session=False))
    photo_facts.forget(session, folder)


def forget_file(session: Session, source_key: str) -> None:
    """Delete the previews and facts of one file; the caller removes its pictures, see list_keys()."""
    deletion = delete(Preview).where(Preview.source_key == source_key)
    session.execute(deletion.execution_options(synchronize_session=False))
    photo_facts.forget_files(session, [source_key])


def make_again(session: Session, source_keys: Iterable[str]) -> None:
    """Let previews that are requested or made be made again, because another file lies under the key now; the facts
    of the earlier file are deleted.

    The sweep notifies a worker.
    """
    keys = set(source_keys)
    _start_anew(session, keys, width=None, height=None, error=None)
    photo_facts.forget_files(session, keys)


def request_facts(session: Session, source_keys: Iterable[str], folder: str, now: datetime) -> None:
    """Request the facts of these files of an upload session, which have none yet. They are read when previews are
    made, so previews that were made without facts are made again.
    """
    keys = list(source_keys)
    existing = get_all(session, keys)
    for key in keys:
        request(session, key, folder, now)
    done = [key for key, preview in existing.items() if preview.state is WorkState.DONE]
    if done:
        make_again(session, done)
        notify_after_commit(session, QueueName.PREVIEWS, done)


def _start_anew(session: Session, source_keys: Iterable[str], **also: object) -> None:
    """Let these previews be made again, even if a worker has claimed them; until then what was made stays, except
    the columns `also`.
    """
    restart = {"state": WorkState.WAITING, "attempts": 0, "next_attempt_at": Preview.created_at, "claim_id": None}
    restarted = update(Preview).where(Preview.source_key.in_(set(source_keys)))
    restarted = restarted.values(**restart, lease_until=None, **also)
    session.execute(restarted.execution_options(synchronize_session=False))
