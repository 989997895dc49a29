"""Erases a user: deletes all personal data and every way to sign in, but keeps the row."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.domain.engines import EngineChannel
from app.models import Mail, Membership, User
from app.services.accounts import mailed_links, organizations
from app.services.security import kept_forms, known_browsers, recovery_codes, sign_ins


def erase(session: Session, user: User, now: datetime) -> None:
    """Delete all personal data of a locked user and end their access; the row stays, for the log of staff's acts.

    Organizations without another member are marked as deleted, with their sandboxes, and their rows stay for the
    ledger; the user leaves all other organizations.
    """
    deleted = organizations.list_without_others(session, user.id, lock=True)
    for organization in organizations.with_sandboxes(session, deleted):
        organization.deleted_at, organization.low_balance, organization.pictures_agreed_at = now, None, None
        organization.billing_company = organization.billing_address = organization.tax_id = None
        organization.file_names, organization.keeps_photos = "", False
        organization.engine_channel = EngineChannel.LATEST
    others = Membership.organization_id.not_in([each.id for each in deleted])
    session.execute(delete(Membership).where(Membership.user_id == user.id, others))
    user.email, user.name = f"deleted-{user.id}@invalid", ""
    user.password_hash = user.totp_secret = user.totp_since = user.totp_last_step = None
    user.is_staff, user.deleted_at, user.mails_off = False, now, []
    sign_ins.end_all(session, user.id)
    known_browsers.forget_all(session, user.id)
    mailed_links.revoke(session, user.id)
    recovery_codes.remove(session, user.id)
    kept_forms.discard(session, user.id)
    session.execute(delete(Mail).where(Mail.user_id == user.id))
