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

IS_OPEN = "outcome IS NULL"


class Revision(Base):
    """One round in which a result was sent back.

    From the owner: `flaw`, `message`, and `without`, a step to leave out. `before`: the picture that was sent back,
    without a file where no step was done; `made`: the picture made to replace it, None if none was tried.

    A round is open while its `outcome` is None. An open round that is not waiting for a picture waits for a
    reviewer; `reason` says why. `asked_by`: the reviewer who had the picture made; `decided_by`: the reviewer who
    ended the round, with an `answer`; both are None if this was automatic. `credits_refunded`: the sum refunded
    because of the round. `counts`: whether it is one of the MAX_ROUNDS; a round that was withdrawn before anything
    was tried is not.

    Before delivery a reviewer may begin rounds too (`by_reviewer`), which are counted separately: `message` is then
    the reviewer's, and the round is open only while the picture is made. The result's owner is not notified of
    them.
    """

    __tablename__ = "revision"
    __table_args__ = (
        UniqueConstraint("result_id", "by_reviewer", "round"),
        Index("ix_revision_account", "account_id"),
        partial_index("uq_revision_open", IS_OPEN, "result_id", unique=True),
        partial_index("ix_revision_oldest_open", IS_OPEN, "created_at", "id"),
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
        """Done, being made, or waiting for a reviewer."""
        if self.outcome is not None:
            return RevisionStatus.DONE
        in_review = self.made is None or self.made.is_settled
        return RevisionStatus.IN_REVIEW if in_review else RevisionStatus.MAKING

    @property
    def new_picture(self) -> StoredPicture | None:
        """The picture made in this round; None while it is being made, and if it has no file."""
        return self.made if self.made is not None and self.made.storage_key is not None else None

    @property
    def lacked_result(self) -> bool:
        """Whether its photo had no usable result when the round began. Then its owner never had the picture
        `before`, the credits charged for the photo alone were refunded, and nothing more is refunded.
        """
        return self.flaw is Flaw.NO_RESULT

    @property
    def is_taken_back(self) -> bool:
        """Whether the picture `before` may no longer be downloaded: it was replaced, and the price of the steps
        that only it had was refunded.
        """
        return self.outcome is RevisionOutcome.REVISED and self.credits_refunded > 0
