"""Users: people found by their e-mail, recognized by their password, renamed."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain import people
from app.domain.errors import InvalidRequest, NotFound
from app.domain.security_events import SecurityEvent
from app.models import User
from app.services import security_log
from app.services.accounts import passwords


def get(session: Session, user_id: str, *, hold: bool = False) -> User:
    """The user, held against other changes if wished. Raises NotFound, also when they were deleted."""
    locked = {"key_share": True} if hold else None
    user = session.get(User, user_id, with_for_update=locked, populate_existing=True)
    if user is None or user.deleted_at is not None:
        raise NotFound
    return user


def find(session: Session, email: str) -> User:
    """The user with this e-mail. Raises NotFound."""
    user = session.scalar(_with(people.email(email)))
    if user is None:
        raise NotFound(f"There is no account {email}.")
    return user


def lookup(session: Session, email: str) -> User | None:
    """The user with this e-mail; None without one, and for what is no address."""
    try:
        return session.scalar(_with(people.email(email)))
    except InvalidRequest:
        return None


def is_taken(session: Session, email: str) -> bool:
    """Whether the e-mail, in normal form, is a user's."""
    return session.scalar(select(User.id).where(User.email == email)) is not None


def authenticate(session: Session, email: str, password: str) -> User | None:
    """The user with this e-mail and password, else None; it takes as long either way."""
    user = lookup(session, email)
    fits = passwords.verify(user.password_hash if user else None, password)
    if fits and user and not user.deleted_at:
        return user
    security_log.record(SecurityEvent.SIGN_IN_FAILED, user.id if user else None)
    return None


def has_password(session: Session, user_id: str, password: str) -> bool:
    """Whether the one who acts for the user knows their password."""
    right = passwords.verify(get(session, user_id).password_hash, password)
    if not right:
        security_log.record(SecurityEvent.PROOF_FAILED, user_id)
    return right


def rename(session: Session, user_id: str, name: str) -> None:
    """Call the user so. Raises InvalidRequest."""
    get(session, user_id, hold=True).name = people.name(name)


def _with(email: str) -> Select[User]:
    return select(User).where(User.email == email)
