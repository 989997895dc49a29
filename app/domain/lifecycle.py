"""The states of a job, the moves between them, and the event each move emits."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from app.domain.events import EventName


class Status(StrEnum):
    """Where a job stands."""

    PENDING = "pending"
    PROCESSING = "processing"
    QC_REVIEW = "qc_review"
    APPROVED = "approved"
    DELIVERED = "delivered"
    UNDELIVERABLE = "undeliverable"
    FAILED = "failed"


class WorkState(StrEnum):
    """Where a worker's task stands: the work on one photo, the sending of one mail."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"


UNDONE = frozenset({WorkState.WAITING, WorkState.WORKING})
"""States of work that a worker has to do, or is at."""


MOVES: dict[tuple[Status | None, Status], EventName] = {
    (None, Status.PENDING): EventName.JOB_CREATED,
    (Status.PENDING, Status.PROCESSING): EventName.JOB_PROCESSING,
    (Status.PENDING, Status.FAILED): EventName.JOB_FAILED,
    (Status.PROCESSING, Status.QC_REVIEW): EventName.JOB_COMPLETED,
    (Status.PROCESSING, Status.FAILED): EventName.JOB_FAILED,
    (Status.QC_REVIEW, Status.APPROVED): EventName.JOB_APPROVED,
    (Status.QC_REVIEW, Status.UNDELIVERABLE): EventName.JOB_UNDELIVERABLE,
    (Status.QC_REVIEW, Status.FAILED): EventName.JOB_FAILED,
    (Status.APPROVED, Status.DELIVERED): EventName.JOB_DELIVERED,
}

FINAL = frozenset({Status.DELIVERED, Status.UNDELIVERABLE, Status.FAILED})
TIMED = frozenset({Status.PENDING, Status.PROCESSING, Status.QC_REVIEW})
"""States that the job's time limit ends."""
WORKABLE = frozenset({Status.PENDING, Status.PROCESSING})
"""States in which photos may be worked on."""
DOWNLOADABLE = frozenset({Status.APPROVED, Status.DELIVERED})
SHOWABLE = WORKABLE | DOWNLOADABLE | {Status.QC_REVIEW}
"""States in which the owner may look at results that are approved."""
SETTLED = frozenset({Status.APPROVED, Status.UNDELIVERABLE, Status.FAILED})
"""States that start the retention clock."""
REFUNDED = frozenset({Status.UNDELIVERABLE, Status.FAILED})
"""States in which nothing usable came out, so everything is refunded."""


class IllegalMoveError(Exception):
    """Somebody asked for a move that does not exist: a fault in the program, never of the customer."""


class Movable(Protocol):
    """What advance() needs of a job."""

    status: Status
    processing_at: datetime | None
    completed_at: datetime | None
    settled_at: datetime | None
    delivered_at: datetime | None


_STAMPS = {
    Status.PROCESSING: "processing_at",
    Status.QC_REVIEW: "completed_at",
    Status.DELIVERED: "delivered_at",
    **dict.fromkeys(SETTLED, "settled_at"),
}


def advance(job: Movable, to: Status, now: datetime) -> EventName:
    """Move the job and stamp the time: the only writer of a status. Raises IllegalMoveError."""
    before: Status | None = job.status
    event = MOVES.get((before, to))
    if event is None:
        raise IllegalMoveError(f"{before} -> {to}")
    job.status = to
    if to in _STAMPS:
        setattr(job, _STAMPS[to], now)
    return event
