"""Events of jobs, which webhooks report, and heartbeats of background processes."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id


class Event(Base):
    """One event, written in the transaction of the change that it reports (a test event reports no change).

    `body`: what is sent, the same in every delivery and attempt. `number`: its place among the events of its
    account, in the order of commits; None for test events.
    """

    __tablename__ = "event"
    __table_args__ = (
        Index("uq_event_account_number", "account_id", "number", unique=True),
        Index("ix_event_account_name", "account_id", "name", "number"),
        Index("ix_event_old", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.EVENT))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str | None] = mapped_column(ForeignKey("job.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    number: Mapped[int | None] = mapped_column(BigInteger)


class EventCount(Base):
    """How many events an account has had, which is the number of its last one."""

    __tablename__ = "event_count"

    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)


class Heartbeat(Base):
    """When a background process last showed that it runs."""

    __tablename__ = "heartbeat"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(UtcDateTime)
