"""What a photo shows, and what each ordered step would do, before it is ordered or after a step declined."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column

from app.database import Base, ModelJson, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.models.leased import PostponableWork, due_index
from engine.types.edit_request import EditRequest


class StoredOutlook(PostponableWork, Base):
    """The outlook of one stored file for one edit request, read by a worker.

    `folder`: the prefix of the file's key, and `livemode`: as in Preview. `digest`: of the file, the edit request
    and the engine. `content`: engine.types.outlook.Outlook as JSON, None until it is read; `error`: why it cannot
    be read. `layout_preview`: a JPEG file of the furnished room, where the request places furniture.
    """

    __tablename__ = "outlook"
    __table_args__ = (
        UniqueConstraint("source_key", "digest"),
        Index("ix_outlook_account_state", "account_id", "state"),
        due_index("outlook"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.OUTLOOK))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    source_key: Mapped[str] = mapped_column(String(200))
    folder: Mapped[str] = mapped_column(String(120), index=True)
    livemode: Mapped[bool] = mapped_column(default=True)
    digest: Mapped[str] = mapped_column(String(64))
    edit_request: Mapped[EditRequest] = mapped_column(ModelJson(EditRequest))
    content: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    error: Mapped[str | None] = mapped_column(Text)
    layout_preview: Mapped[bytes | None] = deferred(mapped_column(LargeBinary))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
