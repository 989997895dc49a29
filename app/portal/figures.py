"""The figures of a result in plain words: what was measured, what came out, and the limit it is held to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.types.figures import Unit
from engine.types.report import Figure

NO_LIMIT = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure for people: `limit` is empty where there is none; a `near` value is too near it to be sure."""

    label: str
    value: str
    limit: str
    passed: bool
    near: bool = False
    is_question: bool = False

    @property
    def wanted(self) -> str:
        """What a table says beside the value: the limit, `yes` to a question, a dash where nothing is held to."""
        return self.limit or ("yes" if self.is_question else NO_LIMIT)


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


_READ: Mapping[Unit | None, Callable[[float], str]] = {Unit.SHARE: percent, Unit.YES_NO: yes_or_no}
"""How values are read; a number in any other unit as it is."""


def describe_figures(figures: Sequence[Figure]) -> list[Finding]:
    """Describe the figures in their order. One of an edit is named `edit: figure`."""
    return [_describe_figure(figure) for figure in figures]


def _describe_figure(figure: Figure) -> Finding:
    read = _READ.get(figure.unit, plain)
    named = f"{figure.edit}: {figure.label}" if figure.edit else figure.label
    limit, is_question = _describe_limit(figure, read), read is yes_or_no
    return Finding(named, read(figure.value), limit, figure.passed, figure.near, is_question)


def _describe_limit(figure: Figure, read: Callable[[float], str]) -> str:
    if read is yes_or_no:
        return ""
    least = f"at least {read(figure.minimum)}" if figure.minimum is not None else ""
    most = f"at most {read(figure.maximum)}" if figure.maximum is not None else ""
    return " and ".join(filter(None, (least, most)))
