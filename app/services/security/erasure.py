"""Takes everything personal, and every way in, from an account whose row stays."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.models import Account, Mail
from app.services.accounts import mailed_links
from app.services.security import known_browsers, recovery_codes, sign_ins


def erase(session: Session, account: Account, now: datetime) -> None:
    """Take everything personal from a held account, and all ways in; its row stays, for the ledger's sake."""
    account.email, account.name = f"deleted-{account.id}@invalid", ""
    account.password_hash = account.totp_secret = account.totp_since = account.totp_last_step = None
    account.is_staff, account.deleted_at = False, now
    account.mails_off, account.low_balance, account.pictures_agreed_at = [], None, None
    sign_ins.end_all(session, account.id)
    known_browsers.forget_all(session, account.id)
    mailed_links.revoke(session, account.id)
    recovery_codes.remove(session, account.id)
    session.execute(delete(Mail).where(Mail.account_id == account.id))
