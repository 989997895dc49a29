"""The figures of a result in words: what was measured, its value, and its limit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.types.figures import Unit
from engine.types.report import Figure

NO_LIMIT = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One figure as pages show it. `limit` is empty for a figure without a limit. `near`: whether the value is so
    close to its limit that the checks are not sure.
    """

    label: str
    value: str
    limit: str
    passed: bool
    near: bool = False
    is_question: bool = False

    @property
    def expected(self) -> str:
        """The expected value for a table: the limit, `yes` for a question, a dash where there is no limit."""
        return self.limit or ("yes" if self.is_question else NO_LIMIT)


def format_percent(value: float) -> str:
    """The value in percent: `12 %`; below ten with a decimal if needed, as `0.3 %`."""
    return f"{format_number(100 * value)} %"


def format_number(value: float) -> str:
    """The value as a number: `12`; below ten with a decimal if needed, as `0.3`, `2`. For figures that are not
    shares.
    """
    rounded = round(value) if value >= 10 else round(value, 1)
    return str(rounded).removesuffix(".0") if rounded else "0"


def format_yes_or_no(value: float) -> str:
    """The value as `yes` if it is 1 or more, else `no`; for figures that answer a question."""
    return "yes" if value >= 1 else "no"


_FORMATTERS: Mapping[Unit | None, Callable[[float], str]] = {
    Unit.SHARE: format_percent,
    Unit.YES_NO: format_yes_or_no,
}
"""How values of a unit are written; format_number() writes values of all other units."""


def describe_figures(figures: Sequence[Figure]) -> list[Finding]:
    """Describe the figures in their order. A figure of a single edit is labeled `edit: figure`."""
    return [_describe_figure(figure) for figure in figures]


def _describe_figure(figure: Figure) -> Finding:
    format_value = _FORMATTERS.get(figure.unit, format_number)
    label = f"{figure.edit}: {figure.label}" if figure.edit else figure.label
    limit, is_question = _describe_limit(figure, format_value), format_value is format_yes_or_no
    return Finding(label, format_value(figure.value), limit, figure.passed, figure.near, is_question)


def _describe_limit(figure: Figure, format_value: Callable[[float], str]) -> str:
    if format_value is format_yes_or_no:
        return ""
    lower = f"at least {format_value(figure.minimum)}" if figure.minimum is not None else ""
    upper = f"at most {format_value(figure.maximum)}" if figure.maximum is not None else ""
    return " and ".join(filter(None, (lower, upper)))
