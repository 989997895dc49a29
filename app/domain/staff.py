"""What members of staff do that is written down for good, and what they have to say for it."""

from decimal import Decimal
from enum import StrEnum

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_REASON = 300
"""Characters of a reason: customers read some of them whole."""
MOST_GRANTED = Decimal(100_000)
"""Credits that change hands in one act of staff; more is a slip of the hand."""


class StaffTwoFactor(StrEnum):
    """Whether members of staff may do without two-factor sign-in."""

    OPTIONAL = "optional"
    REQUIRED = "required"


class StaffAction(StrEnum):
    """What the log of staff's acts tells: acts on reviews, then on accounts, jobs, webhooks, purchases
    and results sent back.
    """

    CLAIM = "claim"
    RELEASE = "release"
    APPROVE = "approve"
    REJECT = "reject"
    FINISH = "finish"
    GRANT = "grant"
    SUSPEND = "suspend"
    RESTORE = "restore"
    FLAG = "flag"
    CLEAR_FLAG = "clear_flag"
    REQUEUE = "requeue"
    FAIL_JOB = "fail_job"
    REDELIVER = "redeliver"
    SETTLE = "settle"
    MAKE_AGAIN = "make_again"
    REVISE = "revise"
    KEEP = "keep"
    REFUND_PHOTO = "refund_photo"


def check_reason(text: str) -> str:
    """The reason on one line. Raises InvalidRequest when nothing is said, or too much."""
    said = one_line(text)
    if not said:
        raise InvalidRequest({"reason": "Say why."})
    if len(said) > MAX_REASON:
        raise InvalidRequest({"reason": f"Say it in at most {MAX_REASON} characters."})
    return said
