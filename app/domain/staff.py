"""The acts of staff that are logged, and the reasons that staff must give for them."""

from decimal import Decimal
from enum import StrEnum

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_REASON = 300
"""The most characters of a reason; customers read some reasons."""
MAX_GRANT = Decimal(100_000)
"""The most credits that staff can add or deduct at once; a larger amount is probably a typing error."""


class StaffTwoFactor(StrEnum):
    """Whether members of staff must use two-factor sign-in."""

    OPTIONAL = "optional"
    REQUIRED = "required"


class StaffAction(StrEnum):
    """The kinds of acts in the log of staff: on reviews, accounts, jobs, webhooks, purchases and results sent
    back.
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
    """The reason on one line. Raises InvalidRequest when it is empty or too long."""
    reason = one_line(text)
    if not reason:
        raise InvalidRequest({"reason": "Say why."})
    if len(reason) > MAX_REASON:
        raise InvalidRequest({"reason": f"Say it in at most {MAX_REASON} characters."})
    return reason
