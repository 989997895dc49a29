"""Orders not yet placed: what was filled in so far, and the photos uploaded for them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.catalogue import PhotoType
from app.domain.ids import Prefix, new_id


class Draft(Base):
    """One order being filled in. `content` is a domain.drafts.Content; `job_id` is the order it became.

    `version` grows with every change of `content`, so that two tabs cannot overwrite each other unseen.
    """

    __tablename__ = "draft"
    __table_args__ = (
        Index("ix_draft_account", "account_id", "job_id", "updated_at"),
        Index("ix_draft_updated_at", "updated_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.DRAFT))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    upload_session_id: Mapped[str] = mapped_column(String(32), unique=True)
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    version: Mapped[int] = mapped_column(default=1)
    job_id: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)

    photos: Mapped[list["DraftPhoto"]] = relationship(
        order_by="(DraftPhoto.type, DraftPhoto.position, DraftPhoto.id)", back_populates="draft"
    )


class DraftPhoto(Base):
    """One file of a draft: a photo at its place among those of its type, or a reference picture for a renovation.

    `wish` is a domain.drafts.PhotoWish, or None while the photo shares what is chosen for all. It is uploaded
    once `uploaded_at` is there.
    """

    __tablename__ = "draft_photo"
    __table_args__ = (Index("ix_draft_photo_draft", "draft_id", "is_reference", "type", "position"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.DRAFT_PHOTO))
    draft_id: Mapped[str] = mapped_column(ForeignKey("draft.id"))
    type: Mapped[PhotoType]
    is_reference: Mapped[bool] = mapped_column(default=False)
    position: Mapped[int]
    file_name: Mapped[str] = mapped_column(String(255))
    storage_key: Mapped[str] = mapped_column(String(200), unique=True)
    size_bytes: Mapped[int] = mapped_column(default=0)
    wish: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    uploaded_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    draft: Mapped[Draft] = relationship(back_populates="photos")
