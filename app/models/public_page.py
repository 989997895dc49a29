"""Public pages: originals beside altered pictures, for everyone who sees the advertisement."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, ModelJson, UtcDateTime
from app.domain.content_credentials import CredentialKind
from app.domain.ids import Prefix, new_id
from app.models.leased import partial_index
from engine.types.report import QualityReport


class PublicPage(Base):
    """The public page of one job, at the URL that ends with `token`, until `expires_at` or until it is revoked.

    `address`: of the property, None if the owner does not show it. `jurisdiction`: the id of the law that requires
    the page. `purged_at`: when its files were removed, except files that its job still has or another page shows.
    """

    __tablename__ = "public_page"
    __table_args__ = (
        Index("ix_public_page_job", "job_id", "created_at"),
        Index("ix_public_page_account", "account_id"),
        Index("ix_public_page_ends", "purged_at", "expires_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.PUBLIC_PAGE))
    token: Mapped[str] = mapped_column(String(16), unique=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"))
    jurisdiction: Mapped[str] = mapped_column(String(40))
    address: Mapped[str | None] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    purged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    pictures: Mapped[list["PublicPicture"]] = relationship(order_by="PublicPicture.number")


class PublicPicture(Base):
    """One altered picture on a public page, with its original and its quality report.

    `number`: the photo's place in the order. `original_sha256`, `altered_sha256`: of the two files. `copy_sha256`:
    of the original's copy for the public, None until that is made. `engine_version`, `credentials`: of the altered
    file; None if it was made before they were recorded. `looked_at`: when the store was last asked for the
    original; `original_lost_at`: since when the original is missing from the store.
    """

    __tablename__ = "public_picture"
    __table_args__ = (
        Index("ix_public_picture_original", "original_key"),
        partial_index("ix_public_picture_lost", "original_lost_at IS NOT NULL", "original_lost_at"),
    )

    public_page_id: Mapped[str] = mapped_column(ForeignKey("public_page.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    image_id: Mapped[str] = mapped_column(String(32))
    file_name: Mapped[str] = mapped_column(String(255))
    original_key: Mapped[str] = mapped_column(String(200))
    altered_key: Mapped[str] = mapped_column(String(200))
    enhancements: Mapped[list[str]] = mapped_column(JSON)
    caption: Mapped[str] = mapped_column(String(100))
    report: Mapped[QualityReport] = mapped_column(ModelJson(QualityReport))
    original_sha256: Mapped[str | None] = mapped_column(String(64))
    copy_sha256: Mapped[str | None] = mapped_column(String(64))
    altered_sha256: Mapped[str | None] = mapped_column(String(64))
    engine_version: Mapped[str | None] = mapped_column(String(40))
    credentials: Mapped[CredentialKind | None]
    original_lost_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    looked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
