"""Results sent back as not right: one row for each round."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Base, Credits, UtcDateTime
from app.domain.flaws import Flaw
from app.domain.ids import Prefix, new_id
from app.domain.revisions import RevisionOutcome, RevisionReason, RevisionStatus
from app.models.leased import partial_index
from app.models.picture import StoredPicture

OPEN = "outcome IS NULL"


class Revision(Base):
    """One round in which a result was sent back: what its owner said (`flaw`, `message`, the step it is to be made
    again `without`), the picture `before`, and the one that is, or was, `made` in its place, if anything was tried.

    Open while it has no `outcome`. With no picture to wait for, and still open, it waits for a reviewer; `reason`
    says why. `asked_by` is the reviewer who had it made, `decided_by` the one who ended it with an `answer`; None
    where the checks did. `credits_refunded` were refunded with it. It `counts` as one of MAX_ROUNDS
    unless it was taken back before anybody tried anything.

    Before delivery a reviewer may begin rounds too (`by_reviewer`), counted apart: then the `message` is theirs,
    and it is open only while the picture is made. The result's owner hears nothing of them.
    """

    __tablename__ = "revision"
    __table_args__ = (
        UniqueConstraint("result_id", "by_reviewer", "round"),
        Index("ix_revision_account", "account_id"),
        partial_index("uq_revision_open", OPEN, "result_id", unique=True),
        partial_index("ix_revision_oldest_open", OPEN, "created_at", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.REVISION))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id", ondelete="CASCADE"))
    result_id: Mapped[str] = mapped_column(ForeignKey("result.id", ondelete="CASCADE"))
    by_reviewer: Mapped[bool] = mapped_column(default=False)
    round: Mapped[int]
    flaw: Mapped[Flaw]
    message: Mapped[str] = mapped_column(Text, default="")
    without: Mapped[str | None] = mapped_column(String(40))
    before_id: Mapped[str] = mapped_column(ForeignKey("picture.id"))
    made_id: Mapped[str | None] = mapped_column(ForeignKey("picture.id"), index=True)
    outcome: Mapped[RevisionOutcome | None]
    reason: Mapped[RevisionReason | None]
    answer: Mapped[str] = mapped_column(Text, default="")
    asked_by: Mapped[str | None] = mapped_column(String(32))
    decided_by: Mapped[str | None] = mapped_column(String(32))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    credits_refunded: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    counts: Mapped[bool] = mapped_column(default=True)

    before: Mapped[StoredPicture] = relationship(foreign_keys=[before_id], lazy="joined", innerjoin=True)
    made: Mapped[StoredPicture | None] = relationship(foreign_keys=[made_id], lazy="joined")

    @property
    def status(self) -> RevisionStatus:
        """Where it stands."""
        if self.outcome is not None:
            return RevisionStatus.DONE
        in_review = self.made is None or self.made.is_settled
        return RevisionStatus.IN_REVIEW if in_review else RevisionStatus.MAKING

    @property
    def new_picture(self) -> StoredPicture | None:
        """The one that was made in it; None where there is none (yet)."""
        return self.made if self.made is not None and self.made.storage_key is not None else None

    @property
    def is_taken_back(self) -> bool:
        """Whether credits went back for what the picture in its place is without: then the one before is the
        customer's no longer.
        """
        return self.outcome is RevisionOutcome.REVISED and self.credits_refunded > 0
