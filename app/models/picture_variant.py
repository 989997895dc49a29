"""Pictures made again of results with only some of their steps."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.catalogue import Cost
from app.domain.content_credentials import CredentialKind
from app.domain.ids import Prefix, new_id
from app.models.leased import PostponableWork, due_index


class PictureVariant(PostponableWork, Base):
    """One picture made again, by a worker, of a result with the steps `kept` alone; `kept_key` is the same as text.

    Done, it has a `storage_key`; or it `declined`: none of the steps could be made alone, so that the original is
    the picture; or `error`, a NoVariant, says why there is none. `cost`: of the steps; workers look
    for variants by it. `sha256`: of the stored file.
    """

    __tablename__ = "variant"
    __table_args__ = (UniqueConstraint("result_id", "kept_key"), due_index("variant"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.VARIANT))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    result_id: Mapped[str] = mapped_column(ForeignKey("result.id", ondelete="CASCADE"))
    kept: Mapped[list[str]] = mapped_column(JSON)
    kept_key: Mapped[str] = mapped_column(String(300))
    cost: Mapped[Cost]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    storage_key: Mapped[str | None] = mapped_column(String(200))
    media_type: Mapped[str | None] = mapped_column(String(40))
    width: Mapped[int | None]
    height: Mapped[int | None]
    size_bytes: Mapped[int | None]
    sha256: Mapped[str | None] = mapped_column(String(64))
    credentials: Mapped[CredentialKind | None]
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    declined: Mapped[bool] = mapped_column(default=False)
    error: Mapped[str | None] = mapped_column(String(40))
