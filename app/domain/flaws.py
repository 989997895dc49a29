"""Flaws: what a customer may say is wrong with a result, and which flaws are offered for which enhancements.

Verdicts on results record the same flaws, and other flaws, so that customers' answers and verdicts can be counted
together. revisions.py says how each flaw is corrected.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line
from engine.types.enhancements import Enhancement
from engine.types.hints import SceneHints
from engine.types.options import NO_OPTIONS, OPTIONS, EffectOptions
from engine.types.report import QualityReport
from engine.types.usable_options import is_usable

MAX_NOTE = 500
"""The most characters of a customer's own words."""


class Flaw(StrEnum):
    """What is wrong. The values are stored; LABELS has the words for customers."""

    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    SKY_ON_WALL = "sky_on_wall"
    OLD_SKY_LEFT = "old_sky_left"
    WIRE_CUT = "wire_cut"
    TWIG_ERASED = "twig_erased"
    LAWN_ON_GROUND = "lawn_on_ground"
    LAWN_ON_BUSH = "lawn_on_bush"
    LIT_WRONG = "lit_wrong"
    PANE_DARK = "pane_dark"
    DAY_SHADOWS = "day_shadows"
    DARKENED_WRONG = "darkened_wrong"
    LEFT_OVER = "left_over"
    SMEARED = "smeared"
    MELTED = "melted"
    PAINTED_WRONG = "painted_wrong"
    FURNITURE_SCALE = "furniture_scale"
    FURNITURE_PLACE = "furniture_place"
    FLOATING = "floating"
    CAST = "cast"
    NOISE = "noise"
    BLOB = "blob"
    HALO = "halo"
    NOTHING_DONE = "nothing_done"
    STEP_DECLINED = "step_declined"
    """Something that was ordered is not in the picture, because it could not be done."""
    NO_RESULT = "no_result"
    """There is no picture: every step was declined, or the result was rejected."""
    OTHER = "other"


LABELS: Mapping[Flaw, str] = {
    Flaw.TOO_DARK: "Too dark",
    Flaw.TOO_BRIGHT: "Too bright",
    Flaw.SKY_ON_WALL: "A wall, roof or tree became sky",
    Flaw.OLD_SKY_LEFT: "Old sky is left, in patches or along edges",
    Flaw.WIRE_CUT: "A wire, pole or railing is cut off",
    Flaw.TWIG_ERASED: "Twigs or leaves are gone or smeared",
    Flaw.LAWN_ON_GROUND: "Gravel, soil or paving became lawn",
    Flaw.LAWN_ON_BUSH: "Bushes or beds became as green as the lawn",
    Flaw.LIT_WRONG: "Something is lit that is not a window or lamp",
    Flaw.PANE_DARK: "Windows that should be lit are dark",
    Flaw.DAY_SHADOWS: "Hard daylight shadows do not match the light",
    Flaw.DARKENED_WRONG: "Something bright was darkened",
    Flaw.LEFT_OVER: "Something that should be removed is still there",
    Flaw.SMEARED: "A filled-in area is blurred or streaked",
    Flaw.MELTED: "Shapes are bent or run into each other",
    Flaw.PAINTED_WRONG: "Material or paint is in the wrong place",
    Flaw.FURNITURE_SCALE: "Furniture is too large or too small",
    Flaw.FURNITURE_PLACE: "Furniture stands in the wrong place",
    Flaw.FLOATING: "Something floats in the air",
    Flaw.CAST: "Colors are off",
    Flaw.NOISE: "Grain or blocks show",
    Flaw.BLOB: "A patch of wrong color or brightness",
    Flaw.HALO: "A light or dark line runs along edges",
    Flaw.NOTHING_DONE: "Almost nothing was done",
    Flaw.STEP_DECLINED: "Something ordered was not done",
    Flaw.NO_RESULT: "There is no usable result",
    Flaw.OTHER: "Something else",
}

