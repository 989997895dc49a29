"""Presets: made, listed, changed, deleted, and found for the orders that name them."""

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
    """A new preset. Raises Conflict when another has its name or the account has MAX_PRESETS already."""
    _hold_account(session, account_id)
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
    """The one that new drafts begin with."""
    return session.scalar(select(Preset).where(Preset.account_id == account_id, Preset.is_default))


def change(session: Session, account_id: str, preset_id: str, wanted: PresetRequest, now: datetime) -> Preset:
    """Let the preset be as it is wanted now; what was ordered stays as it is. Raises NotFound and Conflict."""
    _hold_account(session, account_id)
    preset = get(session, account_id, preset_id)
    _write(session, preset, account_id, wanted, now)
    session.flush()
    return preset


def make_default(session: Session, account_id: str, preset_id: str, now: datetime, *, on: bool = True) -> Preset:
    """Let new drafts begin with this preset, or with it no more. Raises NotFound."""
    _hold_account(session, account_id)
    preset = get(session, account_id, preset_id)
    if on:
        _unset_default(session, account_id, preset.id)
    if preset.is_default != on:
        preset.is_default, preset.updated_at = on, now
    session.flush()
    return preset


def delete(session: Session, account_id: str, preset_id: str) -> Preset:
    """Forget the preset; orders placed with it stay as they are. Raises NotFound."""
    _hold_account(session, account_id)
    preset = get(session, account_id, preset_id)
    session.delete(preset)
    session.flush()
    return preset


def find_content(session: Session, account_id: str, body: Mapping[str, Any]) -> PresetContent | None:
    """What the preset that an order's body names holds; None where it names none or one that there is not.

    For an upload session that became an order it is what that order was read with, so that the same body again
    means the same whatever became of the preset.
    """
    preset_id, session_id = body.get("presetId"), body.get("uploadSessionId")
    if not isinstance(preset_id, str):
        return None
    if isinstance(session_id, str) and is_id(session_id, Prefix.UPLOAD_SESSION):
        used = UploadSession.job_id.is_not(None), UploadSession.account_id == account_id
        kept = session.scalar(select(UploadSession.preset).where(UploadSession.id == session_id, *used))
        if kept is not None:
            return kept
    preset = _find(session, account_id, preset_id.strip())
    return preset.content if preset else None


def _find(session: Session, account_id: str, preset_id: str) -> Preset | None:
    if not is_id(preset_id, Prefix.PRESET):
        return None
    return session.scalar(select(Preset).where(Preset.id == preset_id, Preset.account_id == account_id))


def _hold_account(session: Session, account_id: str) -> None:
    # One change at a time: two at once could both be the last that there is room for, or both the default.
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)


def _write(session: Session, preset: Preset, account_id: str, wanted: PresetRequest, now: datetime) -> None:
    same_name = select(Preset.id).where(Preset.account_id == account_id, Preset.name == wanted.name)
    if session.scalar(same_name) not in (None, preset.id):
        raise Conflict(NAME_TAKEN)
    if wanted.is_default:
        _unset_default(session, account_id, preset.id)
    preset.name, preset.content = wanted.name, wanted.content
    preset.is_default, preset.updated_at = wanted.is_default, now


def _unset_default(session: Session, account_id: str, but: str | None) -> None:
    others = update(Preset).where(Preset.account_id == account_id, Preset.is_default, Preset.id != (but or ""))
    session.execute(others.values(is_default=False), execution_options={"synchronize_session": "fetch"})
