"""Users: found by id or e-mail, authenticated by their password, renamed."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain import people
from app.domain.errors import InvalidRequest, NotFound
from app.domain.security_events import SecurityEvent
from app.models import User
from app.services import security_log
from app.services.accounts import passwords


def get(session: Session, user_id: str, *, lock: bool = False) -> User:
    """The user; `lock`: lock their row against other changes. Raises NotFound, also when they were deleted."""
    locked = {"key_share": True} if lock else None
    user = session.get(User, user_id, with_for_update=locked, populate_existing=True)
    if user is None or user.deleted_at is not None:
        raise NotFound
    return user


def find(session: Session, email: str) -> User:
    """The user with this e-mail. Raises NotFound, and InvalidRequest when it is not an e-mail address."""
    user = session.scalar(_select_by_email(people.email(email)))
    if user is None:
        raise NotFound(f"There is no account {email}.")
    return user


def lookup(session: Session, email: str) -> User | None:
    """The user with this e-mail, like find(), but None when there is none or it is not an e-mail address."""
    try:
        return session.scalar(_select_by_email(people.email(email)))
    except InvalidRequest:
        return None


def is_taken(session: Session, email: str) -> bool:
    """Whether a user has this e-mail, which must be in the normal form of people.email()."""
    return session.scalar(select(User.id).where(User.email == email)) is not None


def authenticate(session: Session, email: str, password: str) -> User | None:
    """The user with this e-mail and password, else None. It takes the same time whether or not there is such a
    user.
    """
    user = lookup(session, email)
    is_right = passwords.verify(user.password_hash if user else None, password)
    if is_right and user and not user.deleted_at:
        return user
    security_log.record(SecurityEvent.SIGN_IN_FAILED, user.id if user else None)
    return None


def has_password(session: Session, user_id: str, password: str) -> bool:
    """Whether this is the user's password, which proves, before a sensitive act, that the user is acting."""
    is_right = passwords.verify(get(session, user_id).password_hash, password)
    if not is_right:
        security_log.record(SecurityEvent.PROOF_FAILED, user_id)
    return is_right


def list_names(session: Session, user_ids: Iterable[str | None]) -> Mapping[str, str]:
    """The names of these users by id; the e-mail of a user who gave no name. Deleted users and unknown ids are left
    out.
    """
    wanted = set(filter(None, user_ids))
    if not wanted:
        return {}
    rows = select(User.id, User.name, User.email).where(User.id.in_(wanted), User.deleted_at.is_(None))
    return {row.id: row.name or row.email for row in session.execute(rows)}


def rename(session: Session, user_id: str, name: str) -> None:
    """Set the user's name. Raises NotFound, and InvalidRequest for a name that is not allowed."""
    get(session, user_id, lock=True).name = people.name(name)


def _select_by_email(email: str) -> Select[User]:
    return select(User).where(User.email == email)