OF_NO_PICTURE = frozenset({Flaw.STEP_DECLINED, Flaw.NO_RESULT})
"""Flaws of the order as a whole, which are no faults of a picture that was made."""
_FLAWS_OF_ALL = (Flaw.HALO, Flaw.NOTHING_DONE, Flaw.OTHER)
_FLAWS_OF_REMOVAL = (Flaw.LEFT_OVER, Flaw.SMEARED, Flaw.MELTED)
_FLAWS_OF_LIGHT = (Flaw.TOO_DARK, Flaw.TOO_BRIGHT)
_FLAWS_OF_ROOM_LIGHT = (*_FLAWS_OF_LIGHT, Flaw.DARKENED_WRONG, Flaw.CAST, Flaw.NOISE, Flaw.BLOB)
_FLAWS_OF: Mapping[Enhancement, Sequence[Flaw]] = {
    Enhancement.GRASS: (Flaw.LAWN_ON_GROUND, Flaw.LAWN_ON_BUSH, Flaw.CAST, Flaw.BLOB),
    Enhancement.SKY: (Flaw.SKY_ON_WALL, Flaw.OLD_SKY_LEFT, Flaw.WIRE_CUT, Flaw.TWIG_ERASED),
    Enhancement.GOLDEN_HOUR: (*_FLAWS_OF_LIGHT, Flaw.OLD_SKY_LEFT, Flaw.DAY_SHADOWS, Flaw.CAST, Flaw.BLOB),
    Enhancement.TWILIGHT: (
        *_FLAWS_OF_LIGHT,
        Flaw.LIT_WRONG,
        Flaw.PANE_DARK,
        Flaw.DAY_SHADOWS,
        Flaw.OLD_SKY_LEFT,
    ),
    Enhancement.HDR: _FLAWS_OF_ROOM_LIGHT,
    Enhancement.FLAMBIENT: _FLAWS_OF_ROOM_LIGHT,
    Enhancement.DECLUTTER: _FLAWS_OF_REMOVAL,
    Enhancement.FURNITURE_REMOVAL: _FLAWS_OF_REMOVAL,
    Enhancement.STAGING: (Flaw.FURNITURE_SCALE, Flaw.FURNITURE_PLACE, Flaw.FLOATING, Flaw.MELTED),
    Enhancement.RENOVATION: (Flaw.PAINTED_WRONG, Flaw.CAST, Flaw.SMEARED, Flaw.MELTED),
}


@dataclass(frozen=True, slots=True)
class SendBackInput:
    """What a customer entered about one result, not yet checked: the value of a Flaw (`reason`), their own words
    (`message`), and the step to leave out (`without`). Each may be empty. `hints`: what the photo shows. `options`:
    looks to try in place of those in the picture.
    """

    reason: str
    message: str = ""
    without: str = ""
    hints: SceneHints | None = None
    options: EffectOptions = NO_OPTIONS


@dataclass(frozen=True, slots=True)
class SendBackDetails:
    """What a customer says about one result, checked. `without`: the step to leave out when the picture is made
    again; None if the service chooses what to try. `hints`, `options`: those to make it again with, in place of
    earlier ones.
    """

    flaw: Flaw
    words: str = ""
    without: Enhancement | None = None
    hints: SceneHints | None = None
    options: EffectOptions = NO_OPTIONS


def list_flaws(report: QualityReport) -> list[Flaw]:
    """The flaws that a picture with this report may have, in the order in which they are offered."""
    fitting = {flaw for each in report.applied for flaw in _FLAWS_OF[each]}.union(_FLAWS_OF_ALL)
    if not report.complete:
        fitting.add(Flaw.STEP_DECLINED)
    return [flaw for flaw in Flaw if flaw in fitting]


def check_no_result(given: SendBackInput, paid_steps: Collection[Enhancement] = ()) -> SendBackDetails:
    """The checked input about a photo without a usable result. Raises InvalidRequest with all faults: there is only
    one reason, and a person decides what is tried. Hints are accepted only for `paid_steps`, which were not
    refunded.
    """
    words, faults = one_line(given.message), _check_words(given)
    if given.reason != Flaw.NO_RESULT:
        faults["reason"] = f"This photo has no usable result: the reason is {Flaw.NO_RESULT}."
    chosen = [*(["without"] if given.without else []), *(f"options.{name}" for name in given.options.chosen)]
    faults |= dict.fromkeys(chosen, "A person decides what is tried with this photo.")
    if given.hints is not None and not paid_steps:
        faults["hints"] = "What this photo cost was refunded. Order it again with these hints."
    if faults:
        raise InvalidRequest(faults)
    return SendBackDetails(Flaw.NO_RESULT, words, hints=given.hints)


def _check_words(given: SendBackInput) -> dict[str, str]:
    length = len(one_line(given.message))
    return {"message": f"Use at most {MAX_NOTE} characters; there are {length}."} if length > MAX_NOTE else {}


def check_send_back(given: SendBackInput, report: QualityReport) -> SendBackDetails:
    """The checked input about a picture with this report. Raises InvalidRequest with all faults."""
    words, reason, without, faults = one_line(given.message), given.reason, given.without, _check_words(given)
    applied = report.applied
    if not reason:
        faults["reason"] = "Choose what is wrong."
    elif reason not in list_flaws(report):
        faults["reason"] = "Choose from the list."
    if without and without not in applied:
        faults["without"] = f"Name a step that was done on this picture: {', '.join(applied)}."
    elif without and len(applied) == 1:
        faults["without"] = "At least one step must stay: without any the picture is the original."
    faults |= find_misfit_options(given.options, [each for each in applied if each != without])
    if faults:
        raise InvalidRequest(faults)
    return SendBackDetails(
        Flaw(reason), words, Enhancement(without) if without else None, given.hints, given.options
    )


def find_misfit_options(options: EffectOptions, steps: Collection[Enhancement]) -> dict[str, str]:
    """A fault for each of the options that belongs to none of the steps, or cannot be carried out here."""
    chosen = [(each, options.chosen[each.name]) for each in OPTIONS if each.name in options.chosen]
    misfits = [each.name for each, value in chosen if not (each.is_for(steps) and is_usable(value))]
    return {f"options.{name}": "Choose looks of the steps in this picture." for name in misfits}
