"""How a studio presents itself to its clients."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, deferred, mapped_column

from app.database import Base, UtcDateTime
from app.models.leased import Work, due_index


class Branding(Work, Base):
    """An organization's own look on pages for its clients: name, color as `#rrggbb`, and logo.

    `logo` is a PNG that was encoded here, of `logo_width` x `logo_height` pixels; it is small, and read alone.
    `logo_digest`: its SHA-256. `sent_logo`: another one as it was sent, until a worker has made a logo of it;
    `logo_fault`: why that could not be, in words for the customer.
    """

    __tablename__ = "branding"
    __table_args__ = (due_index("branding"),)

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    studio_name: Mapped[str] = mapped_column(String(120), default="")
    color: Mapped[str | None] = mapped_column(String(7))
    logo: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    logo_width: Mapped[int | None]
    logo_height: Mapped[int | None]
    logo_digest: Mapped[str | None] = mapped_column(String(64))
    sent_logo: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    logo_fault: Mapped[str | None] = mapped_column(String(300))
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
