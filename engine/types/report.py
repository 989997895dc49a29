"""The quality report of one enhanced picture: its steps, its figures, and the verdict from them."""

from dataclasses import dataclass
from enum import StrEnum

from engine.types.enhancements import ENHANCEMENTS, ChangeType, Enhancement
from engine.types.figures import MEANINGS, FigureCode, Unit
from engine.types.furniture import AddedFurniture


class Verdict(StrEnum):
    """The verdict of the quality review on a result; `undecided` waits for a reviewer."""

    UNDECIDED = "undecided"
    APPROVED = "approved"
    REJECTED = "rejected"


class Certainty(StrEnum):
    """How sure a quality report is of its verdict; where it is unsure, a person may judge otherwise."""

    SURE_GOOD = "sure_good"
    UNSURE = "unsure"
    SURE_BAD = "sure_bad"


class Reason(StrEnum):
    """The reasons why a picture is rejected or a step declines: stable names that programs may rely on."""

    NO_IMAGERY = "no_imagery"
    UNDECODABLE = "undecodable"
    TOO_MANY_PIXELS = "too_many_pixels"
    FRAMES_UNFIT = "frames_unfit"
    OTHER_PHOTO = "other_photo"
    MASK_UNUSABLE = "mask_unusable"
    ALL_STEPS_DECLINED = "all_steps_declined"
    PROCESSING_FAILED = "processing_failed"
    SIZE_CHANGED = "size_changed"
    NOT_CHANGED = "not_changed"
    BLANK = "blank"
    CLIPPED = "clipped"
    STRUCTURE_CHANGED = "structure_changed"
    SOFTENED = "softened"
    NOISY = "noisy"
    COLOR_CAST = "color_cast"
    OUTSIDE_CHANGED = "outside_changed"
    BANDED = "banded"
    HALO = "halo"
    REVIEWER = "reviewer"
    CANCELLED = "cancelled"
    NO_SKY = "no_sky"
    NO_LAWN = "no_lawn"
    NOT_EXTERIOR = "not_exterior"
    NOT_INTERIOR = "not_interior"
    ALREADY_DARK = "already_dark"
    LOW_SUN = "low_sun"
    NO_COLOR = "no_color"
    NOT_FLAT = "not_flat"
    TURNED = "turned"
    FOG = "fog"
    NOT_AVAILABLE = "not_available"
    SERVER_UNAVAILABLE = "server_unavailable"
    SERVER_REFUSED = "server_refused"
    ANSWER_UNUSABLE = "answer_unusable"
    SPEND_LIMIT = "spend_limit"
    REFERENCE_UNUSABLE = "reference_unusable"
    DRIFTED = "drifted"
    OPENING_ADDED = "opening_added"
    OPENING_MOVED = "opening_moved"
    VIEW_CHANGED = "view_changed"
    FLOATING = "floating"
    WRONG_SCALE = "wrong_scale"
    MELTED = "melted"
    LEFT_OVER = "left_over"
    CUT_OFF = "cut_off"
    TOO_MUCH_CHANGED = "too_much_changed"
    TOO_SMALL = "too_small"
    NOT_ENGLISH = "not_english"
    NOT_UNDERSTOOD = "not_understood"
    CONTRADICTORY = "contradictory"
    HIDES_DEFECTS = "hides_defects"
    STRUCTURAL_CHANGE = "structural_change"
    ROOM_UNCLEAR = "room_unclear"
    NO_FREE_PLACE = "no_free_place"
    ALREADY_FURNISHED = "already_furnished"
    SURFACE_NOT_FOUND = "surface_not_found"
    SURFACE_UNCLEAR = "surface_unclear"
    NOTHING_TO_REMOVE = "nothing_to_remove"
    TOO_MUCH_HIDDEN = "too_much_hidden"
    OPENING_HIDDEN = "opening_hidden"
    SKY_UNCLEAR = "sky_unclear"
    LAWN_UNCLEAR = "lawn_unclear"
    NOTHING_LIT = "nothing_lit"


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """Whether one change of a renovation was done, and if not, why; `index` is its place in the order, from 0.

    The message of a change that was done says which part was left out.
    """

    index: int
    type: ChangeType
    applied: bool
    reason: Reason | None = None
    message: str = ""


