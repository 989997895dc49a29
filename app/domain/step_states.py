"""The outcome of each photo of a job, and of each ordered step of a photo, as codes for programs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, Reason, StepOutcome, Verdict


class PhotoOutcome(StrEnum):
    """The state of a photo. CANCELLED: the customer cancelled it. STOPPED: its job ended before it was decided."""

    WAITING = "waiting"
    WORKING = "working"
    PROCESSED = "processed"
    APPROVED = "approved"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


class StepState(StrEnum):
    """The outcome of an ordered step of a photo.

    PARTLY_DONE: some changes of a renovation were declined. DECLINED: it could not be done. LEFT_OUT: the picture
    was made again without it. REJECTED: the photo's whole result was rejected; FAILED: its processing failed.
    STOPPED: the job ended before.
    """

    WAITING = "waiting"
    DONE = "done"
    PARTLY_DONE = "partly_done"
    DECLINED = "declined"
    LEFT_OUT = "left_out"
    REJECTED = "rejected"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STOPPED = "stopped"


_WITHOUT_RESULT: Mapping[Reason | None, StepState] = {
    Reason.PROCESSING_FAILED: StepState.FAILED,
    Reason.CANCELLED: StepState.CANCELLED,
}


@dataclass(frozen=True, slots=True)
class DecidedStep:
    """One ordered step, and the reason where it was not done, for programs and for people."""

    enhancement: Enhancement
    state: StepState
    reason: Reason | None = None
    message: str = ""


def list_steps(
    ordered: EditRequest, verdict: Verdict, reason: Reason | None, report: QualityReport, *, settled: bool
) -> list[DecidedStep]:
    """The ordered steps of a photo with this verdict, in the sequence of the work. `reason`: why its result was
    rejected. `settled`: nothing more is decided on the job.
    """
    return list(_list(ordered, verdict, reason, report, StepState.STOPPED if settled else StepState.WAITING))


def _list(
    ordered: EditRequest, verdict: Verdict, reason: Reason | None, report: QualityReport, undecided: StepState
) -> Iterator[DecidedStep]:
    outcomes = {each.enhancement: each for each in report.steps}
    for step in ordered.steps:
        outcome = outcomes.get(step)
        if verdict is Verdict.UNDECIDED:
            yield DecidedStep(step, undecided)
        elif outcome is not None and not outcome.applied:
            yield DecidedStep(step, StepState.DECLINED, outcome.reason, outcome.message)
        elif verdict is Verdict.REJECTED:
            yield DecidedStep(step, _WITHOUT_RESULT.get(reason, StepState.REJECTED), reason)
        else:
            yield _describe_approved(step, outcome)


def _describe_approved(step: Enhancement, outcome: StepOutcome | None) -> DecidedStep:
    if outcome is None:
        return DecidedStep(step, StepState.LEFT_OUT)
    partly = outcome.declined_changes
    state, reason = (StepState.PARTLY_DONE, partly[0].reason) if partly else (StepState.DONE, None)
    return DecidedStep(step, state, reason, outcome.message)
