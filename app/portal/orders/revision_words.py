"""Sending a result back: the form, and the words for rounds and their outcomes."""

from collections.abc import Iterable, Mapping
from typing import Any

from wtforms import RadioField, SelectField, TextAreaField

from app.domain.catalog import ENTRIES
from app.domain.flaws import LABELS, MAX_NOTE, Flaw, list_flaws
from app.domain.hint_questions import list_questions
from app.domain.revisions import (
    MESSAGES,
    RevisionOutcome,
    RevisionReason,
    RevisionStatus,
    can_leave_out,
    find_window_end,
)
from app.models import Job, Result
from app.portal.forms import clean_text
from app.portal.look_forms import LookForm
from app.services.photos.results import Round, ShownResult
from app.services.revisions import revisions
from app.web.context import container

POLL_SECONDS = 3
LEAVE_IT = "Leave it to us"
OUTCOME_WORDS: Mapping[RevisionOutcome, str] = {
    RevisionOutcome.REVISED: "Redone",
    RevisionOutcome.KEPT: "Kept as it is",
    RevisionOutcome.REFUNDED: "Refunded",
    RevisionOutcome.DECLINED: "Not redone",
    RevisionOutcome.WITHDRAWN: "Withdrawn",
}
NO_RESULT_OUTCOMES: Mapping[RevisionOutcome, str] = {
    **OUTCOME_WORDS,
    RevisionOutcome.REVISED: "Done",
    RevisionOutcome.KEPT: "Cannot be done",
    RevisionOutcome.DECLINED: "Not done",
}
"""The outcomes as in OUTCOME_WORDS, for a photo that had no usable result."""
REASON_WORDS: Mapping[RevisionReason, str] = {
    RevisionReason.FILES_GONE: "A file needed to redo it was removed.",
    RevisionReason.UNANSWERED: "Nobody answered before the pictures were removed.",
    RevisionReason.RETENTION_ENDED: "It was sent back too late: the pictures were about to be removed.",
}
"""Reasons for the end of a round. Customers see only these reasons; staff also see why a round waits for a
reviewer.
"""


class SendBackForm(LookForm):
    """The form by which a customer sends one result back; the service validates it."""

    reason = RadioField("What is wrong?", choices=[], validate_choice=False)
    message = TextAreaField("In your own words (optional)", filters=[clean_text])
    without = SelectField("What should we try?", choices=[], validate_choice=False)


def describe(job: Job, chosen: ShownResult, form: SendBackForm | None = None) -> dict[str, Any]:
    """The values for the part of a page that sends the job's result back."""
    form = form or SendBackForm(formdata=None)
    form.without.choices = list(_list_without(chosen))
    kept_seconds = container().settings.retention_seconds
    request = chosen.result.picture.settings.request_for(chosen.photo.edit_request)
    return _describe_rounds(form) | {
        "looks": form.offer_looks(request, chosen.report.applied),
        "flaws": [(flaw.value, LABELS[flaw]) for flaw in list_flaws(chosen.report)],
        "can_be_shown": bool(list_questions(request.keep(chosen.report.applied), ())),
        "send_back_until": find_window_end(job.settled_at, job.kept_until, kept_seconds, livemode=job.livemode)
        if job.settled_at
        else None,
        "revision_poll_seconds": POLL_SECONDS,
        "obstacle": None if chosen.open_round else _find_obstacle(job, chosen.result),
    }


def describe_no_result(job: Job, result: Result, form: SendBackForm | None = None) -> dict[str, Any]:
    """The values for the part of a page that has a person look at a photo without a usable result."""
    rounds = [Round(each, each.status, None) for each in result.rounds]
    is_open = any(each.status is not RevisionStatus.DONE for each in rounds)
    return _describe_rounds(form or SendBackForm(formdata=None)) | {
        "rounds": rounds,
        "open_round": is_open,
        "no_result": Flaw.NO_RESULT.value,
        "obstacle": None if is_open else _find_obstacle(job, result),
    }


def _describe_rounds(form: SendBackForm) -> dict[str, Any]:
    return {
        "form": form,
        "flaw_labels": LABELS,
        "max_note": MAX_NOTE,
        "outcome_words": OUTCOME_WORDS,
        "no_result_outcomes": NO_RESULT_OUTCOMES,
        "reason_words": REASON_WORDS,
        "revision_statuses": RevisionStatus,
        "revision_outcomes": RevisionOutcome,
    }


def _find_obstacle(job: Job, result: Result) -> str | None:
    """Find the reason why the result cannot be sent back; None if it can."""
    if revisions.is_too_late(job, container().clock()):
        return revisions.TOO_LATE
    obstacle = result.revision_obstacle
    return MESSAGES[obstacle] if obstacle else None


def _list_without(chosen: ShownResult) -> Iterable[tuple[str, str]]:
    yield "", LEAVE_IT
    if can_leave_out(chosen.report):
        for step in chosen.report.applied:
            yield step.value, f"Redo it without {ENTRIES[step].label}"
