"""Texts of an order's pages: its stages, the states of its photos, what happens next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from markupsafe import Markup

from app.domain.amounts import credits_
from app.domain.catalog import ENTRIES
from app.domain.lifecycle import REFUNDED, Status
from app.domain.option_words import list_chosen
from app.domain.promises import INCLUDED, describe_outcome
from app.models import Job
from app.portal.words import STATUS_WORDS, Word, find_status_word, humanize, write_status_tag
from app.services.orders.job_pages import JobPage, JobPhoto, OrderStage, PhotoState, StageState
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement, PhotoType, RoomType
from engine.types.report import StepOutcome


@dataclass(frozen=True, slots=True)
class RequestedEnhancement:
    """One enhancement chosen for a photo, with its `details`, one per line. `declined`: why it was not done."""

    label: str
    details: list[str]
    declined: str | None


STAGE_NAMES: dict[Status, str] = {
    **{status: word.label for status, word in STATUS_WORDS.items()},
    Status.PENDING: "Created",
}
STAGE_STATES: dict[StageState, str] = {
    StageState.DONE: "Done",
    StageState.CURRENT: "Now",
    StageState.OPEN: "Not yet",
}
PHOTO_WORDS: dict[PhotoState, Word] = {
    PhotoState.WAITING: Word("Waiting", "quiet", ""),
    PhotoState.WORKING: Word("Processing", "busy", ""),
    PhotoState.MADE: Word("Being checked", "busy", ""),
    PhotoState.USABLE: Word("Ready", "good", ""),
    PhotoState.PARTLY_USABLE: Word(
        "Partly done", "warn", "The result passed its checks, but a step could not be done."
    ),
    PhotoState.UNUSABLE: Word("Not usable", "bad", "There is no usable result."),
    PhotoState.CANCELLED: Word("Cancelled", "quiet", "It was cancelled before work on it began."),
    PhotoState.STOPPED: Word("Stopped", "quiet", "The order ended before this photo was done."),
}
NEXT_STEPS: dict[Status, str] = {
    Status.PENDING: "Your order is in the queue. You can close this page and come back.",
    Status.PROCESSING: "Each result is checked as soon as it is made. You can close this page and come back.",
    Status.QC_REVIEW: "The results are being checked. You can close this page and come back.",
    Status.APPROVED: "Compare the results with your photos and download what you like.",
    Status.DELIVERED: "You can look at the results and download them again as long as they are kept.",
    Status.UNDELIVERABLE: "Nothing was usable, so you paid nothing. Other photos of the property may work better.",
    Status.FAILED: "This was our fault, and you paid nothing. You can order again with the same photos.",
}
CANCELLED_NEXT = "You paid nothing. You can order again with the same photos."
PICTURES_REMOVED = "The pictures of this order were removed. Its cost and refunds stay on record."


def tag_of(page: JobPage) -> Markup:
    """The tag with the status of an order; not a green one if a photo could not be done."""
    is_partly = page.ready and page.usable_count < len(page.photos)
    return write_status_tag(page.job, is_partly)


def name_stage(job: Job, stage: OrderStage) -> str:
    """The name of a stage that the order has reached or will reach."""
    if stage.name is job.status and job.undeliverable_code is not None:
        return find_status_word(job).label
    return STAGE_NAMES[stage.name]


def describe_next(job: Job) -> str:
    """What happens next with the order, or what the customer can do."""
    return CANCELLED_NEXT if job.undeliverable_code is not None else NEXT_STEPS[job.status]


def describe_outcome_of(pages: Sequence[JobPage]) -> str:
    """The outcome of the photos of decided orders, and the credits refunded for all of them."""
    counts = sum(page.usable_count for page in pages), sum(len(page.photos) for page in pages)
    refunded = sum((page.job.credits_refunded for page in pages), Decimal(0))
    return describe_outcome(*counts, refunded, sum(page.cancelled_count for page in pages))


def describe_refund(page: JobPage, each: JobPhoto) -> str:
    """What was refunded for one photo of a decided order; empty if all of it was delivered."""
    if page.unfinished and each.state is not PhotoState.CANCELLED:
        return ""
    if page.job.status in REFUNDED:
        return "All credits of this order were refunded."
    refunded = f"Refunded: {credits_(each.refunded)}." if each.refunded else ""
    is_incomplete = each.state is not PhotoState.USABLE
    if refunded or each.photo.type is not PhotoType.EXTERIOR or not is_incomplete:
        return refunded
    returned = page.property_refunded
    verb = "was" if returned == 1 else "were"
    return f"{INCLUDED} Of that price, {credits_(returned)} {verb} refunded." if returned else INCLUDED


def list_requested(photo: JobPhoto) -> list[RequestedEnhancement]:
    """The enhancements chosen for an ordered photo, with the reasons why some could not be done."""
    chosen = zip(photo.photo.edit_request.steps, describe_request(photo.photo.edit_request), strict=True)
    return [replace(each, declined=_explain_declined(photo.outcomes.get(step))) for step, each in chosen]


def describe_request(edit_request: EditRequest) -> list[RequestedEnhancement]:
    """The enhancements chosen for a photo that is not ordered yet."""
    return [
        RequestedEnhancement(ENTRIES[step].label, _list_details(step, edit_request), None)
        for step in edit_request.steps
    ]


def _explain_declined(outcome: StepOutcome | None) -> str | None:
    """Why a step, or some of its changes, were not done; None if all was done."""
    if outcome is None or (outcome.applied and not outcome.declined_changes):
        return None
    if not outcome.applied:
        return outcome.message or "It could not be done."
    return " ".join(f"{humanize(each.type)}: {each.message}" for each in outcome.declined_changes)


def _list_details(step: Enhancement, edit_request: EditRequest) -> list[str]:
    return _list_room_details(step, edit_request) + list_chosen(edit_request.options_of(step))


def _list_room_details(step: Enhancement, edit_request: EditRequest) -> list[str]:
    if step is Enhancement.STAGING:
        room = edit_request.room_type
        name = "Other room" if room == RoomType.OTHER else humanize(room)
        return [f"{name}, {humanize(edit_request.style).lower()} style"]
    return [_describe_change(change) for change in edit_request.changes] if step is Enhancement.RENOVATION else []


def _describe_change(change: RenovationChange) -> str:
    text = f"{humanize(change.type)}: {change.change_description}"
    if change.reference_text:
        return f"{text} (like: {change.reference_text})"
    count = len(change.reference_images)
    return f"{text} (as in {count} {'picture' if count == 1 else 'pictures'})" if count else text


def describe_duration(duration: timedelta, elapsed: timedelta = timedelta()) -> str:
    """How long orders of this kind usually take: `Usually done in about 3 minutes.` Once `elapsed`, the time since
    the order was placed, is a minute or more, also how much is left, or that this order takes longer.
    """
    usual = f"Usually done in about {_round_duration(duration)}."
    if elapsed < timedelta(minutes=1):
        return usual
    if elapsed > duration:
        return f"{usual} This order takes longer."
    return f"{usual} About {_round_duration(duration - elapsed)} left."


def _round_duration(duration: timedelta) -> str:
    minutes = max(1, round(duration.total_seconds() / 60))
    if minutes < 90:
        return f"{minutes} {'minute' if minutes == 1 else 'minutes'}"
    return f"{round(minutes / 60)} hours"
