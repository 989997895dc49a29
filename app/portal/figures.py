"""The figures of a result in plain words: what was measured, what came out, and the limit it is held to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domain.quality import Figure


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure for people: `limit` is empty where there is none; a `near` value is too near it to be sure."""

    label: str
    value: str
    limit: str
    passed: bool
    near: bool = False


def percent(value: float) -> str:
    """`12 %`, and with a decimal below ten: `0.3 %`."""
    share = 100 * value
    return f"{share:.0f} %" if share >= 10 or share == round(share) else f"{share:.1f} %"


def plain(value: float) -> str:
    """A figure that is no share."""
    return f"{value:.0f}" if value >= 10 or value == round(value) else f"{value:.1f}"


def yes_or_no(value: float) -> str:
    """A figure that is a question."""
    return "yes" if value >= 1 else "no"


WORDS: dict[str, tuple[str, Callable[[float], str]]] = {
    "size kept": ("Same size as the photo", yes_or_no),
    "tonal variety": ("Range of tones", plain),
    "share of pixels changed": ("Changed part of the picture", percent),
    "newly clipped share": ("Detail lost in the brightest and darkest parts", percent),
    "sharpness ratio": ("Sharpness kept", percent),
    "noise added": ("Grain added, in levels of 255", plain),
    "edges in their place": ("Edges of the building or room in their place", percent),
    "fine detail in its place": ("Fine detail in its place", percent),
    "parts that lost their shape": ("Parts that lost their shape", percent),
    "shape lost in the worst part": ("Lost its shape, in the worst part of the picture", percent),
    "shape bent in the worst part": ("Bent or lost its shape, in the worst part of the picture", percent),
    "parts with bands": ("Smooth parts with bands", percent),
    "halo along edges": ("Seams of light along edges", percent),
    "colour cast added": ("Colour added to white things (CIELAB)", plain),
    "colour difference outside": ("Colour change where nothing may change (CIEDE2000)", plain),
    "colour difference outside, 99th percentile": ("The same, in the worst hundredth (CIEDE2000)", plain),
    "colour difference beside the region": ("Colour change beside the edited part (CIEDE2000)", plain),
    "shape of the answer": ("Shape off by", percent),
    "tones in the answer": ("Range of tones", plain),
    "share edited": ("Edited part of the picture", percent),
    "share edited at most": ("Edited part of the picture", percent),
    "parts found again": ("Parts of the room found again", percent),
    "parts in their place": ("Parts still in their place", percent),
    "long lines kept": ("Long lines of the room kept", percent),
    "edges kept where nothing may change": ("Edges kept where nothing may change", percent),
    "new doors and windows": ("New doors and windows", plain),
    "doors and windows moved": ("Doors and windows moved, share of the width", percent),
    "view from the windows changed": ("View from a window changed", percent),
    "edges of the room beside their place": ("Edges of the room moved, in the worst part", percent),
    "edges of the room rubbed out": ("Edges of the room rubbed out, in the worst part", percent),
    "lines of the room continued": ("Lines of the room continued behind what was removed", percent),
    "smeared part": ("Smeared, in the worst part of what was made", percent),
    "detail missing in the worst part": ("Detail missing, in the worst part of what was made", percent),
    "things left where they should be gone": ("Still seen of what was to be taken away", percent),
    "furniture above the floor": ("Furniture not standing on the floor", percent),
    "height of the furniture": ("Height of most of the furniture, in metres", plain),
    "cut at the edge of the region": ("Cut off at the edge of the edit", percent),
}
"""What each figure of the engine is called, and how its value is read."""


def describe_figures(figures: Sequence[Figure]) -> list[Finding]:
    """Describe the figures in their order. One of an edit is named `edit: figure`, and keeps the edit's name."""
    return [_describe_figure(figure) for figure in figures]


def _describe_figure(figure: Figure) -> Finding:
    edit, _, name = figure.name.rpartition(": ")
    label, read = WORDS.get(name, (name.capitalize(), plain))
    named = f"{edit}: {label}" if edit else label
    return Finding(named, read(figure.value), _describe_limit(figure, read), figure.passed, figure.near)


def _describe_limit(figure: Figure, read: Callable[[float], str]) -> str:
    if read is yes_or_no:
        return ""
    least = f"at least {read(figure.minimum)}" if figure.minimum is not None else ""
    most = f"at most {read(figure.maximum)}" if figure.maximum is not None else ""
    return " and ".join(filter(None, (least, most)))
