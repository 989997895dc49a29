"""How a studio presents itself to its clients."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, deferred, mapped_column

from app.database import Base, UtcDateTime
from app.models.leased import Work, due_index


class Branding(Work, Base):
    """An organization's own look on pages for its clients: name, phone, color as `#rrggbb`, and logo.

    `logo`: a small PNG that a worker encoded, `logo_width` x `logo_height` pixels, loaded only on access.
    `logo_digest`: the SHA-256 of `logo`. `sent_logo`: a new logo file as the customer sent it, until a worker has
    made a `logo` of it; `logo_fault`: why the worker could not, in words for the customer.
    """

    __tablename__ = "branding"
    __table_args__ = (due_index("branding"),)

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    studio_name: Mapped[str] = mapped_column(String(120), default="")
    phone: Mapped[str] = mapped_column(String(40), default="")
    color: Mapped[str | None] = mapped_column(String(7))
    logo: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    logo_width: Mapped[int | None]
    logo_height: Mapped[int | None]
    logo_digest: Mapped[str | None] = mapped_column(String(64))
    sent_logo: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    logo_fault: Mapped[str | None] = mapped_column(String(300))
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
