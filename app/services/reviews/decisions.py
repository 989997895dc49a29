"""Reviews by people: decisions and the end by whoever has claimed the job, and what ending it will do."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import Status
from app.domain.quality import Verdict
from app.domain.reviews import MAX_REASON
from app.domain.staff import StaffAction
from app.models import Job, Photo, Result
from app.services.billing import refunds
from app.services.photos import quality
from app.services.photos.quality import Decision
from app.services.reviews import claims
from app.services.security import staff_acts

_ACTIONS = {Verdict.APPROVED: StaffAction.APPROVE, Verdict.REJECTED: StaffAction.REJECT}


@dataclass(frozen=True, slots=True)
class DecisionEffect:
    """What finishing a review does: counts of results, what the job becomes and the credits that go back.

    `becomes` is None, and nothing goes back, while results are undecided. `seal` stands for these very decisions.
    """

    approved: int
    rejected: int
    undecided: int
    becomes: Status | None
    refunded: Decimal
    seal: str

    @property
    def total(self) -> int:
        """How many results there are or will be."""
        return self.approved + self.rejected + self.undecided

    @property
    def decided(self) -> int:
        """How many of them are decided."""
        return self.approved + self.rejected


def decide(session: Session, job_id: str, image_id: str, decision: Decision, now: datetime) -> None:
    """Approve or reject one result of a job that the reviewer holds, which renews the claim.

    Raises NotFound, Conflict when they do not hold it, InvalidRequest like quality.decide() and for a long reason.
    """
    of = claims.get_claimed(session, decision.reviewer_id, job_id, now)
    result = session.get(Result, image_id) if is_id(image_id, Prefix.IMAGE) else None
    if result is None or result.job_id != job_id:
        raise NotFound
    if decision.verdict is Verdict.REJECTED and len(decision.reason) > MAX_REASON:
        raise InvalidRequest({"reason": f"Say it in at most {MAX_REASON} characters."})
    quality.decide(session, image_id, decision, now)
    claims.renew(of, now)
    file_name = session.get_one(Photo, result.photo_id).file_name
    detail = f"{file_name}: {result.message}" if result.message else file_name
    staff_acts.record(session, decision.reviewer_id, _ACTIONS[decision.verdict], job_id, now, detail)


def effect(session: Session, job_id: str) -> DecisionEffect:
    """What finishing would do now, told by the very code that does it. Raises NotFound."""
    return compute_effect(claims.job(session, job_id), quality.photos_of(session, job_id))


def compute_effect(of: Job, photos: Sequence[Photo]) -> DecisionEffect:
    """The same for a job whose photos are at hand."""
    verdicts = [photo.result.verdict if photo.result else Verdict.UNDECIDED for photo in photos]
    undecided = verdicts.count(Verdict.UNDECIDED)
    end = None if undecided else quality.settlement(of, photos)
    return DecisionEffect(
        approved=verdicts.count(Verdict.APPROVED),
        rejected=verdicts.count(Verdict.REJECTED),
        undecided=undecided,
        becomes=end.becomes if end else None,
        refunded=refunds.total(end.refunds) if end else Decimal(0),
        seal=_seal(photos),
    )


def finish(session: Session, staff_id: str, job_id: str, seal: str, now: datetime) -> DecisionEffect:
    """End the review of a job that the reviewer holds; what it did. `seal`: of the effect the reviewer was told.

    Raises NotFound, and Conflict when they do not hold it, results are undecided, or the effect is another by now.
    """
    of = claims.get_claimed(session, staff_id, job_id, now)
    effect = compute_effect(of, quality.photos_of(session, job_id))
    if effect.becomes is not None and effect.seal != seal:
        raise Conflict("A decision was changed since you were shown what finishing does. Read it again.")
    quality.finish(session, job_id, now)
    claims.let_go(of)
    detail = (
        f"{effect.approved} approved, {effect.rejected} rejected, {effect.refunded:f} credits back: {of.status}"
    )
    staff_acts.record(session, staff_id, StaffAction.FINISH, job_id, now, detail)
    return effect


def _seal(photos: Sequence[Photo]) -> str:
    words = [f"{photo.id} {photo.result.verdict} {photo.result.message}" for photo in photos if photo.result]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
