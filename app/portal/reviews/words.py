"""Texts of the reviewers' pages: deadlines, states of results, the effect of finishing a review."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from markupsafe import Markup

from app.domain.amounts import counted, credits_
from app.domain.lifecycle import WORKABLE, Status
from app.domain.pictures import PictureSettings
from app.domain.reviews import WARN_BEFORE, ReviewClaim
from app.domain.revisions import RevisionOutcome, RevisionReason
from app.domain.staff import StaffAction
from app.models import Job, Result
from app.portal.words import STATUS_WORDS, Word, find_status_word
from app.services.reviews.decisions import DecisionEffect
from engine.types.report import Certainty, QualityReport, Verdict

SOON = timedelta(minutes=30)
"""A deadline within this time is shown with a warning."""
POLL_SECONDS = 30
"""How often the review page polls who has claimed the order."""
MAKING_POLL_SECONDS = 3
"""How often the review page polls a result that is being made again, which usually takes seconds."""

ACTIONS: Mapping[StaffAction, str] = {
    StaffAction.CLAIM: "Claimed",
    StaffAction.RELEASE: "Released",
    StaffAction.APPROVE: "Approved a result",
    StaffAction.REJECT: "Rejected a result",
    StaffAction.FINISH: "Finished the review",
    StaffAction.MAKE_AGAIN: "Had a result redone",
    StaffAction.REVISE: "Used a new picture",
    StaffAction.KEEP: "Kept a result sent back",
    StaffAction.REFUND_PHOTO: "Refunded a result sent back",
    StaffAction.GRANT: "Changed the balance",
    StaffAction.SUSPEND: "Suspended the account",
    StaffAction.RESTORE: "Restored the account",
    StaffAction.FLAG: "Flagged the account",
    StaffAction.CLEAR_FLAG: "Cleared the flag",
    StaffAction.REQUEUE: "Put back in the queue",
    StaffAction.FAIL_JOB: "Failed the job",
    StaffAction.REDELIVER: "Sent a delivery again",
    StaffAction.SETTLE: "Settled a purchase",
}
_UNDECIDED = Word("Undecided", "warn", "It waits for a decision.")
_APPROVED = Word("Approved", "good", "The customer gets it.")
_REJECTED = Word("Rejected", "bad", "What it cost is refunded to the customer.")
_NO_PICTURE = Word("No picture", "bad", "There is nothing to decide: it counts as rejected.")
_BEING_MADE = Word("Being redone", "busy", "A reviewer sent it back; it waits for a decision once it is there.")
_NOT_THERE = Word("No result yet", "quiet", "The photo is still being processed, or the order ended before it was.")


_CERTAINTY: Mapping[Certainty, Word] = {
    Certainty.SURE_GOOD: Word("Would pass", "good", "It keeps all its limits."),
    Certainty.UNSURE: Word("Unsure", "warn", "Its measurements are not clear: a person must decide."),
    Certainty.SURE_BAD: Word("Would not pass", "bad", "It clearly breaks a limit, or there is no picture."),
}


REWORK_OUTCOMES: Mapping[RevisionOutcome | None, str] = {
    None: "Being redone",
    RevisionOutcome.REVISED: "Redone",
    RevisionOutcome.KEPT: "The previous picture was used again",
    RevisionOutcome.DECLINED: "It could not be redone",
    RevisionOutcome.WITHDRAWN: "Stopped",
}
"""Outcomes of rounds that a reviewer began before delivery; None: the round is open."""


REVISION_REASONS: Mapping[RevisionReason | None, str] = {
    RevisionReason.NO_REMEDY: "Nothing that a worker could try helps with this.",
    RevisionReason.SAME_PICTURE: "Redone, it looked the same.",
    RevisionReason.CHECKS_UNSURE: "The checks are not sure of the new picture.",
    RevisionReason.CHECKS_FAILED: "The new picture did not pass its checks.",
    RevisionReason.STEP_DECLINED: "A step could not be done in the new picture.",
    RevisionReason.MORE_DONE: "Something is done now whose price was refunded because it could not be done.",
    RevisionReason.BY_REVIEWER: "Redone as a reviewer chose.",
    RevisionReason.DOWNLOADED: "It is without a step that was downloaded; its price would be refunded.",
    RevisionReason.PROCESSING_FAILED: "Redoing it failed in every try.",
    RevisionReason.UNUSABLE: "The photo could not be opened again.",
    RevisionReason.FILES_GONE: "A file needed to redo it was removed.",
    RevisionReason.UNANSWERED: "Nobody answered in time.",
    RevisionReason.RETENTION_ENDED: "It came too late.",
    None: "",
}


def describe_certainty(report: QualityReport) -> Word:
    """Whether the checks would approve a picture, and how sure they are."""
    return _CERTAINTY[report.certainty]


def describe_verdict(result: Result | None, *, being_made: bool = False) -> Word:
    """The state of a result: its verdict, or why there is none."""
    if result is None:
        return _NOT_THERE
    if being_made:
        return _BEING_MADE
    if result.storage_key is None:
        return _NO_PICTURE
    return {Verdict.APPROVED: _APPROVED, Verdict.REJECTED: _REJECTED}.get(result.verdict, _UNDECIDED)


def describe_settings(picture_settings: PictureSettings) -> str:
    """How a picture with these settings differs from the order, such as `Another random start (number 1), without
    Blue sky`.
    """
    text = picture_settings.description or "as it was ordered"
    return text[0].upper() + text[1:]


def describe_deadline(deadline: datetime, now: datetime) -> Word:
    """`Due in 25 min` or `Overdue`, with a tone for how soon the deadline is."""
    left = deadline - now
    if left <= timedelta(0):
        return Word("Overdue", "bad", "The order fails by itself any moment now; everything is refunded.")
    tone = "warn" if left <= SOON else "quiet"
    return Word(
        f"Due in {write_duration(left)}", tone, "Then the order fails by itself and everything is refunded."
    )


def write_duration(duration: timedelta) -> str:
    """`25 min`, `1 h 35 min`, rounded down to whole minutes; `under a minute`."""
    minutes = int(duration.total_seconds() // 60)
    if minutes < 1:
        return "under a minute"
    hours, rest = divmod(minutes, 60)
    return " ".join(filter(None, (f"{hours} h" if hours else "", f"{rest} min" if rest else "")))


def write_ago(duration: timedelta) -> str:
    """`25 min ago`, `just now`."""
    return f"{write_duration(duration)} ago" if duration >= timedelta(minutes=1) else "just now"


def write_time(at: datetime) -> Markup:
    """`14:20 UTC` in a `time` element."""
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), f"{at:%H:%M} UTC")


def describe_effect(effect: DecisionEffect) -> str:
    """Describe the effect of finishing the review, in one or two sentences."""
    if effect.next_status is None:
        return f"{counted(effect.undecided, 'photo')} still undecided."
    refunded = f"{credits_(effect.refunded)} {'is' if effect.refunded == 1 else 'are'} refunded."
    if effect.next_status is Status.APPROVED:
        head = f"{effect.rejected} rejected." if effect.rejected else "All approved."
        end = f", and {refunded}" if effect.refunded else "."
        return f"{head} The customer gets {counted(effect.approved, 'photo')}{end}"
    return f"All rejected: the order becomes {STATUS_WORDS[effect.next_status].label}, {refunded}"


def describe_news(seen: int | None, total: int) -> str:
    """The change of the queue's length from the `seen` orders that the page shows to `total`; empty for no
    change.
    """
    if seen is None or seen == total:
        return ""
    if total > seen:
        return (
            "1 more order waits for review."
            if total == seen + 1
            else f"{total - seen} more orders wait for review."
        )
    return f"{total} left in the queue."


def explain_closed(job: Job) -> str:
    """Explain why results of the order cannot be decided on."""
    if job.status in WORKABLE:
        return "The photos are still being worked on. There is nothing to decide yet."
    return f"The review is over: {find_status_word(job).label}. You can look at everything."


def seconds_until_poll(hold: ReviewClaim, now: datetime) -> int:
    """Seconds until the page polls again who has claimed the order: POLL_SECONDS, or fewer if the warning that the
    visitor's claim ends soon is due before that; after the warning, the seconds until the claim ends.
    """
    if not hold.is_mine or hold.until is None:
        return POLL_SECONDS
    left = int((hold.until - now).total_seconds()) + 1
    # Between the warning and the end the page does not poll, because an answer would repeat the warning.
    return left if hold.ends_soon(now) else min(POLL_SECONDS, left - int(WARN_BEFORE.total_seconds()))
