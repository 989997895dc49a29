"""The kinds of ledger lines, and their causes: unique keys, so that nothing is charged or refunded twice."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.domain.ids import Prefix
from engine.types.enhancements import Enhancement


class LedgerKind(StrEnum):
    """What a ledger line records."""

    PURCHASE = "purchase"
    ORDER = "order"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    REVERSAL = "reversal"


class CauseCode(StrEnum):
    """What a ledger line is for, more exactly than its kind."""

    PURCHASE = "purchase"
    PURCHASE_REVERSED = "purchase_reversed"
    ADJUSTMENT = "adjustment"
    WELCOME = "welcome"
    TEST_CREDITS = "test_credits"
    ORDER = "order"
    JOB_REFUND = "job_refund"
    PROPERTY_REFUND = "property_refund"
    PHOTO_REFUND = "photo_refund"
    STEP_REFUND = "step_refund"
    CHANGE_REFUND = "change_refund"


@dataclass(frozen=True, slots=True)
class Cause:
    """The parts of a cause. `photo_id`, `enhancement`, `change_index`: what was refunded, None if all of
    them were.
    """

    code: CauseCode
    photo_id: str | None = None
    enhancement: Enhancement | None = None
    change_index: int | None = None


_CODES = {
    "purchase": CauseCode.PURCHASE,
    "reversal": CauseCode.PURCHASE_REVERSED,
    "adjustment": CauseCode.ADJUSTMENT,
    "welcome": CauseCode.WELCOME,
    "test-credits": CauseCode.TEST_CREDITS,
    "order": CauseCode.ORDER,
}


def read_cause(cause: str) -> Cause:
    """The parts of a cause that a function of this module has written."""
    match cause.split(":"):
        case ["refund", job_id] if job_id.startswith(f"{Prefix.JOB}_"):
            return Cause(CauseCode.JOB_REFUND)
        case ["refund", _, "property", *_]:
            return Cause(CauseCode.PROPERTY_REFUND)
        case ["refund", photo_id]:
            return Cause(CauseCode.PHOTO_REFUND, photo_id)
        case ["refund", photo_id, step]:
            return Cause(CauseCode.STEP_REFUND, photo_id, Enhancement(step))
        case ["refund", photo_id, step, index]:
            return Cause(CauseCode.CHANGE_REFUND, photo_id, Enhancement(step), int(index))
        case [kind, *_]:
            return Cause(_CODES[kind])
    raise LookupError(cause)


def purchase_cause(purchase_id: str) -> str:
    """The cause of the single line that adds the credits of a paid purchase."""
    return f"purchase:{purchase_id}"


def reversal_cause(purchase_id: str, number: int) -> str:
    """The cause of the line that deducts credits of a purchase, or adds them again, for the `number`-th time."""
    return f"reversal:{purchase_id}:{number}"


def grant_cause(account_id: str, form_token: str) -> str:
    """The cause of the line by which staff add or deduct credits; the same for a form that is sent again."""
    return f"adjustment:{account_id}:{form_token}"


def welcome_cause(inbox: str) -> str:
    """The cause of the line with welcome credits, one per inbox; `inbox` is stored only as a digest."""
    return f"welcome:{hashlib.sha256(inbox.encode()).hexdigest()}"


def test_credits_cause(account_id: str, number: str) -> str:
    """The cause of the line by which a sandbox gets test credits; `number`: a count, or any unique text."""
    return f"test-credits:{account_id}:{number}"


def order_cause(job_id: str) -> str:
    """The cause of the single line that charges a job."""
    return f"order:{job_id}"


def job_refund_cause(job_id: str) -> str:
    """The cause of the single line that refunds everything of a job that was not refunded before."""
    return f"refund:{job_id}"


def property_refund_cause(job_id: str) -> str:
    """The cause of the single line that refunds a job's price per property."""
    return f"refund:{job_id}:property"


def cancelled_property_refund_cause(job_id: str) -> str:
    """The cause of the single line that refunds the decrease of a job's price per property when photos are
    cancelled.
    """
    return f"{property_refund_cause(job_id)}:cancelled"


def sum_property_refunds(job_id: str, refunded: Mapping[str, Decimal]) -> Decimal:
    """The sum of the refunds of a job's price per property. `refunded`: the refunds of the job, by cause."""
    causes = (property_refund_cause(job_id), cancelled_property_refund_cause(job_id))
    return sum((refunded.get(cause, Decimal(0)) for cause in causes), Decimal(0))


def photo_refund_cause(photo_id: str) -> str:
    """The cause of the single line that refunds a rejected photo."""
    return f"refund:{photo_id}"


def step_refund_cause(photo_id: str, enhancement: Enhancement) -> str:
    """The cause of the single line that refunds a declined step of an approved photo."""
    return f"refund:{photo_id}:{enhancement}"


def is_refund_of_photo(cause: str, photo_id: str) -> bool:
    """Whether the line with this cause refunds a photo, a step of it, or a change of a step."""
    whole = photo_refund_cause(photo_id)
    return cause == whole or cause.startswith(f"{whole}:")


def change_refund_cause(photo_id: str, enhancement: Enhancement, index: int) -> str:
    """The cause of the single line that refunds one declined change, `index` from 0, of a renovation whose other
    changes were done.
    """
    return f"{step_refund_cause(photo_id, enhancement)}:{index}"
