"""How people prove who they are: sign-ins, links sent by mail, recovery codes, known browsers."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.links import LinkPurpose


class SignIn(Base):
    """One signed-in browser, until `expires_at`, which every use moves later. `digest`: of the secret in its
    cookie; without this row the cookie is not accepted. `account_id`: the organization that its user acts for.
    """

    __tablename__ = "sign_in"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.SIGN_IN))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    user_agent: Mapped[str] = mapped_column(String(300), default="")
    address: Mapped[str] = mapped_column(String(64), default="")
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class MailedLink(Base):
    """A link sent by mail to `email`, which works once; only the digest of its secret is stored."""

    __tablename__ = "mailed_link"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    purpose: Mapped[LinkPurpose]
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    email: Mapped[str] = mapped_column(String(320))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class RecoveryCode(Base):
    """A code that replaces a two-factor code once, for users without their device; only its digest is stored."""

    __tablename__ = "recovery_code"

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class KnownBrowser(Base):
    """A browser in which a user has signed in. `digest`: of its user agent and network, or of the secret in its
    cookie; the row with an empty digest only records that the user has signed in before.
    """

    __tablename__ = "known_browser"
    __table_args__ = (UniqueConstraint("user_id", "digest"),)

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    digest: Mapped[str] = mapped_column(String(64))
    last_seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
