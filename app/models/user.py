"""People who sign in, and the organizations they belong to."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.roles import Role
from app.models.organization import Organization


class User(Base):
    """A person who signs in: a member of a customer's organization, or of staff.

    `confirmed_at`: when the e-mail address was confirmed; until then the user cannot sign in. Two-factor:
    `totp_secret` is encrypted and in force from `totp_since`; codes of the time step `totp_last_step` or earlier
    are refused. `mails_off`: the notices that the user switched off. A deleted user keeps the row, without personal
    data, for the log of what they did as staff.
    """

    # "user" is a reserved word of PostgreSQL.
    __tablename__ = "users"
    __table_args__ = (
        Index("ix_users_staff", "is_staff", "created_at", "id"),
        # On PostgreSQL sorted by bytes (see the migration), for searches by the beginning of an e-mail or name.
        Index("ix_users_email", "email", "id"),
        Index("ix_users_name", "name", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.USER))
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(200), default="")
    password_hash: Mapped[str | None] = mapped_column(String(200))
    is_staff: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    totp_secret: Mapped[str | None] = mapped_column(Text)
    totp_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    totp_last_step: Mapped[int | None] = mapped_column(BigInteger)
    mails_off: Mapped[list[str]] = mapped_column(JSON, default=list)


class Membership(Base):
    """Says that a user acts for an organization, and in which role. At least one member is its owner.

    `chosen_at`: when the user last chose to act for it: a new sign-in begins with the organization chosen last.
    """

    __tablename__ = "membership"
    __table_args__ = (Index("ix_membership_organization", "organization_id", "created_at", "user_id"),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    organization_id: Mapped[str] = mapped_column(ForeignKey("account.id"), primary_key=True)
    role: Mapped[Role]
    chosen_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)

    user: Mapped[User] = relationship()
    organization: Mapped[Organization] = relationship()
