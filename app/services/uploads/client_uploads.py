"""Upload sessions that pages of customers' own sites fill, each by the client tokens that were made for it."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.client_token_errors import TooManyFiles
from app.domain.client_tokens import ClientToken
from app.domain.errors import Conflict, NotFound, OpenSessionsExceeded, require_found
from app.domain.ids import Prefix, is_id, new_id
from app.models import UploadSession
from app.services.uploads import quotas, uploads
from app.services.uploads.quotas import NO_SYNCHRONIZATION, UploadQuota
from app.services.uploads.uploads import Slot
from engine.types.enhancements import PhotoType


def name_session(session: Session, account_id: str, session_id: str | None) -> tuple[str, bool]:
    """The upload session that a new client token is for, and whether the token's first use opens it: the account's
    session with this id, else a new id, whose session does not exist until somebody uploads.

    Raises NotFound, also for sessions that no key opened, and Conflict when it was ordered.
    """
    if session_id is None:
        return new_id(Prefix.UPLOAD_SESSION), True
    _require_open(session, account_id, session_id)
    return session_id, False


def add_files(
    session: Session,
    account_id: str,
    token: ClientToken,
    counts: Mapping[PhotoType, int],
    quota: UploadQuota,
    now: datetime,
) -> tuple[UploadSession, list[Slot]]:
    """Add slots for this many files of each type to the token's upload session, which is opened if need be.

    Requests at the same time cannot exceed the token's `max_files`. Raises TooManyFiles, OpenSessionsExceeded,
    Conflict when the session was ordered, NotFound when it was swept; then nothing was added.
    """
    added = _widen(session, account_id, token, counts)
    if added is None and token.opens_session and _open(session, account_id, token, quota, now):
        added = _widen(session, account_id, token, counts)
    if added is None:
        found = _require_open(session, account_id, token.session_id)
        raise TooManyFiles(
            token.max_files, found.interior_count + found.exterior_count, requested=sum(counts.values())
        )
    after = {PhotoType.INTERIOR: added.interior_count, PhotoType.EXTERIOR: added.exterior_count}
    slots = [slot for slot in uploads.list_slots(added) if slot.index >= after[slot.type] - counts[slot.type]]
    return added, slots


def _widen(
    session: Session, account_id: str, token: ClientToken, counts: Mapping[PhotoType, int]
) -> UploadSession | None:
    """The session with more slots; None if it has no room for them, was ordered, or is not there."""
    interior, exterior = counts[PhotoType.INTERIOR], counts[PhotoType.EXTERIOR]
    widened = {
        UploadSession.interior_count: UploadSession.interior_count + interior,
        UploadSession.exterior_count: UploadSession.exterior_count + exterior,
    }
    more = update(UploadSession).values(widened)
    guarded = more.where(
        UploadSession.id == token.session_id,
        UploadSession.account_id == account_id,
        UploadSession.key_id.is_not(None),
        UploadSession.job_id.is_(None),
        UploadSession.interior_count + UploadSession.exterior_count + interior + exterior <= token.max_files,
    )
    changed = session.scalar(guarded.returning(UploadSession.id).execution_options(**NO_SYNCHRONIZATION))
    return session.get_one(UploadSession, changed, populate_existing=True) if changed else None


def _open(session: Session, account_id: str, token: ClientToken, quota: UploadQuota, now: datetime) -> bool:
    """Open the token's session without slots, unless it exists. Returns True, also when another request opens it at
    the same moment.
    """
    if session.get(UploadSession, token.session_id) is not None:
        return False
    try:
        # Rolling back to the savepoint also undoes the count.
        with session.begin_nested():
            quotas.open_session(session, account_id, quota)
            named = {"id": token.session_id, "account_id": account_id, "key_id": token.key_id}
            session.add(UploadSession(**named, interior_count=0, exterior_count=0, created_at=now))
            session.flush()
    except (IntegrityError, OpenSessionsExceeded):
        session.expire_all()
        if session.get(UploadSession, token.session_id) is None:
            raise
    return True


def _require_open(session: Session, account_id: str, session_id: str) -> UploadSession:
    if not is_id(session_id, Prefix.UPLOAD_SESSION):
        raise NotFound
    mine = UploadSession.id == session_id, UploadSession.account_id == account_id, UploadSession.key_id.is_not(None)
    found = require_found(session.scalar(select(UploadSession).where(*mine)))
    if found.job_id is not None:
        raise Conflict("These files were ordered already; let your server make a token without uploadSessionId.")
    return found
