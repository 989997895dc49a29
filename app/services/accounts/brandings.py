"""How organizations present themselves to their clients: kept, shown, removed."""

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.branding import check_logo, read_color, read_studio_name
from app.domain.errors import InvalidRequest, require_found
from app.domain.lifecycle import UNDONE, WorkState
from app.models import Branding
from app.services.accounts import logos, organizations


@dataclass(frozen=True, slots=True)
class StudioLook:
    """A studio's look as a page needs it; whatever was not chosen is empty or None.

    `logo_awaited`: whether another logo was sent and is being made; `logo_fault`: why that could not be.
    """

    studio_name: str = ""
    color: str | None = None
    logo_size: tuple[int, int] | None = None
    logo_digest: str | None = None
    logo_awaited: bool = False
    logo_fault: str | None = None

    @property
    def shown_size(self) -> tuple[int, int]:
        """How large the logo is shown, in pixels of the page: half its own size, for screens that are finer."""
        width, height = self.logo_size or (0, 0)
        return ceil(width / 2), ceil(height / 2)


def find(session: Session, account_id: str) -> StudioLook:
    """The look of the account; an empty one where nothing was chosen. The logo itself is read by get_logo()."""
    kept = session.get(Branding, account_id)
    if kept is None:
        return StudioLook()
    size = (kept.logo_width or 0, kept.logo_height or 0) if kept.logo_digest else None
    awaited = kept.state in UNDONE
    return StudioLook(kept.studio_name, kept.color, size, kept.logo_digest, awaited, kept.logo_fault)


def get_logo(session: Session, account_id: str) -> bytes:
    """The account's logo, a PNG. Raises NotFound where there is none."""
    return require_found(session.scalar(select(Branding.logo).where(Branding.account_id == account_id)))


def update(
    session: Session, account_id: str, studio_name: str, color: str, logo: bytes | None, now: datetime
) -> None:
    """Keep name and color, have another logo made where one was sent. Raises InvalidRequest with every fault."""
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
    kept = _held(session, account_id, now)
    kept.studio_name, kept.color, kept.updated_at = name, chosen, now
    if logo is not None:
        logos.send(session, kept, logo, now)


def remove_logo(session: Session, account_id: str, now: datetime) -> None:
    """Show no logo any more, and make none of what was sent; harmless where there is none."""
    kept = _held(session, account_id, now)
    logos.remove(kept)
    kept.updated_at = now


def forget(session: Session, account_id: str) -> None:
    """Keep nothing of it."""
    session.execute(delete(Branding).where(Branding.account_id == account_id))


def _held(session: Session, account_id: str, now: datetime) -> Branding:
    """The account's row, made where there is none, held with its organization."""
    organizations.get(session, account_id, hold=True)
    kept = session.get(Branding, account_id)
    if kept is None:
        kept = Branding(
            account_id=account_id, studio_name="", updated_at=now, state=WorkState.DONE, next_attempt_at=now
        )
        session.add(kept)
    return kept
