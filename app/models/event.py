"""Events of jobs, which webhooks report, and heartbeats of background processes."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id


class Event(Base):
    """One event, written in the transaction of the change that it reports (a test event reports no change).

    `body`: what is sent, the same in every delivery and attempt.
    """

    __tablename__ = "event"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.EVENT))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    job_id: Mapped[str | None] = mapped_column(ForeignKey("job.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Heartbeat(Base):
    """When a background process last showed that it runs."""

    __tablename__ = "heartbeat"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(UtcDateTime)
