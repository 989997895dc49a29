"""Reviews: which results need a reviewer, how reviewers claim jobs, and the usual reasons for rejections."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.mail_text import one_line
from engine.types.report import Certainty, QualityReport, Verdict

CLAIM_VALID_FOR = timedelta(minutes=20)
"""How long a reviewer's claim on a job is valid after the last act on the review; then another may take it over."""
WARN_BEFORE = timedelta(minutes=2)
"""The time before the end of a claim during which pages show that it ends soon."""
MAX_REASON = 300
"""The most characters of a reason, which the customer reads in the ledger line of the refund."""


USUAL_REASONS = (
    "Walls, windows or doors moved.",
    "Something is left over or smeared.",
    "Edges show a halo.",
    "Colors are off.",
    "Too dark or too bright.",
    "It is not what was ordered.",
)


class QcMode(StrEnum):
    """Who decides on finished pictures: always the checks (AUTO), the checks where they are sure and a reviewer
    otherwise (AUTO_REVIEW), or always a reviewer (MANUAL).
    """

    AUTO = "auto"
    AUTO_REVIEW = "auto+review"
    MANUAL = "manual"

    def verdict(self, report: QualityReport) -> Verdict:
        """The verdict of the checks on a picture with this report; UNDECIDED where a reviewer has to decide."""
        by_checks = Verdict.APPROVED if report.passed else Verdict.REJECTED
        unsure = self is QcMode.AUTO_REVIEW and report.certainty is Certainty.UNSURE
        return Verdict.UNDECIDED if unsure or self is QcMode.MANUAL else by_checks


class ClaimState(StrEnum):
    """The state of the claim on a job, as one reviewer sees it.

    RAN_OUT: the reviewer's own claim has run out, and nobody else has claimed the job. TAKEN_OVER: it has run out,
    and another reviewer has claimed the job.
    """

    CLOSED = "closed"
    FREE = "free"
    MINE = "mine"
    RAN_OUT = "ran_out"
    TAKEN = "taken"
    TAKEN_OVER = "taken_over"


@dataclass(frozen=True, slots=True)
class ReviewClaim:
    """The claim on a job, as one reviewer sees it.

    `holder`: the reviewer who has the job, if any; `until`: the end of the claim, past for RAN_OUT.
    """

    state: ClaimState
    holder: str = ""
    until: datetime | None = None

    @property
    def is_mine(self) -> bool:
        """Whether this reviewer has the job and may decide."""
        return self.state is ClaimState.MINE

    @property
    def is_claimable(self) -> bool:
        """Whether this reviewer may claim the job."""
        return self.state in (ClaimState.FREE, ClaimState.RAN_OUT)

    @property
    def refusal(self) -> str:
        """Why this reviewer may not decide now, in words."""
        at = f"{self.until:%H:%M} UTC" if self.until else ""
        return _REFUSALS[self.state].format(holder=self.holder, at=at)

    def ends_soon(self, now: datetime) -> bool:
        """Whether this reviewer has the job and the claim ends within WARN_BEFORE."""
        return self.is_mine and self.until is not None and self.until - now <= WARN_BEFORE


_REFUSALS: Mapping[ClaimState, str] = {
    ClaimState.CLOSED: "The order is not under review.",
    ClaimState.FREE: "Claim the order first: nobody has claimed it.",
    ClaimState.RAN_OUT: "Your claim ran out at {at}. Claim it again to continue; your decisions are kept.",
    ClaimState.TAKEN: "{holder} has claimed this order, until {at}.",
    ClaimState.TAKEN_OVER: "Your claim ran out and {holder} took the order over, until {at}.",
}


def claim_state(holder_id: str | None, until: datetime | None, staff_id: str, now: datetime) -> ClaimState:
    """The state, as reviewer `staff_id` sees it, of the claim of `holder_id` on a job under review."""
    if holder_id is None or until is None:
        return ClaimState.FREE
    is_valid = until > now
    if holder_id == staff_id:
        return ClaimState.MINE if is_valid else ClaimState.RAN_OUT
    return ClaimState.TAKEN if is_valid else ClaimState.FREE


def join_reason(usual: str, own: str) -> str:
    """A reason on one line, made of a usual reason, of own words, or of both."""
    return one_line(f"{usual} {own}")


def split_reason(reason: str) -> tuple[str, str]:
    """The two parts from which join_reason() made a stored reason: the usual reason and the own words; either may
    be empty.
    """
    usual = next((each for each in USUAL_REASONS if reason.startswith(each)), "")
    return usual, reason.removeprefix(usual).strip()
