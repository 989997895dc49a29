"""Presets (house styles): created, listed, changed, deleted, and read for orders that name them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.domain.errors import Conflict, require_found
from app.domain.ids import Prefix, is_id
from app.domain.preset_rules import PresetRequest
from app.domain.presets import MAX_PRESETS, PresetContent
from app.models import Organization, Preset, UploadSession

NAME_TAKEN = "Another preset has this name already."


def create(session: Session, account_id: str, wanted: PresetRequest, now: datetime) -> Preset:
    """Create a preset. Raises Conflict when another preset has its name or the account has MAX_PRESETS already."""
    _lock_account(session, account_id)
    count = session.scalar(select(func.count()).where(Preset.account_id == account_id)) or 0
    if count >= MAX_PRESETS:
        raise Conflict(f"An account may have at most {MAX_PRESETS} presets; delete one first.")
    preset = Preset(account_id=account_id, created_at=now)
    _write(session, preset, account_id, wanted, now)
    session.add(preset)
    session.flush()
    return preset


def get_all(session: Session, account_id: str) -> Sequence[Preset]:
    """The account's presets, the default one first, then by name."""
    mine = select(Preset).where(Preset.account_id == account_id)
    found = session.scalars(mine.order_by(Preset.name, Preset.id)).all()
    return sorted(found, key=lambda each: (not each.is_default, each.name.casefold()))


def get(session: Session, account_id: str, preset_id: str) -> Preset:
    """The account's preset. Raises NotFound."""
    return require_found(_find(session, account_id, preset_id))


def find_default(session: Session, account_id: str) -> Preset | None:
    """The preset with whose choices new drafts begin; None if there is none."""
    return session.scalar(select(Preset).where(Preset.account_id == account_id, Preset.is_default))


def change(session: Session, account_id: str, preset_id: str, wanted: PresetRequest, now: datetime) -> Preset:
    """Replace the preset's name and content; orders placed with it stay as they are. Raises NotFound and
    Conflict.
    """
    _lock_account(session, account_id)
    preset = get(session, account_id, preset_id)
    _write(session, preset, account_id, wanted, now)
    session.flush()
    return preset


def set_default(session: Session, account_id: str, preset_id: str, now: datetime, *, on: bool = True) -> Preset:
    """Make this preset the default, with whose choices new drafts begin; with `on` False, undo that. Raises
    NotFound.
    """
    _lock_account(session, account_id)
    preset = get(session, account_id, preset_id)
    if on:
        _unset_default(session, account_id, preset.id)
    if preset.is_default != on:
        preset.is_default, preset.updated_at = on, now
    session.flush()
    return preset


def delete(session: Session, account_id: str, preset_id: str) -> Preset:
    """Delete the preset; orders placed with it stay as they are. Raises NotFound."""
    _lock_account(session, account_id)
    preset = get(session, account_id, preset_id)
    session.delete(preset)
    session.flush()
    return preset


def find_content(session: Session, account_id: str, body: Mapping[str, Any]) -> PresetContent | None:
    """The content of the preset that an order's body names; None if it names no preset of the account.

    If the order of the body's upload session was placed already, the content that was used then is returned. So the
    same body, sent again, is the same order even after the preset was changed or deleted.
    """
    preset_id, session_id = body.get("presetId"), body.get("uploadSessionId")
    if not isinstance(preset_id, str):
        return None
    if isinstance(session_id, str) and is_id(session_id, Prefix.UPLOAD_SESSION):
        ordered = UploadSession.job_id.is_not(None), UploadSession.account_id == account_id
        used = session.scalar(select(UploadSession.preset).where(UploadSession.id == session_id, *ordered))
        if used is not None:
            return used
    preset = _find(session, account_id, preset_id.strip())
    return preset.content if preset else None


def _find(session: Session, account_id: str, preset_id: str) -> Preset | None:
    if not is_id(preset_id, Prefix.PRESET):
        return None
    return session.scalar(select(Preset).where(Preset.id == preset_id, Preset.account_id == account_id))


def _lock_account(session: Session, account_id: str) -> None:
    # Two changes at the same time could exceed MAX_PRESETS, or set two defaults.
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)


def _write(session: Session, preset: Preset, account_id: str, wanted: PresetRequest, now: datetime) -> None:
    same_name = select(Preset.id).where(Preset.account_id == account_id, Preset.name == wanted.name)
    if session.scalar(same_name) not in (None, preset.id):
        raise Conflict(NAME_TAKEN)
    if wanted.is_default:
        _unset_default(session, account_id, preset.id)
    preset.name, preset.content = wanted.name, wanted.content
    preset.is_default, preset.updated_at = wanted.is_default, now


def _unset_default(session: Session, account_id: str, except_id: str | None) -> None:
    others = update(Preset).where(
        Preset.account_id == account_id, Preset.is_default, Preset.id != (except_id or "")
    )
    session.execute(others.values(is_default=False), execution_options={"synchronize_session": "fetch"})
