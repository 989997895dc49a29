"""Takes everything personal, and every way in, from a user whose row stays."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.models import Mail, Membership, User
from app.services.accounts import mailed_links, organizations
from app.services.security import kept_forms, known_browsers, recovery_codes, sign_ins


def erase(session: Session, user: User, now: datetime) -> None:
    """Take everything personal from a held user, and all ways in; their row stays, for what they did as staff.

    An organization that nobody else belongs to is deleted with them, and keeps its row for the ledger's sake; where
    others are left they are a member no more.
    """
    alone = organizations.list_without_others(session, user.id, hold=True)
    for organization in alone:
        organization.deleted_at, organization.low_balance, organization.pictures_agreed_at = now, None, None
        organization.billing_company = organization.billing_address = organization.tax_id = None
    left = Membership.organization_id.not_in([each.id for each in alone])
    session.execute(delete(Membership).where(Membership.user_id == user.id, left))
    user.email, user.name = f"deleted-{user.id}@invalid", ""
    user.password_hash = user.totp_secret = user.totp_since = user.totp_last_step = None
    user.is_staff, user.deleted_at, user.mails_off = False, now, []
    sign_ins.end_all(session, user.id)
    known_browsers.forget_all(session, user.id)
    mailed_links.revoke(session, user.id)
    recovery_codes.remove(session, user.id)
    kept_forms.discard(session, user.id)
    session.execute(delete(Mail).where(Mail.user_id == user.id))
