"""Changing a user's password: to one that they choose or, if they are locked out, to a generated one."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain import emails, passwords
from app.domain.security_events import SecurityEvent
from app.models import User
from app.services import security_log
from app.services.accounts import mailed_links, users
from app.services.accounts import passwords as hashes
from app.services.mail import outbox
from app.services.security import sign_ins, totp


def set_password(session: Session, user: User, password: str) -> None:
    """Set the password of a locked user; ends all their sign-ins and revokes all links mailed to them.

    Raises InvalidRequest for a password that is not allowed.
    """
    user.password_hash = hashes.digest(password, user.email)
    sign_ins.end_all(session, user.id)
    mailed_links.revoke(session, user.id)
    security_log.record_after_commit(session, SecurityEvent.CREDENTIAL_CHANGED, user.id)


def change(session: Session, user_id: str, password: str, now: datetime) -> None:
    """Set the user's password like set_password(), and mail them that it was changed. Raises InvalidRequest."""
    user = users.get(session, user_id, lock=True)
    set_password(session, user, password)
    outbox.post(session, user_id, emails.password_changed(user.email), now)


def generate(session: Session, email: str, now: datetime, *, without_two_factor: bool = False) -> str:
    """Generate a new password for the user with this e-mail; returns it for the operator to hand over, only now.

    The user counts as confirmed from now on, because the operator knows them; `without_two_factor` also switches
    their two-factor sign-in off. Raises NotFound.
    """
    user = users.find(session, email)
    password = passwords.generate()
    change(session, user.id, password, now)
    user.confirmed_at = user.confirmed_at or now
    if without_two_factor:
        totp.switch_off(session, user.id, now)
    return password
