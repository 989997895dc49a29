"""The rules for results that are sent back: what is tried against each flaw, how rounds end, and when no round may
begin.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.errors import InvalidRequest
from app.domain.flaws import Flaw, SendBackDetails, find_misfit_options
from app.domain.pictures import PictureSettings
from app.domain.retention import find_end
from app.domain.variants import has_server_step, leave_out
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.options import NO_OPTIONS, OPTIONS, Brightness, DuskKind, EffectOptions, Option
from engine.types.report import Certainty, QualityReport

MAX_ROUNDS = 5
"""How many times the owner may send back the result of one photo, and how many times reviewers may have it made
again before delivery.
"""
REVISABLE_FOR = timedelta(days=14)
"""How long after a job was settled its results may be sent back, but no longer than its files are kept."""
REFUND_AFTER_WAIT = timedelta(days=1)
"""When a job's files are removed, a photo is refunded if its round has waited this long for a reviewer."""
MAX_TRIES = 2
"""How many times workers try to correct the same flaw before a reviewer has to look."""
NOTHING_CHOSEN = EditRequest()
"""An edit request without choices, so that all looks are the usual ones."""
STRENGTHS = (1.0, 0.65, 0.4)
"""The strengths that are tried one after the other for steps that can be weakened (WEAKENABLE_STEPS)."""


def find_window(kept_seconds: float) -> timedelta:
    """How long results that are kept for `kept_seconds` can be sent back."""
    return min(REVISABLE_FOR, timedelta(seconds=kept_seconds))


def find_window_end(
    settled_at: datetime, kept_until: datetime | None, kept_seconds: float, *, livemode: bool
) -> datetime:
    """The moment until which results of an order can be sent back: REVISABLE_FOR after the order was settled, or
    the end of find_end() if that is earlier.
    """
    end = find_end(settled_at, kept_until, kept_seconds, livemode=livemode)
    return min(settled_at + REVISABLE_FOR, end)


class RevisionStatus(StrEnum):
    """The status of a round."""

    MAKING = "making"
    IN_REVIEW = "in_review"
    DONE = "done"


class RevisionOutcome(StrEnum):
    """How a round ended: with another picture, with the unchanged picture, with a refund, without any change, or
    withdrawn by the person who began it.
    """

    REVISED = "revised"
    KEPT = "kept"
    REFUNDED = "refunded"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class RevisionReason(StrEnum):
    """Why a reviewer has to decide about a round, or why it ended as it did."""

    NO_REMEDY = "no_remedy"
    """There is nothing that workers can try against this flaw."""
    SAME_PICTURE = "same_picture"
    CHECKS_UNSURE = "checks_unsure"
    CHECKS_FAILED = "checks_failed"
    STEP_DECLINED = "step_declined"
    """A step that was done in the previous picture, or every step, was declined in the new one."""
    MORE_DONE = "more_done"
    """A step or a change was done in the new picture that was declined in the previous one, so its price was
    refunded.
    """
    BY_REVIEWER = "by_reviewer"
    """A reviewer chose what was tried, and looks at the new picture."""
    DOWNLOADED = "downloaded"
    """The new picture lacks a step whose price would be refunded, but the results were downloaded with that
    step.
    """
    PROCESSING_FAILED = "processing_failed"
    UNUSABLE = "unusable"
    FILES_GONE = "files_gone"
    UNANSWERED = "unanswered"
    """No reviewer decided before the files were removed."""
    RETENTION_ENDED = "retention_ended"
    """The result was sent back too short a time before its files were removed."""


class RevisionObstacle(StrEnum):
    """Why a result cannot be sent back now, or a round cannot be withdrawn."""

    ROUND_OPEN = "round_open"
    TOO_MANY_ROUNDS = "too_many_rounds"
    REFUNDED = "refunded"
    ROUND_DONE = "round_done"


MESSAGES: Mapping[RevisionObstacle, str] = {
    RevisionObstacle.ROUND_OPEN: "This result was already sent back. Wait for the answer.",
    RevisionObstacle.TOO_MANY_ROUNDS: f"A result can be sent back {MAX_ROUNDS} times; this one was.",
    RevisionObstacle.REFUNDED: "The price of this photo was refunded, so it cannot be redone.",
    RevisionObstacle.ROUND_DONE: "This round is over, so it cannot be withdrawn.",
}


class Remedy(StrEnum):
    """What is tried against a flaw where the customer does not choose a step to leave out."""

    LIGHTER = "lighter"
    """A lighter room, an earlier dusk."""
    DARKER = "darker"
    """A darker room, a deeper dusk."""
    ANOTHER_SEED = "another_seed"
    """Another random seed: other furniture, other clouds, another picture of the generative server."""
    LESS = "less"
    """A lower strength of the steps that can be weakened (WEAKENABLE_STEPS)."""
    REVIEWER = "reviewer"
    """Nothing automatic: the same fault would occur again, so a reviewer looks at the picture."""


