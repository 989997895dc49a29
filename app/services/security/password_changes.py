"""Another password for an account, chosen by its owner or, when they are locked out, made by the operator."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain import emails, passwords
from app.domain.security_events import SecurityEvent
from app.models import Account
from app.services import security_log
from app.services.accounts import accounts, mailed_links
from app.services.accounts import passwords as hashes
from app.services.mail import outbox
from app.services.security import sign_ins, totp


def set_password(session: Session, account: Account, password: str) -> None:
    """Give a held account a password: every sign-in and every mailed link of it ends. Raises InvalidRequest."""
    account.password_hash = hashes.digest(password, account.email)
    sign_ins.end_all(session, account.id)
    mailed_links.revoke(session, account.id)
    security_log.record_after_commit(session, SecurityEvent.CREDENTIAL_CHANGED, account.id)


def change(session: Session, account_id: str, password: str, now: datetime) -> None:
    """Change the password: every sign-in of the account ends, and its owner is told. Raises InvalidRequest."""
    account = accounts.of(session, account_id, hold=True)
    set_password(session, account, password)
    outbox.post(session, account_id, emails.password_changed(account.email), now)


def make_up(session: Session, email: str, now: datetime, *, without_two_factor: bool = False) -> str:
    """The new password of the account with this e-mail, shown only now, for the operator to hand over.

    The operator vouches for the address too, and may switch two-factor off. Raises NotFound.
    """
    account = accounts.find(session, email)
    password = passwords.made_up()
    change(session, account.id, password, now)
    account.confirmed_at = account.confirmed_at or now
    if without_two_factor:
        totp.switch_off(session, account.id, now)
    return password
