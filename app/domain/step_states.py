"""What became of each photo of a job and of each of its ordered steps, as codes for programs."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, Reason, StepOutcome, Verdict


class PhotoState(StrEnum):
    """Where a photo stands. STOPPED: its job ended before it was decided."""

    WAITING = "waiting"
    PROCESSING = "processing"
    PROCESSED = "processed"
    APPROVED = "approved"
    REJECTED = "rejected"
    STOPPED = "stopped"


class StepState(StrEnum):
    """What became of an ordered step of a photo.

    PARTLY_DONE: some changes of a renovation were declined. DECLINED: it could not be done. LEFT_OUT: the picture
    was made again without it. REJECTED: the photo's whole result was rejected; FAILED: its processing failed.
    STOPPED: the job ended before.
    """

    PENDING = "pending"
    DONE = "done"
    PARTLY_DONE = "partly_done"
    DECLINED = "declined"
    LEFT_OUT = "left_out"
    REJECTED = "rejected"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class OrderedStep:
    """One ordered step, and the reason where it was not done, for programs and for people."""

    enhancement: Enhancement
    state: StepState
    reason: Reason | None = None
    message: str = ""


def list_steps(
    ordered: EditRequest, verdict: Verdict, reason: Reason | None, report: QualityReport, *, settled: bool
) -> list[OrderedStep]:
    """The ordered steps of a photo with this verdict, in the sequence of the work. `reason`: why its result was
    rejected. `settled`: nothing more is decided on the job.
    """
    return list(_list(ordered, verdict, reason, report, StepState.STOPPED if settled else StepState.PENDING))


def _list(
    ordered: EditRequest, verdict: Verdict, reason: Reason | None, report: QualityReport, undecided: StepState
) -> Iterator[OrderedStep]:
    outcomes = {each.enhancement: each for each in report.steps}
    for step in ordered.steps:
        outcome = outcomes.get(step)
        if verdict is Verdict.UNDECIDED:
            yield OrderedStep(step, undecided)
        elif outcome is not None and not outcome.applied:
            yield OrderedStep(step, StepState.DECLINED, outcome.reason, outcome.message)
        elif verdict is Verdict.REJECTED:
            failed = reason is Reason.PROCESSING_FAILED
            yield OrderedStep(step, StepState.FAILED if failed else StepState.REJECTED, reason)
        else:
            yield _describe_approved(step, outcome)


def _describe_approved(step: Enhancement, outcome: StepOutcome | None) -> OrderedStep:
    if outcome is None:
        return OrderedStep(step, StepState.LEFT_OUT)
    partly = outcome.declined_changes
    state, reason = (StepState.PARTLY_DONE, partly[0].reason) if partly else (StepState.DONE, None)
    return OrderedStep(step, state, reason, outcome.message)
