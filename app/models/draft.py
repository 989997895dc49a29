"""Orders not yet placed: what was filled in so far, and the photos uploaded for them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, ModelJson, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.models.leased import partial_index
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType

IS_REMOVED = "removed_at IS NOT NULL"
HAS_CONTENT = "sha256 IS NOT NULL AND removed_at IS NULL"


class Draft(Base):
    """One order being filled in. `content`: a domain.drafts.Content as JSON.

    `job_id`: the order that was placed from it; `further_job_ids`: further orders, where it had more photos than
    one order may have. `last_merge`: the groups of frames that were merged together last. `version` grows with
    every change of `content`, so that two browser tabs cannot overwrite each other's changes without noticing.
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
    further_job_ids: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    last_merge: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)

    photos: Mapped[list["DraftPhoto"]] = relationship(
        order_by="(DraftPhoto.type, DraftPhoto.position, DraftPhoto.id)", back_populates="draft"
    )


class DraftPhoto(Base):
    """One file of a draft: a photo, or a reference picture for a renovation.

    `position`: its place among the photos of its type; new photos follow all others. `uploaded_at`: None until it
    is uploaded; `expected_until`: when its upload counts as lost, unless a page says before that it is under way.
    `sha256`: of its content, None until that is known; no two photos of a draft have the same. `removed_at`: when
    the customer removed it, which can still be undone. `type_is_chosen`: the customer chose the type, so no guess
    changes it.
    Photos with the same `group_id` are frames of one photo; the first of them by position has the edit request.
    `capture`: a domain.capture.Capture as JSON, as the page sent it.
    """

    __tablename__ = "draft_photo"
    __table_args__ = (
        Index("ix_draft_photo_draft", "draft_id", "is_reference", "type", "position"),
        partial_index("ix_draft_photo_content", HAS_CONTENT, "draft_id", "sha256", unique=True),
        partial_index("ix_draft_photo_removed", IS_REMOVED, "removed_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.DRAFT_PHOTO))
    draft_id: Mapped[str] = mapped_column(ForeignKey("draft.id"))
    type: Mapped[PhotoType]
    is_reference: Mapped[bool] = mapped_column(default=False)
    position: Mapped[int]
    file_name: Mapped[str] = mapped_column(String(255))
    storage_key: Mapped[str] = mapped_column(String(200), unique=True)
    size_bytes: Mapped[int] = mapped_column(default=0)
    edit_request: Mapped[EditRequest] = mapped_column(ModelJson(EditRequest), default=EditRequest())
    sha256: Mapped[str | None] = mapped_column(String(64))
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    type_is_chosen: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    uploaded_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    expected_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    group_id: Mapped[str | None] = mapped_column(String(32))
    capture: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    draft: Mapped[Draft] = relationship(back_populates="photos")
