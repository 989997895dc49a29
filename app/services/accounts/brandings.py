"""Branding: the studio name, phone, color and logo that an organization shows to its clients."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import ceil

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.branding import check_logo, read_color, read_phone, read_studio_name
from app.domain.errors import InvalidRequest, collect_faults, require_found
from app.domain.lifecycle import UNFINISHED, WorkState
from app.models import Branding
from app.services.accounts import logos, organizations


@dataclass(frozen=True, slots=True)
class StudioLook:
    """The branding of an account, for pages; a field that was not chosen is empty or None.

    `logo_awaited`: whether a worker must still encode a new logo. `logo_fault`: why the logo that was uploaded last
    could not be used.
    """

    studio_name: str = ""
    phone: str = ""
    color: str | None = None
    logo_size: tuple[int, int] | None = None
    logo_digest: str | None = None
    logo_awaited: bool = False
    logo_fault: str | None = None

    @property
    def dialed(self) -> str:
        """The phone number for a `tel:` link: its digits and plus sign, without an extension."""
        return "".join(each for each in self.phone.partition("x")[0] if each.isdigit() or each == "+")

    @property
    def shown_size(self) -> tuple[int, int]:
        """Width and height of the logo in CSS pixels: half its size in pixels, so that it is sharp on dense
        screens.
        """
        width, height = self.logo_size or (0, 0)
        return ceil(width / 2), ceil(height / 2)


@dataclass(frozen=True, slots=True)
class ChosenLook:
    """A branding as its owner sends it, not checked yet; `logo` only where a new one was uploaded."""

    studio_name: str = ""
    phone: str = ""
    color: str = ""
    logo: bytes | None = None


def find(session: Session, account_id: str) -> StudioLook:
    """The branding of the account; all fields are empty if nothing was chosen. get_logo() reads the logo itself."""
    row = session.get(Branding, account_id)
    if row is None:
        return StudioLook()
    size = (row.logo_width or 0, row.logo_height or 0) if row.logo_digest else None
    is_awaited = row.state in UNFINISHED
    return StudioLook(row.studio_name, row.phone, row.color, size, row.logo_digest, is_awaited, row.logo_fault)


def get_logo(session: Session, account_id: str) -> bytes:
    """The account's logo, a PNG. Raises NotFound when there is none."""
    return require_found(session.scalar(select(Branding.logo).where(Branding.account_id == account_id)))


def update(session: Session, account_id: str, chosen: ChosenLook, now: datetime) -> None:
    """Save what was chosen, and queue an uploaded logo to be encoded. Raises InvalidRequest with all faults."""
    faults: dict[str, str] = {}
    studio_name = collect_faults(faults, lambda: read_studio_name(chosen.studio_name)) or ""
    phone = collect_faults(faults, lambda: read_phone(chosen.phone)) or ""
    color = collect_faults(faults, lambda: read_color(chosen.color))
    if chosen.logo is not None:
        collect_faults(faults, partial(check_logo, chosen.logo))
    if faults:
        raise InvalidRequest(faults)
    row = _lock_row(session, account_id, now)
    row.studio_name, row.phone, row.color, row.updated_at = studio_name, phone, color, now
    if chosen.logo is not None:
        logos.enqueue(session, row, chosen.logo, now)
    organizations.record_settings(session, account_id, "Branding", now)


def remove_logo(session: Session, account_id: str, now: datetime) -> None:
    """Remove the logo, and an uploaded logo that is not encoded yet; harmless if there is neither."""
    row = _lock_row(session, account_id, now)
    logos.remove(row)
    row.updated_at = now
    organizations.record_settings(session, account_id, "Branding", now)


def forget(session: Session, account_id: str) -> None:
    """Delete the account's branding."""
    session.execute(delete(Branding).where(Branding.account_id == account_id))


def _lock_row(session: Session, account_id: str, now: datetime) -> Branding:
    """The account's row, created if there is none. The organization's row is locked, so that only one request at a
    time changes the branding.
    """
    organizations.get(session, account_id, lock=True)
    row = session.get(Branding, account_id)
    if row is None:
        row = Branding(account_id=account_id, studio_name="", phone="", updated_at=now, next_attempt_at=now)
        row.state = WorkState.DONE
        session.add(row)
    return row
