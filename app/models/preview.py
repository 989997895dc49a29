"""Small pictures of photos and results, for pages."""

from datetime import datetime

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.content_credentials import CredentialKind
from app.models.leased import PostponableWork, due_index


class Preview(PostponableWork, Base):
    """The small pictures of one stored file, made by a worker. `error`: why they cannot be made.

    `folder`: the prefix of the keys of the file and its previews, which are deleted together. `livemode`: False for
    files of sandboxes, which workers take last. `label`: a full-size copy with this text in it is made too;
    `credentials` is the kind signed into that copy. `wants_public`: a full-size copy without metadata is made too.
    `wants_copies`: smaller copies to download are made too; `copies`: the bytes of each copy in the store, by its
    name, including the labeled one. `width`, `height`: of the source, upright, in pixels. `holds`: the personal
    details in the source's metadata, as values of PersonalDetail; None until a worker has read them.
    """

    __tablename__ = "preview"
    __table_args__ = (Index("ix_preview_due", "state", "next_attempt_at"), due_index("preview"))

    source_key: Mapped[str] = mapped_column(String(200), primary_key=True)
    folder: Mapped[str] = mapped_column(String(120), index=True)
    livemode: Mapped[bool] = mapped_column(default=True)
    label: Mapped[str | None] = mapped_column(String(100))
    error: Mapped[str | None] = mapped_column(Text)
    width: Mapped[int | None]
    height: Mapped[int | None]
    credentials: Mapped[CredentialKind | None]
    wants_public: Mapped[bool] = mapped_column(default=False)
    wants_copies: Mapped[bool] = mapped_column(default=False)
    copies: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    holds: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
