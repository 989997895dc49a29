"""The statuses of a job, the allowed moves between them, and the event of each move."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from app.domain.events import EventName


class Status(StrEnum):
    """The status of a job."""

    PENDING = "pending"
    PROCESSING = "processing"
    QC_REVIEW = "qc_review"
    APPROVED = "approved"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    FAILED = "failed"


class WorkState(StrEnum):
    """The state of one piece of work for a worker, such as the work on one photo or the sending of one mail."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"


UNFINISHED = frozenset({WorkState.WAITING, WorkState.WORKING})
"""The states of work that is not done."""


MOVES: dict[tuple[Status | None, Status], EventName] = {
    (None, Status.PENDING): EventName.JOB_CREATED,
    (Status.PENDING, Status.PROCESSING): EventName.JOB_PROCESSING,
    (Status.PENDING, Status.UNDELIVERABLE): EventName.JOB_UNDELIVERABLE,
    (Status.PENDING, Status.FAILED): EventName.JOB_FAILED,
    (Status.PROCESSING, Status.QC_REVIEW): EventName.JOB_COMPLETED,
    (Status.PROCESSING, Status.UNDELIVERABLE): EventName.JOB_UNDELIVERABLE,
    (Status.PROCESSING, Status.FAILED): EventName.JOB_FAILED,
    (Status.QC_REVIEW, Status.APPROVED): EventName.JOB_APPROVED,
    (Status.QC_REVIEW, Status.UNDELIVERABLE): EventName.JOB_UNDELIVERABLE,
    (Status.QC_REVIEW, Status.FAILED): EventName.JOB_FAILED,
    (Status.APPROVED, Status.DELIVERED): EventName.JOB_DELIVERED,
}

FINAL = frozenset({Status.DELIVERED, Status.UNDELIVERABLE, Status.FAILED})
"""The statuses from which there is no move."""
UNSETTLED = frozenset({Status.PENDING, Status.PROCESSING, Status.QC_REVIEW})
"""The statuses before a job is settled, in which it fails at its deadline."""
WORKABLE = frozenset({Status.PENDING, Status.PROCESSING})
"""The statuses in which photos may be worked on."""
DOWNLOADABLE = frozenset({Status.APPROVED, Status.DELIVERED})
"""The statuses in which the owner may download results."""
SHOWABLE = WORKABLE | DOWNLOADABLE | {Status.QC_REVIEW}
"""The statuses in which the owner may look at approved results."""
SETTLED = frozenset({Status.APPROVED, Status.UNDELIVERABLE, Status.FAILED})
"""The statuses that settle a job: when one begins, `settled_at` is set, from which the retention time counts."""
REFUNDED = frozenset({Status.UNDELIVERABLE, Status.FAILED})
"""The statuses of jobs without any usable result; everything that was charged for them is refunded."""


class UndeliverableCode(StrEnum):
    """Why a job is undeliverable, if the reason is not the lack of usable results: its owner cancelled it before
    any photo was begun.
    """

    CANCELLED = "cancelled"


class IllegalMoveError(Exception):
    """The program asked for a move that is not in MOVES: a bug, never a fault of the customer."""


class Movable(Protocol):
    """The fields of a job that advance() reads and writes."""

    status: Status
    processing_at: datetime | None
    completed_at: datetime | None
    settled_at: datetime | None
    delivered_at: datetime | None


_TIME_FIELDS = {
    Status.PROCESSING: "processing_at",
    Status.QC_REVIEW: "completed_at",
    Status.DELIVERED: "delivered_at",
    **dict.fromkeys(SETTLED, "settled_at"),
}


def advance(job: Movable, to: Status, now: datetime) -> EventName:
    """Move the job to status `to` and set the time of the move; nothing else writes the status of a job.

    Returns the move's event. Raises IllegalMoveError for a move that is not in MOVES.
    """
    before: Status | None = job.status
    event = MOVES.get((before, to))
    if event is None:
        raise IllegalMoveError(f"{before} -> {to}")
    job.status = to
    if to in _TIME_FIELDS:
        setattr(job, _TIME_FIELDS[to], now)
    return event
