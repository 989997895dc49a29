"""The moments to which the clock of a test order can be moved, so that nobody has to wait for them."""

from enum import StrEnum


class ClockMoment(StrEnum):
    """A moment in the life of an order.

    REVIEW_END: a slow review is over. DEADLINE: the job has taken too long. NEXT_ATTEMPTS: deliveries that wait for
    another attempt are due. RETENTION_END: photos and results are no longer kept.
    """

    REVIEW_END = "review_end"
    DEADLINE = "deadline"
    NEXT_ATTEMPTS = "next_attempts"
    RETENTION_END = "retention_end"
