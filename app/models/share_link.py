"""Links by which a client without an account sees an order's results, and what clients answer."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, UtcDateTime
from app.domain.ids import Prefix, new_id
from app.domain.shares import ShareVerdict


class ShareLink(Base):
    """One link to the results of a job: over at `expires_at`, once it is revoked, or with the pictures.

    It opens by its token, looked up by `token_digest`; `token` is the same sealed, for its owner to copy again.
    `title` is what the client reads above the pictures, `last_seen_at` when they last did; `commented_at` is when
    they first said something of a picture.
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
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    commented_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    response: Mapped["ShareResponse | None"] = relationship()
    comments: Mapped[list["ShareComment"]] = relationship(order_by="ShareComment.number")


class ShareResponse(Base):
    """What a client says of all pictures of a share link; `changes` counts how often they said it anew."""

    __tablename__ = "share_response"

    share_link_id: Mapped[str] = mapped_column(ForeignKey("share_link.id"), primary_key=True)
    verdict: Mapped[ShareVerdict]
    name: Mapped[str] = mapped_column(String(200), default="")
    email: Mapped[str] = mapped_column(String(320), default="")
    message: Mapped[str] = mapped_column(Text, default="")
    changes: Mapped[int] = mapped_column(default=0)
    said_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ShareComment(Base):
    """What a client says of one picture: that it is a favorite, and their own words; `number` is the photo's place
    in the order.
    """

    __tablename__ = "share_comment"

    share_link_id: Mapped[str] = mapped_column(ForeignKey("share_link.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    image_id: Mapped[str] = mapped_column(String(32))
    favorite: Mapped[bool]
    text: Mapped[str] = mapped_column(Text, default="")
    said_at: Mapped[datetime] = mapped_column(UtcDateTime)
