"""What members of an organization have in common: invitations, and the log of what each of them did."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.roles import Role
from app.models.leased import partial_index
from app.models.organization import Organization
from app.models.user import User

IS_OPEN = "accepted_at IS NULL AND revoked_at IS NULL"
IS_OF_SOMEBODY = "concerned_id IS NOT NULL"


class Invitation(Base):
    """An invitation to become a member, mailed to `email`. `digest`: of the secret of its link.

    It is open until it is accepted or revoked, and its link works until `expires_at`. At most one for an address is
    open.
    """

    __tablename__ = "invitation"
    __table_args__ = (
        Index("ix_invitation_organization", "organization_id", "created_at"),
        Index("ix_invitation_email", "email", "created_at"),
        partial_index("uq_invitation_open", IS_OPEN, "organization_id", "email", unique=True),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.INVITATION))
    organization_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    email: Mapped[str] = mapped_column(String(320))
    role: Mapped[Role]
    invited_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    accepted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    organization: Mapped[Organization] = relationship()
    inviter: Mapped[User] = relationship()


class Activity(Base):
    """Something that was done for an organization, written in the same transaction as its effect.

    `user_id`, `key_id`: the member or the API key that did it; both are None for what the service did. `event`: the
    value of a SecurityEvent; `about`: the name of the thing concerned, as it was then;
    `concerned_id`: the user, where it is one.
    """

    __tablename__ = "activity"
    __table_args__ = (
        Index("ix_activity_account", "account_id", "id"),
        partial_index("ix_activity_concerned", IS_OF_SOMEBODY, "concerned_id", "account_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    user_id: Mapped[str | None] = mapped_column(String(32))
    key_id: Mapped[str | None] = mapped_column(String(32))
    event: Mapped[str] = mapped_column(String(40))
    about: Mapped[str] = mapped_column(String(300), default="")
    concerned_id: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