REMEDIES: Mapping[Flaw, Remedy] = {
    Flaw.TOO_DARK: Remedy.LIGHTER,
    Flaw.TOO_BRIGHT: Remedy.DARKER,
    Flaw.SKY_ON_WALL: Remedy.REVIEWER,
    Flaw.OLD_SKY_LEFT: Remedy.REVIEWER,
    Flaw.WIRE_CUT: Remedy.REVIEWER,
    Flaw.TWIG_ERASED: Remedy.REVIEWER,
    Flaw.LAWN_ON_GROUND: Remedy.LESS,
    Flaw.LAWN_ON_BUSH: Remedy.LESS,
    Flaw.LIT_WRONG: Remedy.ANOTHER_SEED,
    Flaw.PANE_DARK: Remedy.ANOTHER_SEED,
    Flaw.DAY_SHADOWS: Remedy.REVIEWER,
    Flaw.DARKENED_WRONG: Remedy.LESS,
    Flaw.LEFT_OVER: Remedy.ANOTHER_SEED,
    Flaw.SMEARED: Remedy.ANOTHER_SEED,
    Flaw.MELTED: Remedy.ANOTHER_SEED,
    Flaw.PAINTED_WRONG: Remedy.ANOTHER_SEED,
    Flaw.FURNITURE_SCALE: Remedy.ANOTHER_SEED,
    Flaw.FURNITURE_PLACE: Remedy.ANOTHER_SEED,
    Flaw.FLOATING: Remedy.ANOTHER_SEED,
    Flaw.CAST: Remedy.LESS,
    Flaw.NOISE: Remedy.LESS,
    Flaw.BLOB: Remedy.LESS,
    Flaw.HALO: Remedy.LESS,
    Flaw.NOTHING_DONE: Remedy.REVIEWER,
    Flaw.STEP_DECLINED: Remedy.REVIEWER,
    Flaw.NO_RESULT: Remedy.REVIEWER,
    Flaw.OTHER: Remedy.REVIEWER,
}
SEEDED_STEPS = frozenset({Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT, Enhancement.STAGING})
"""Steps in which the seed decides something visible, whether the engine or a generative server makes them."""
WEAKENABLE_STEPS = frozenset({Enhancement.GRASS, Enhancement.HDR, Enhancement.FLAMBIENT})
"""Steps whose strength can be lowered, see engine.effect."""


@dataclass(frozen=True, slots=True)
class RemakeChoice:
    """What a reviewer changes when a picture is made again."""

    another_seed: bool = False
    less: bool = False
    left_out: Collection[Enhancement] = ()
    options: EffectOptions = NO_OPTIONS
    hints: SceneHints | None = None
    """What the photo shows, in place of earlier hints."""


def plan_round(
    details: SendBackDetails,
    present: PictureSettings,
    report: QualityReport,
    seed: int,
    flaws_before: Sequence[Flaw] = (),
    request: EditRequest = NOTHING_CHOSEN,
    paid_steps: Collection[Enhancement] = (),
) -> PictureSettings | None:
    """The settings to try for a picture that was sent back; None if a reviewer has to look.

    `present`, `report`: of the picture that was sent back. `seed`: a seed that no picture of the photo has had.
    `flaws_before`: the flaws of earlier rounds. After MAX_TRIES of them with the same flaw a reviewer has to look,
    unless there are hints or options. `request`: the edit request of the picture. `paid_steps`: steps that were
    neither done nor refunded, so that they may be done with hints.
    """
    options = _drop_present(details.options, request)
    if options.chosen:
        present = present.with_options(options)
    if details.hints is not None:
        # All other steps that were not done stay left out, because their price was refunded.
        missing = request.steps if details.flaw is Flaw.NO_RESULT else report.declined
        refunded = [step for step in missing if step not in paid_steps]
        present = present.without(refunded).model_copy(update={"hints": details.hints})
    if details.without is not None:
        return present.without([details.without])
    if details.hints is not None or options.chosen:
        return present
    remedy = Remedy.REVIEWER if list(flaws_before).count(details.flaw) >= MAX_TRIES else REMEDIES[details.flaw]
    if remedy is Remedy.ANOTHER_SEED and depends_on_seed(report):
        return present.model_copy(update={"photo_seed": seed})
    if remedy in (Remedy.LIGHTER, Remedy.DARKER):
        options = _move_light(request, report, up=remedy is Remedy.LIGHTER)
        return present.with_options(options) if options.chosen else None
    return weaken(present, report) if remedy is Remedy.LESS else None


_FROM_DARK_TO_LIGHT: Mapping[str, Sequence[StrEnum]] = {
    "brightness": (Brightness.DARKER, Brightness.AS_IS, Brightness.BRIGHTER),
    "dusk": (DuskKind.DEEP, DuskKind.EARLY),
}
"""The options that decide how light a picture is, each with its values from the darkest to the lightest."""


