"""Previews: small pictures of stored files, wanted, claimed under a lease, made, retried, given up, forgotten."""

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
MISSING_FOR = timedelta(hours=1)
"""So long after it was wanted a file that is not in the store may still appear there."""
MAX_ERROR = 300
GIVEN_UP = f"No preview of this photo could be made in {PREVIEWS.max_attempts} tries."


@dataclass(frozen=True, slots=True)
class PreviewClaim(Lease):
    """One worker's hold on one file's previews."""

    label: str | None
    wants_public: bool
    missing_until: datetime
    upload_session_id: str | None = None
    """That whose file it is, where nothing was ordered of it yet: then its facts are kept too."""
    of_draft: bool = False
    """Whether that is a draft's: programs say themselves what their photos show."""

    @property
    def wanted(self) -> WantedPreviews:
        """What the maker is asked for."""
        return WantedPreviews(
            self.label, facts=self.upload_session_id is not None, guess=self.of_draft, public=self.wants_public
        )

    @property
    def is_last_try(self) -> bool:
        """Whether nothing follows when it fails."""
        return self.attempt == PREVIEWS.max_attempts


def request(session: Session, source_key: str, folder: str, now: datetime, label: str | None = None) -> None:
    """Ask for the file's small pictures, and with a `label` for a copy at full size that bears it.

    In the caller's transaction; a worker is notified after the commit. Harmless to repeat: what is wanted or made
    already stays as it is. `folder`: the prefix the file lies under, with which its previews are forgotten.
    """
    values = {"folder": folder, "label": label, "next_attempt_at": now, "created_at": now}
    try:
        with session.begin_nested():
            session.execute(insert(Preview).values(source_key=source_key, **values))
    except IntegrityError:
        return
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def request_public(session: Session, source_key: str, folder: str, now: datetime) -> None:
    """Ask for a copy at full size that says nothing beside the picture, with the small ones; as `request` does."""
    request(session, source_key, folder, now)
    _start_anew(session, [source_key], wants_public=True)
    notify_after_commit(session, QueueName.PREVIEWS, [source_key])


def get_all(session: Session, source_keys: Iterable[str]) -> dict[str, Preview]:
    """What is known of the previews of these files, in one query: `width` is there once they are made, `error`
    when there can be none; a file nobody asked for is missing.
    """
    found = select(Preview).where(Preview.source_key.in_(set(source_keys)))
    return {preview.source_key: preview for preview in session.scalars(found)}


def key_of(source_key: str, size: PreviewSize) -> str:
    """Where the file's picture of this size lies, or will lie."""
    folder, _, name = source_key.rpartition("/")
    return f"{folder}/previews/{name}.{size}.jpg"


def list_keys(source_key: str) -> list[str]:
    """Where its pictures of all sizes lie, or will lie."""
    return [key_of(source_key, size) for size in PreviewSize]


def claim(session: Session, source_key: str, now: datetime) -> PreviewClaim | None:
    """Take the previews if they are due and nobody else's; the attempt counts, whatever becomes of it.

    None when there is nothing to do: also when their workers died too often and they were given up.
    """
    lease = QUEUE.claim(session, source_key, now)
    if lease is None:
        return None
    preview = session.get_one(Preview, source_key, populate_existing=True)
    missing_until = preview.created_at + MISSING_FOR
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
    """Note that the pictures `made` lie there, whose credentials the `labeled` copy carries, and what was `read`
    of the file; public pages show the public copy from now on. False when the claim was lost.
    """
    found = {"width": made.width, "height": made.height, "holds": list(made.holds)}
    if not QUEUE.finish(session, held, **found, credentials=labeled, error=None):
        return False
    if (public := made.pictures.get(PreviewSize.PUBLIC)) is not None:
        shown = update(PublicPicture).where(PublicPicture.original_key == held.key)
        shown = shown.values(copy_sha256=sha256(public).hexdigest())
        session.execute(shown.execution_options(synchronize_session=False))
    if held.upload_session_id is not None and read is not None:
        # After the row of the previews, which is held: to forget them forgets the facts after them.
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def give_up(session: Session, held: PreviewClaim, error: str, *, read: ReadFile = UNREAD) -> bool:
    """Note that there can be no preview, and why, in words for the customer; False like finish()."""
    if not QUEUE.finish(session, held, error=error[:MAX_ERROR]):
        return False
    if held.upload_session_id is not None:
        photo_facts.keep(session, held.key, held.upload_session_id, read)
    return True


def retry(session: Session, held: PreviewClaim, now: datetime) -> bool:
    """The work broke: let another try follow, later each time, or give up after the last. False like finish()."""
    if held.attempt >= PREVIEWS.max_attempts:
        return give_up(session, held, GIVEN_UP)
    return QUEUE.retry(session, held, now)


def is_wanted(session: Session, source_key: str) -> bool:
    """Whether anybody still wants, or has, this file's previews."""
    return session.get(Preview, source_key) is not None


def forget(session: Session, folder: str) -> None:
    """Want no previews of what lies under the prefix any more; the pictures go with the folder's files."""
    gone = delete(Preview).where(Preview.folder == folder)
    session.execute(gone.execution_options(synchronize_session=False))
    photo_facts.forget(session, folder)


def forget_file(session: Session, source_key: str) -> None:
    """Want no previews of this one file any more; its pictures, see list_keys(), are the caller's to remove."""
    gone = delete(Preview).where(Preview.source_key == source_key)
    session.execute(gone.execution_options(synchronize_session=False))
    photo_facts.forget_files(session, [source_key])


def make_again(session: Session, source_keys: Iterable[str]) -> None:
    """Have previews that are wanted or made already made anew: another file lies there now. Their facts go.

    The sweep notifies a worker.
    """
    keys = set(source_keys)
    _start_anew(session, keys, width=None, height=None, error=None)
    photo_facts.forget_files(session, keys)


def request_facts(session: Session, source_keys: Iterable[str], folder: str, now: datetime) -> None:
    """Ask for the facts of these files of an upload session, of which nothing is known, by way of their previews;
    also where those were made before facts were kept.
    """
    keys = list(source_keys)
    there = get_all(session, keys)
    for key in keys:
        request(session, key, folder, now)
    done = [key for key, preview in there.items() if preview.state is WorkState.DONE]
    if done:
        make_again(session, done)
        notify_after_commit(session, QueueName.PREVIEWS, done)


def _start_anew(session: Session, source_keys: Iterable[str], **also: object) -> None:
    """Have them made again, no matter who is at it; what was made stays until then, but for what is `also` set."""
    anew = {"state": WorkState.WAITING, "attempts": 0, "next_attempt_at": Preview.created_at, "claim_id": None}
    stale = update(Preview).where(Preview.source_key.in_(set(source_keys)))
    stale = stale.values(**anew, lease_until=None, **also)
    session.execute(stale.execution_options(synchronize_session=False))
