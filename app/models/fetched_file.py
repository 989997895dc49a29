"""Files that workers fetch from customers' URLs."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.fetches import FetchFault
from app.models.leased import PostponableWork, due_index


class FetchedFile(PostponableWork, Base):
    """A file of an upload session that is fetched from `url`, which is removed once the fetch has ended. `fault`:
    why it could not be fetched, with the `http_status` of the server where it answered; None while it is fetched,
    and after success.

    The row is deleted with the session, when the session is ordered, or when another file is uploaded in its place.
    """

    __tablename__ = "fetched_file"
    __table_args__ = (Index("ix_fetched_file_account_state", "account_id", "state"), due_index("fetched_file"))

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    upload_session_id: Mapped[str] = mapped_column(ForeignKey("upload_session.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[str] = mapped_column(String(32))
    url: Mapped[str | None] = mapped_column(Text)
    fault: Mapped[FetchFault | None]
    http_status: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
