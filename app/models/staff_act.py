"""The permanent log of what members of staff did."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.staff import StaffAction


class StaffAct(Base):
    """One act on a job or an account, written in the same transaction as its effect; never changed."""

    __tablename__ = "staff_act"
    __table_args__ = (
        Index("ix_staff_act_job", "job_id", "id"),
        Index("ix_staff_act_account", "account_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    staff_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    job_id: Mapped[str | None] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(String(32))
    action: Mapped[StaffAction]
    detail: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
