"""The chart of the usage: the positions of its bars and lines, computed by the server."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from app.services.billing.usage import Month

HEIGHT, TOP = 160, 28
"""In pixels: HEIGHT is from the base line to the highest line; TOP is the space above the highest line for the
bars' figures.
"""
BASE = TOP + HEIGHT
BAR_SHARE = 0.62
"""The width of a bar as a share of the width of its month."""
MAX_LINES = 4
"""The most lines above the base line. The distance between lines is the first of _STEPS with which no more are
needed for the highest bar.
"""
_STEPS = tuple(Decimal(step).scaleb(power) for power in range(-1, 9) for step in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class AxisLine:
    """A horizontal line, and its value in credits."""

    value: Decimal
    y: float


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a month. `middle`, `left` and `width` are horizontal, in percent of the chart's width, so that
    text keeps its size when the chart is scaled; `y` and `height` are vertical, in pixels.
    """

    month: Month
    middle: str
    left: str
    width: str
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart: its bars, its horizontal lines, and the height of its base line in pixels."""

    bars: Sequence[Bar]
    lines: Sequence[AxisLine]
    base: int = BASE

    @property
    def crowded(self) -> bool:
        """Whether the bars' figures may have four digits or more, which do not fit side by side."""
        return self.lines[-1].value >= 1000

    @property
    def total(self) -> Decimal:
        """The credits used in all months together."""
        return sum((bar.month.used for bar in self.bars), Decimal(0))

    @property
    def peak(self) -> Month:
        """The month with the highest bar."""
        return max((bar.month for bar in self.bars), key=lambda month: month.used)


def draw_chart(months: Sequence[Month]) -> Chart | None:
    """Draw the chart of these months; None if no month has usage above 0."""
    highest = max(month.used for month in months)
    if highest <= 0:
        return None
    step = next(step for step in _STEPS if step * MAX_LINES >= highest)
    count = int((highest / step).to_integral_value(ROUND_CEILING))
    top = step * count
    lines = [AxisLine(step * number, _y(step * number, top)) for number in range(count + 1)]
    return Chart(list(_draw_bars(months, top, 100 / len(months))), lines)


def _draw_bars(months: Sequence[Month], top: Decimal, share: float) -> Iterator[Bar]:
    for index, month in enumerate(months):
        middle, y = (index + 0.5) * share, _y(max(month.used, Decimal(0)), top)
        left = middle - share * BAR_SHARE / 2
        yield Bar(month, _percent(middle), _percent(left), _percent(share * BAR_SHARE), y, round(BASE - y, 1))


def _percent(share: float) -> str:
    return f"{share:.3f}%"


def _y(value: Decimal, top: Decimal) -> float:
    return round(BASE - HEIGHT * float(value / top), 1)
