"""Why credits move: the kinds of ledger lines and the key that makes each cause unique."""

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
    """The one credit of a paid purchase."""
    return f"purchase:{purchase_id}"


def reversal_cause(purchase_id: str, number: int) -> str:
    """What is taken back of a purchase, or given again, the `number`-th time."""
    return f"reversal:{purchase_id}:{number}"


def grant_cause(account_id: str, form_token: str) -> str:
    """What a member of staff gives or takes with one form, however often it is sent."""
    return f"adjustment:{account_id}:{form_token}"


def welcome_cause(inbox: str) -> str:
    """What the person behind an inbox gets once to try the service with; told by a digest of its address."""
    return f"welcome:{hashlib.sha256(inbox.encode()).hexdigest()}"


def order_cause(job_id: str) -> str:
    """The one debit of a job."""
    return f"order:{job_id}"


def job_refund_cause(job_id: str) -> str:
    """The one refund of all that a job still holds."""
    return f"refund:{job_id}"


def property_refund_cause(job_id: str) -> str:
    """The one refund of the price per property."""
    return f"refund:{job_id}:property"


def photo_refund_cause(photo_id: str) -> str:
    """The one refund of a rejected photo."""
    return f"refund:{photo_id}"


def step_refund_cause(photo_id: str, enhancement: Enhancement) -> str:
    """The one refund of a declined step on an approved photo."""
    return f"refund:{photo_id}:{enhancement}"


def change_refund_cause(photo_id: str, enhancement: Enhancement, index: int) -> str:
    """The one refund of a declined change of a renovation that was done otherwise; `index` counts from 0."""
    return f"{step_refund_cause(photo_id, enhancement)}:{index}"
