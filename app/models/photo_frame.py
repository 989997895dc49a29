"""The frames of photos that were taken in several exposures."""

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base


class PhotoFrame(Base):
    """One of the two to nine frames that become one photo, at its `place` among them, from 0.

    `sha256`: of the file, once it was read. A photo of a single file has none.
    """

    __tablename__ = "photo_frame"

    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    storage_key: Mapped[str] = mapped_column(String(200))
    file_name: Mapped[str] = mapped_column(String(255))
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str | None] = mapped_column(String(64))
