"""Packs of an order's pictures for listing services."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, ModelJson, UtcDateTime
from app.domain.disclosure.pack_warnings import PackWarnings
from app.domain.ids import Prefix, new_id
from app.models.leased import PostponableWork, due_index


class MlsPack(PostponableWork, Base):
    """The pictures of a job for one listing service, in one ZIP that a worker makes.

    `mls`: the id of the listing service's rule, `rule_version` its version. `labeled`: labels are written into
    pictures where the rules allow but do not require it. `digest`: of everything that the pack is made from.
    `storage_key`: None until the ZIP is made; `error`: why it cannot be made. `picture_count` and `size_bytes`: of
    the ZIP. `outdated_at`: when one of its pictures was replaced.
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
