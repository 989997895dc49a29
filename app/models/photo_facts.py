"""Facts about the files of upload sessions that are not ordered yet."""

from datetime import datetime

from sqlalchemy import JSON, DateTime, Double, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base
from engine.types.enhancements import PhotoType
from engine.types.report import Reason


class PhotoFacts(Base):
    """Facts that a worker read from one file while it made its previews; deleted with them. FileFacts explains the
    columns.

    `fault`: why the picture could not be read; then all other facts except `sha256` are NULL.
    """

    __tablename__ = "photo_facts"

    storage_key: Mapped[str] = mapped_column(String(200), primary_key=True)
    upload_session_id: Mapped[str] = mapped_column(String(32), index=True)
    sha256: Mapped[str | None] = mapped_column(String(64))
    width: Mapped[int | None]
    height: Mapped[int | None]
    taken_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=False))
    exposure_value: Mapped[float | None] = mapped_column(Double)
    flash_fired: Mapped[bool | None]
    perceptual_hash: Mapped[str | None] = mapped_column(String(16))
    view_signature: Mapped[str | None] = mapped_column(String(128))
    brightness: Mapped[float | None] = mapped_column(Double)
    guessed_type: Mapped[PhotoType | None]
    place: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))
    not_kept: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    fault: Mapped[Reason | None]
