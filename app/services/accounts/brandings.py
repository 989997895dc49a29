"""How organizations present themselves to their clients: studio name, color and logo, saved, read and removed."""

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.branding import check_logo, read_color, read_studio_name
from app.domain.errors import InvalidRequest, require_found
from app.domain.lifecycle import UNFINISHED, WorkState
from app.models import Branding
from app.services.accounts import logos, organizations


@dataclass(frozen=True, slots=True)
class StudioLook:
    """A studio's look as a page needs it; a field that was not chosen is empty or None.

    `logo_awaited`: whether another logo was uploaded and a worker still has to encode it. `logo_fault`: why the
    logo uploaded last could not be used.
    """

    studio_name: str = ""
    color: str | None = None
    logo_size: tuple[int, int] | None = None
    logo_digest: str | None = None
    logo_awaited: bool = False
    logo_fault: str | None = None

    @property
    def shown_size(self) -> tuple[int, int]:
        """Width and height of the logo in CSS pixels: half its own size, so that it is sharp on dense screens."""
        width, height = self.logo_size or (0, 0)
        return ceil(width / 2), ceil(height / 2)


def find(session: Session, account_id: str) -> StudioLook:
    """The look of the account; an empty look where nothing was chosen. get_logo() reads the logo itself."""
    kept = session.get(Branding, account_id)
    if kept is None:
        return StudioLook()
    size = (kept.logo_width or 0, kept.logo_height or 0) if kept.logo_digest else None
    awaited = kept.state in UNFINISHED
    return StudioLook(kept.studio_name, kept.color, size, kept.logo_digest, awaited, kept.logo_fault)


def get_logo(session: Session, account_id: str) -> bytes:
    """The account's logo, a PNG. Raises NotFound where there is none."""
    return require_found(session.scalar(select(Branding.logo).where(Branding.account_id == account_id)))


def update(
    session: Session, account_id: str, studio_name: str, color: str, logo: bytes | None, now: datetime
) -> None:
    """Save name and color; queue an uploaded logo for encoding. Raises InvalidRequest with all faults."""
    faults: dict[str, str] = {}
    name, chosen = "", None
    try:
        name = read_studio_name(studio_name)
    except InvalidRequest as refused:
        faults.update(refused.details or {})
    try:
        chosen = read_color(color)
    except InvalidRequest as refused:
        faults.update(refused.details or {})
    try:
        if logo is not None:
            check_logo(logo)
    except InvalidRequest as refused:
        faults.update(refused.details or {})
    if faults:
        raise InvalidRequest(faults)
    kept = _lock_row(session, account_id, now)
    kept.studio_name, kept.color, kept.updated_at = name, chosen, now
    if logo is not None:
        logos.enqueue(session, kept, logo, now)


def remove_logo(session: Session, account_id: str, now: datetime) -> None:
    """Remove the logo, and the uploaded file that waits to be encoded; harmless where there is neither."""
    kept = _lock_row(session, account_id, now)
    logos.remove(kept)
    kept.updated_at = now


def forget(session: Session, account_id: str) -> None:
    """Delete the account's look."""
    session.execute(delete(Branding).where(Branding.account_id == account_id))


def _lock_row(session: Session, account_id: str, now: datetime) -> Branding:
    """The account's row, created where there is none. Locks the organization's row, so that one request at a time
    changes the look.
    """
    organizations.get(session, account_id, lock=True)
    kept = session.get(Branding, account_id)
    if kept is None:
        kept = Branding(
            account_id=account_id, studio_name="", updated_at=now, state=WorkState.DONE, next_attempt_at=now
        )
        session.add(kept)
    return kept
