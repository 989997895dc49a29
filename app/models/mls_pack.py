"""Packs of an order's pictures for listing services."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, ModelJson, UtcDateTime
from app.domain.disclosure.pack_warnings import PackWarnings
from app.domain.ids import Prefix, new_id
from app.models.leased import PostponableWork, due_index


class MlsPack(PostponableWork, Base):
    """The pictures of a job for the listing service that the rule `mls` is of, in one ZIP that a worker makes.

    Done, it has a `storage_key`, or `error` says why there can be none. `digest`: of all that it is made from;
    `labeled`: with labels where the rules leave that open. `picture_count` counts its pictures, `size_bytes` its
    bytes. `outdated_at`: since when a picture that it holds has another in its place.
    """

    __tablename__ = "mls_pack"
    __table_args__ = (
        UniqueConstraint("job_id", "mls"),
        Index("ix_mls_pack_account", "account_id"),
        due_index("mls_pack"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.MLS_PACK))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"))
    mls: Mapped[str] = mapped_column(String(40))
    rule_version: Mapped[int]
    labeled: Mapped[bool]
    digest: Mapped[str] = mapped_column(String(64))
    warnings: Mapped[PackWarnings] = mapped_column(ModelJson(PackWarnings))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    storage_key: Mapped[str | None] = mapped_column(String(200))
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    picture_count: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(Text)
    outdated_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
