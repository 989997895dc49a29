"""Forms that a user sent after their sign-in had expired: kept for an hour, shown after their next sign-in."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.kept_forms import MAX_PATH, TypedFields
from app.domain.retention import FORMS_KEPT
from app.domain.sending import DecryptionError, Vault
from app.models import KeptForm, User

BATCH = 1000


@dataclass(frozen=True, slots=True)
class TypedForm:
    """What a user typed into a form, the account for which they acted, and the path to which they sent it."""

    account_id: str
    path: str
    fields: TypedFields
    sent_at: datetime


def keep(session: Session, vault: Vault, user_id: str, form: TypedForm) -> None:
    """Save the form in place of the user's previous one; not for a deleted user, nor if the path is too long."""
    locked = select(User.id).where(User.id == user_id, User.deleted_at.is_(None)).with_for_update(key_share=True)
    if len(form.path) > MAX_PATH or session.scalar(locked) is None:
        return
    kept = session.get(KeptForm, user_id) or KeptForm(user_id=user_id)
    kept.account_id, kept.path, kept.fields = form.account_id, form.path, vault.seal(json.dumps([*form.fields]))
    kept.created_at, kept.led_at = form.sent_at, None
    session.add(kept)


def find(session: Session, vault: Vault, user_id: str, account_id: str, now: datetime) -> TypedForm | None:
    """The form kept for the user, who acts for this account; None if there is none, if it was sent for another
    account, or if no current secret key can decrypt it.
    """
    kept = session.get(KeptForm, user_id)
    if kept is None or kept.account_id != account_id or not _is_kept(kept, now):
        return None
    try:
        fields = [(name, value) for name, value in json.loads(vault.open(kept.fields))]
    except DecryptionError:
        return None
    return TypedForm(kept.account_id, kept.path, fields, kept.created_at)


def redirect_once(session: Session, user_id: str, now: datetime) -> bool:
    """Whether to redirect the user, who is signing in, to their kept form; records that, so the result is True only
    once for each form.
    """
    kept = session.get(KeptForm, user_id, with_for_update=True)
    if kept is None or kept.led_at is not None or not _is_kept(kept, now):
        return False
    kept.led_at = now
    return True


def discard(session: Session, user_id: str) -> None:
    """Delete the user's kept form; harmless if there is none."""
    session.execute(delete(KeptForm).where(KeptForm.user_id == user_id))


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH forms older than FORMS_KEPT; returns how many."""
    old = select(KeptForm.user_id).where(KeptForm.created_at <= now - FORMS_KEPT).limit(BATCH)
    deleted = delete(KeptForm).where(KeptForm.user_id.in_(old)).returning(KeptForm.user_id)
    return len(session.scalars(deleted, execution_options={"synchronize_session": False}).all())


def _is_kept(kept: KeptForm, now: datetime) -> bool:
    return kept.created_at > now - FORMS_KEPT