class Maker(StrEnum):
    """The maker of a step's picture: the worker itself, or a generative server that it asked."""

    WORKER = "worker"
    SERVER = "generative_server"


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """Whether one step worked on the picture, and if not, why.

    `message`: why it declined, or what it left undone. `maker`: who made the picture; None if the step declined.
    `changes` are those of a renovation that were made one by one; some of them may have been declined.
    `furniture` is what staging added; empty where a server did it.
    """

    enhancement: Enhancement
    applied: bool
    reason: Reason | None = None
    message: str = ""
    maker: Maker | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    furniture: tuple[AddedFurniture, ...] = ()

    @property
    def declined_changes(self) -> tuple[ChangeOutcome, ...]:
        """The changes that were not done, of a step that was applied."""
        return tuple(change for change in self.changes if not change.applied) if self.applied else ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value and its limits.

    `edit` names the measured edit of a generative server, if any. `fault` is the reason to reject the picture when
    a limit is broken. The verdict is unsure where the value is within `margin` (a share of the limit) of a limit.
    """

    code: str
    value: float
    edit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    fault: Reason | None = None
    margin: float = 0.0

    @property
    def label(self) -> str:
        """The figure's label for people."""
        meaning = MEANINGS.get(self.code)
        return meaning.label if meaning else self.code.replace("_", " ").capitalize()

    @property
    def unit(self) -> Unit | None:
        """The unit of the value; None for a figure that is no longer known."""
        meaning = MEANINGS.get(self.code)
        return meaning.unit if meaning else None

    @property
    def passed(self) -> bool:
        """Whether the value keeps its limits."""
        above = self.minimum is None or self.value >= self.minimum
        return above and (self.maximum is None or self.value <= self.maximum)

    @property
    def near(self) -> bool:
        """Whether the value is so near a limit, on either side, that the verdict is unsure."""
        limits = (each for each in (self.minimum, self.maximum) if each is not None)
        return any(abs(self.value - each) < self.margin * abs(each) for each in limits)


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The objective report of one result."""

    steps: tuple[StepOutcome, ...] = ()
    figures: tuple[Figure, ...] = ()
    reason: Reason | None = None
    message: str = ""

    @property
    def passed(self) -> bool:
        """Whether there is no reason to reject the picture."""
        return self.reason is None

    @property
    def certainty(self) -> Certainty:
        """How certain the verdict is.

        SURE_BAD: rejected without a broken figure, or with one far beyond its limit. UNSURE: a figure is near its
        limit, or an applied effect is unproven. SURE_GOOD: all else.
        """
        limited = [figure for figure in self.figures if figure.fault]
        broken = [figure for figure in limited if not figure.passed]
        if not self.passed and not (broken and all(figure.near for figure in broken)):
            return Certainty.SURE_BAD
        unproven = any(ENHANCEMENTS[step].unproven for step in self.applied)
        return Certainty.UNSURE if unproven or any(figure.near for figure in limited) else Certainty.SURE_GOOD

    @property
    def straightened(self) -> bool:
        """Whether the picture was straightened: its walls are upright, or the lens's distortion is removed."""
        turns = FigureCode.STRAIGHTENED, FigureCode.DISTORTION_CORRECTED
        return any(figure.code in turns and figure.value > 0 for figure in self.figures)

    @property
    def applied(self) -> tuple[Enhancement, ...]:
        """The steps that were done."""
        return tuple(step.enhancement for step in self.steps if step.applied)

    @property
    def declined(self) -> tuple[Enhancement, ...]:
        """The steps that declined."""
        return tuple(step.enhancement for step in self.steps if not step.applied)

    @property
    def complete(self) -> bool:
        """Whether every step was applied, and every change of a renovation was done."""
        return not self.declined and not any(step.declined_changes for step in self.steps)


def judge(steps: tuple[StepOutcome, ...], figures: tuple[Figure, ...]) -> QualityReport:
    """Make the report for these steps and figures: rejected when every step declined or a limit is broken.

    Parameters
    ----------
    steps : tuple of StepOutcome
        All steps of the request; if empty, only the figures count.
    figures : tuple of Figure
        All measured figures; only those with a `fault` can reject the picture.

    Returns
    -------
    QualityReport
        With the reason and message of the first figure that breaks a limit; if every step declined, without
        figures and with the messages of all steps.
    """
    if steps and not any(step.applied for step in steps):
        message = "; ".join(step.message for step in steps)
        return QualityReport(steps=steps, reason=Reason.ALL_STEPS_DECLINED, message=message)
    broken = next((figure for figure in figures if figure.fault and not figure.passed), None)
    if broken is None:
        return QualityReport(steps=steps, figures=figures)
    message = _FAULTS.get(broken.fault, "The picture did not pass its checks.")
    return QualityReport(steps=steps, figures=figures, reason=broken.fault, message=message)


_FAULTS: dict[Reason | None, str] = {
    Reason.SIZE_CHANGED: "The picture came out in another size.",
    Reason.NOT_CHANGED: "The picture came out unchanged.",
    Reason.BLANK: "The picture is blank.",
    Reason.CLIPPED: "Bright or dark parts lost their detail.",
    Reason.STRUCTURE_CHANGED: "Edges of the building or room moved.",
    Reason.SOFTENED: "Fine detail was lost.",
    Reason.NOISY: "The picture became grainy.",
    Reason.COLOR_CAST: "White things took on a color.",
    Reason.OUTSIDE_CHANGED: "Parts changed that should have stayed as they were.",
    Reason.BANDED: "Smooth tones broke into bands.",
    Reason.HALO: "Seams of light or dark run along edges.",
    Reason.OPENING_ADDED: "A door or window was added.",
    Reason.OPENING_MOVED: "A door or window is not where it was.",
    Reason.VIEW_CHANGED: "The view from a window changed.",
    Reason.FLOATING: "Furniture does not stand on the floor.",
    Reason.WRONG_SCALE: "Furniture is too large or too small for the room.",
    Reason.MELTED: "Parts of the picture are smeared or bent.",
    Reason.NOTHING_LIT: "Too few windows were found surely enough to be lit.",
    Reason.SKY_UNCLEAR: "Where the sky ends could not be told surely enough in this photo.",
    Reason.LAWN_UNCLEAR: "What is lawn could not be told surely enough in this photo.",
    Reason.LEFT_OVER: "Something that was to be taken away is still there.",
}
