"""The kinds of ledger lines, and their causes: unique keys, so that nothing is charged or refunded twice."""

import hashlib
from enum import StrEnum

from engine.types.enhancements import Enhancement


class LedgerKind(StrEnum):
    """What a ledger line records."""

    PURCHASE = "purchase"
    ORDER = "order"
    REFUND = "refund"
    ADJUSTMENT = "adjustment"
    REVERSAL = "reversal"


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


def order_cause(job_id: str) -> str:
    """The cause of the single line that charges a job."""
    return f"order:{job_id}"


def job_refund_cause(job_id: str) -> str:
    """The cause of the single line that refunds everything of a job that was not refunded before."""
    return f"refund:{job_id}"


def property_refund_cause(job_id: str) -> str:
    """The cause of the single line that refunds a job's price per property."""
    return f"refund:{job_id}:property"


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
