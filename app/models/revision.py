"""Results sent back as not right: one row for each round."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, Credits, ModelJson, UtcDateTime
from app.domain.catalogue import Cost
from app.domain.complaints import Flaw
from app.domain.ids import Prefix, new_id
from app.domain.revisions import (
    FIRST_ROUND,
    MAX_ROUNDS,
    KeptPicture,
    RevisionOutcome,
    RevisionReason,
    RoundSettings,
)
from app.models.leased import PostponableWork, due_index, partial_index

OPEN = "outcome IS NULL"


class Revision(PostponableWork, Base):
    """One round in which a result was sent back: what its owner said (`flaw`, `words`, the step it is to be made
    again `without`), the picture `before`, and what was made with `settings` in its place, where anything was.

    Open while it has no `outcome`. Worked on like a photo, by `cost`; done with that and still open it waits for a
    reviewer, `reason` says why. `asked_by` is the reviewer who had it made, `decided_by` the one who ended it with
    an `answer`; None where the checks did. `credits_refunded` came back with it.

    Before delivery a reviewer may begin rounds too, numbered below FIRST_ROUND: then `words` are theirs, and it is
    open only while the picture is made. The result's owner hears nothing of them.
    """

    __tablename__ = "revision"
    __table_args__ = (
        UniqueConstraint("result_id", "round"),
        Index("ix_revision_account", "account_id"),
        Index("uq_revision_open", "result_id", unique=True, postgresql_where=text(OPEN), sqlite_where=text(OPEN)),
        partial_index("ix_revision_oldest_open", OPEN, "created_at", "id"),
        due_index("revision"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=lambda: new_id(Prefix.REVISION))
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("job.id"), index=True)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id", ondelete="CASCADE"))
    result_id: Mapped[str] = mapped_column(ForeignKey("result.id", ondelete="CASCADE"))
    round: Mapped[int]
    flaw: Mapped[Flaw]
    words: Mapped[str] = mapped_column(Text, default="")
    without: Mapped[str | None] = mapped_column(String(40))
    settings: Mapped[RoundSettings | None] = mapped_column(ModelJson(RoundSettings))
    cost: Mapped[Cost]
    before: Mapped[KeptPicture] = mapped_column(ModelJson(KeptPicture))
    made: Mapped[KeptPicture | None] = mapped_column(ModelJson(KeptPicture))
    outcome: Mapped[RevisionOutcome | None]
    reason: Mapped[RevisionReason | None]
    answer: Mapped[str] = mapped_column(Text, default="")
    asked_by: Mapped[str | None] = mapped_column(String(32))
    decided_by: Mapped[str | None] = mapped_column(String(32))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    credits_refunded: Mapped[Decimal] = mapped_column(Credits, default=Decimal(0))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)

    @property
    def is_rework(self) -> bool:
        """Whether a reviewer began it, before delivery."""
        return self.round < FIRST_ROUND

    @property
    def number(self) -> int:
        """Which round it is of those that its owner began, or of those that reviewers did, from 1."""
        return self.round + MAX_ROUNDS if self.is_rework else self.round

    @property
    def is_taken_back(self) -> bool:
        """Whether credits went back for what the picture in its place is without: then the one before is the
        customer's no longer.
        """
        return self.outcome is RevisionOutcome.REVISED and self.credits_refunded > 0

    @property
    def counts(self) -> bool:
        """Whether it is one of MAX_ROUNDS: not if it was taken back before anybody tried anything."""
        untouched = self.attempts == 0 and self.made is None and self.asked_by is None
        return self.outcome is not RevisionOutcome.WITHDRAWN or not untouched
