"""The frames (exposures) of photos that were taken in several exposures."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class PhotoFrame(Base):
    """One of the two to nine frames of one photo; `place` counts them from 0. A photo of a single file has no
    frames.

    `sha256`: of the file, None until a worker has read it.
    """

    __tablename__ = "photo_frame"

    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    storage_key: Mapped[str] = mapped_column(String(200))
    file_name: Mapped[str] = mapped_column(String(255))
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str | None] = mapped_column(String(64))
