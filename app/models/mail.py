"""Outgoing mail."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.models.leased import Work, due_index


class Mail(Work, Base):
    """An e-mail, written in the transaction of the change that it reports. Its work is done when it was sent or
    given up; `error` says why it was given up. `picture_keys`: the storage keys of pictures that it shows too.
    """

    __tablename__ = "mail"
    __table_args__ = (Index("ix_mail_due", "state", "next_attempt_at"), due_index("mail"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.MAIL))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    to: Mapped[str] = mapped_column(String(320))
    subject: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    picture_keys: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
