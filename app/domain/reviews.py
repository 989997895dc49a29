"""Reviewing: which results people decide, whose claim a job is and how long, usual reasons to reject."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.mail_text import one_line
from engine.types.report import Certainty, QualityReport, Verdict

CLAIM_HOLDS = timedelta(minutes=20)
"""Every act on the review renews it; after this another reviewer may take the job over."""
WARN_BEFORE = timedelta(minutes=2)
MAX_REASON = 300
"""Characters of a reason: the customer reads it whole in a refund's line."""


USUAL_REASONS = (
    "Walls, windows or doors moved.",
    "Something is left over or smeared.",
    "Edges show a halo.",
    "Colors are off.",
    "Too dark or too bright.",
    "It is not what was ordered.",
)


class QcMode(StrEnum):
    """Who passes finished pictures on: the checks, the checks where they are sure, or always a reviewer."""

    AUTO = "auto"
    AUTO_REVIEW = "auto+review"
    MANUAL = "manual"

    def verdict(self, report: QualityReport) -> Verdict:
        """What the checks alone decide on a picture with this report; undecided where a reviewer has to."""
        by_checks = Verdict.APPROVED if report.passed else Verdict.REJECTED
        unsure = self is QcMode.AUTO_REVIEW and report.certainty is Certainty.UNSURE
        return Verdict.UNDECIDED if unsure or self is QcMode.MANUAL else by_checks


class ClaimState(StrEnum):
    """How a job stands to one reviewer."""

    CLOSED = "closed"
    FREE = "free"
    MINE = "mine"
    RAN_OUT = "ran_out"
    TAKEN = "taken"
    TAKEN_OVER = "taken_over"


@dataclass(frozen=True, slots=True)
class ReviewClaim:
    """Whose a job is, as one reviewer sees it. `holder` and `until`: who has it and until when, where anybody has;
    with RAN_OUT, since when nobody has.
    """

    state: ClaimState
    holder: str = ""
    until: datetime | None = None

    @property
    def mine(self) -> bool:
        """Whether this reviewer may act on it."""
        return self.state is ClaimState.MINE

    @property
    def claimable(self) -> bool:
        """Whether this reviewer may take it."""
        return self.state in (ClaimState.FREE, ClaimState.RAN_OUT)

    @property
    def refusal(self) -> str:
        """Why this reviewer may not act on it now."""
        at = f"{self.until:%H:%M} UTC" if self.until else ""
        return _REFUSALS[self.state].format(holder=self.holder, at=at)

    def ends_soon(self, now: datetime) -> bool:
        """Whether it is the reviewer's own and about to run out."""
        return self.mine and self.until is not None and self.until - now <= WARN_BEFORE


_REFUSALS: Mapping[ClaimState, str] = {
    ClaimState.CLOSED: "The order is not under review.",
    ClaimState.FREE: "Claim the order first: nobody has claimed it.",
    ClaimState.RAN_OUT: "Your claim ran out at {at}. Claim it again to continue; your decisions are kept.",
    ClaimState.TAKEN: "{holder} has claimed this order, until {at}.",
    ClaimState.TAKEN_OVER: "Your claim ran out and {holder} took the order over, until {at}.",
}


def claim_state(holder_id: str | None, until: datetime | None, staff_id: str, now: datetime) -> ClaimState:
    """How a job under review, claimed by `holder_id` until then, stands to this reviewer."""
    if holder_id is None or until is None:
        return ClaimState.FREE
    held = until > now
    if holder_id == staff_id:
        return ClaimState.MINE if held else ClaimState.RAN_OUT
    return ClaimState.TAKEN if held else ClaimState.FREE


def join_reason(usual: str, own: str) -> str:
    """A reason in one line, from a usual one, own words or both."""
    return one_line(f"{usual} {own}")


def split_reason(reason: str) -> tuple[str, str]:
    """A kept reason as it was put together: the usual one and the own words, either of them empty."""
    usual = next((each for each in USUAL_REASONS if reason.startswith(each)), "")
    return usual, reason.removeprefix(usual).strip()
