"""Links by which a client without an account sees an order's results, and what clients answer."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.shares import ShareVerdict


class ShareLink(Base):
    """One link to the results of a job. It works until `expires_at`, until it is revoked, or until the pictures are
    removed.

    `token_digest`: finds the row by the token in the URL; `token`: the same token, encrypted, so that the owner can
    copy the link again. `title`: shown to the client above the pictures. `last_seen_at`: when a client last opened
    it. `commented_at`: when a client first commented on a picture. `pin_digest`: the Argon2 hash of the PIN that
    clients enter once, None if they need none.
    """

    __tablename__ = "share_link"
    __table_args__ = (
        Index("ix_share_link_job", "job_id", "created_at"),
        Index("ix_share_link_account", "account_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.SHARE_LINK))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"))
    token_digest: Mapped[str] = mapped_column(String(64), unique=True)
    token: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(String(120), default="")
    may_download: Mapped[bool]
    pin_digest: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    commented_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    response: Mapped["ShareResponse | None"] = relationship()
    comments: Mapped[list["ShareComment"]] = relationship(order_by="ShareComment.number")


class ShareResponse(Base):
    """A client's answer about all pictures of a share link together; `changes` counts how often it was changed."""

    __tablename__ = "share_response"

    share_link_id: Mapped[str] = mapped_column(ForeignKey("share_link.id"), primary_key=True)
    verdict: Mapped[ShareVerdict]
    name: Mapped[str] = mapped_column(String(200), default="")
    email: Mapped[str] = mapped_column(String(320), default="")
    message: Mapped[str] = mapped_column(Text, default="")
    changes: Mapped[int] = mapped_column(default=0)
    said_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ShareComment(Base):
    """A client's answer about one picture: whether it is a favorite, and a `text`. `number`: the photo's place in
    the order.
    """

    __tablename__ = "share_comment"

    share_link_id: Mapped[str] = mapped_column(ForeignKey("share_link.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    image_id: Mapped[str] = mapped_column(String(32))
    favorite: Mapped[bool]
    text: Mapped[str] = mapped_column(Text, default="")
    said_at: Mapped[datetime] = mapped_column(UtcDateTime)