def _move_light(request: EditRequest, report: QualityReport, *, up: bool) -> EffectOptions:
    """With `up`, the next lighter look of each applied step that has one, else the next darker look; empty if there
    is none.
    """
    moved = {}
    for option in OPTIONS:
        values = _FROM_DARK_TO_LIGHT.get(option.name, ())
        if values and option.is_for(report.applied):
            place = values.index(_find_present(request, option)) + (1 if up else -1)
            if 0 <= place < len(values):
                moved[option.name] = values[place]
    return EffectOptions.of(moved)


def _drop_present(options: EffectOptions, request: EditRequest) -> EffectOptions:
    """The options whose values differ from the options of the picture."""
    present = {each.name: _find_present(request, each) for each in OPTIONS}
    return EffectOptions.of({name: value for name, value in options.chosen.items() if present[name] is not value})


def _find_present(request: EditRequest, option: Option) -> StrEnum:
    return request.chosen_options.chosen.get(option.name, option.usual)


_NOTHING_CHOSEN = {"left_out": "Choose at least one thing to change."}
_NOTHING_SHOWN = {"hints": "The picture was made with exactly this. Show something else."}


def choose_settings(
    present: PictureSettings,
    report: QualityReport,
    seed: int,
    chosen: RemakeChoice,
    request: EditRequest = NOTHING_CHOSEN,
) -> PictureSettings:
    """The settings for a picture that is made again as a reviewer has `chosen`.

    `present`, `report`, `request`: of the picture so far. `seed`: one that no picture of the photo has had. Raises
    InvalidRequest if nothing is chosen, and if a choice is not possible for this picture.
    """
    steps = list_remade_steps(report, request)
    if faults := find_misfit_options(chosen.options, [each for each in steps if each not in chosen.left_out]):
        raise InvalidRequest(faults)
    settings, left_out = present, set(chosen.left_out)
    if left_out:
        if not left_out < set(steps):
            raise InvalidRequest({"left_out": "Leave out steps of this picture, and keep at least one."})
        settings = settings.without(left_out)
    if chosen.less:
        weaker = weaken(settings, report)
        if weaker is None:
            raise InvalidRequest({"less": "No step of this picture can do less than it did."})
        settings = weaker
    if chosen.another_seed:
        settings = settings.model_copy(update={"photo_seed": seed})
    options = _drop_present(chosen.options, request)
    if options.chosen:
        settings = settings.with_options(options)
    if chosen.hints is not None and chosen.hints != (request.hints or NO_HINTS):
        settings = settings.model_copy(update={"hints": chosen.hints})
    if settings == present:
        raise InvalidRequest(_NOTHING_CHOSEN if chosen.hints is None else _NOTHING_SHOWN)
    return settings


def list_remade_steps(report: QualityReport, request: EditRequest) -> Sequence[Enhancement]:
    """The steps that may be left out, or get another look, when a picture with this report is made again: the steps
    that were done; all steps of its `request` if none was.
    """
    return report.applied or request.steps


def weaken(present: PictureSettings, report: QualityReport) -> PictureSettings | None:
    """The settings with the next lower strength; None if no step can be weakened, or the strength is the lowest."""
    lower = [each for each in STRENGTHS if each < present.strength]
    if not lower or not WEAKENABLE_STEPS & set(report.applied):
        return None
    return present.model_copy(update={"strength": lower[0]})


def depends_on_seed(report: QualityReport) -> bool:
    """Whether a picture with this report would look different with another seed."""
    return has_server_step(report) or bool(SEEDED_STEPS & set(report.applied))


def find_doubt(
    before: QualityReport,
    made: QualityReport,
    left_out: Collection[Enhancement],
    *,
    same_picture: bool,
    may_do_more: bool = False,
) -> RevisionReason | None:
    """Why a reviewer has to look at a picture that was made again before it replaces the previous one; None if
    nobody has to.

    `before`, `made`: the reports of the previous and of the new picture. `left_out`: the steps left out in the new
    one. `same_picture`: whether both are identical. `may_do_more`: whether all additional steps that the new one
    may have were paid for.
    """
    if same_picture:
        return RevisionReason.SAME_PICTURE
    kept = set(leave_out(before, left_out))
    if not kept <= set(made.applied):
        return RevisionReason.STEP_DECLINED
    does_more = not (may_do_more or set(made.applied) <= kept)
    if does_more or not _list_done_changes(made) <= _list_done_changes(before):
        return RevisionReason.MORE_DONE
    doubts = {Certainty.UNSURE: RevisionReason.CHECKS_UNSURE, Certainty.SURE_BAD: RevisionReason.CHECKS_FAILED}
    return doubts.get(made.certainty)


def _list_done_changes(report: QualityReport) -> set[int]:
    return {change.index for step in report.steps for change in step.changes if change.applied}


def list_lost_steps(before: QualityReport, after: QualityReport) -> list[Enhancement]:
    """The steps of the previous picture that its replacement lacks. Their price is refunded."""
    return [each for each in before.applied if each not in after.applied]


def can_leave_out(report: QualityReport) -> bool:
    """Whether a picture with this report has several steps, so that one can be left out."""
    return len(report.applied) > 1
