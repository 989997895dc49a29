"""Forms that users sent after their sign-in had ended."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime


class KeptForm(Base):
    """The last form that a user sent after their sign-in had ended, without secrets. The service did not act on it.

    `account_id`: the account for which the user acted. `path`: where the form was sent to. `fields`: pairs of name
    and value as JSON, encrypted. `led_at`: when the user, after signing in again, was redirected to the form; that
    happens once.
    """

    __tablename__ = "kept_form"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    path: Mapped[str] = mapped_column(String(300))
    fields: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    led_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
