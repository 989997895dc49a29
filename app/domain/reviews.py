"""Reviewing by people: how long a claim on a job holds, what a reviewer may do, and the usual reasons to reject."""

from datetime import timedelta
from enum import StrEnum

CLAIM_HOLDS = timedelta(minutes=20)
"""Every act on the review renews it; after this another reviewer may take the job over."""
WARN_BEFORE = timedelta(minutes=2)


class StaffDeed(StrEnum):
    """What the audit log tells of a member of staff."""

    CLAIM = "claim"
    RELEASE = "release"
    APPROVE = "approve"
    REJECT = "reject"
    FINISH = "finish"


USUAL_REASONS = (
    "Walls, windows or doors moved.",
    "Something is left over or smeared.",
    "Edges show a halo.",
    "Colours are off.",
    "Too dark or too bright.",
    "It is not what was ordered.",
)
