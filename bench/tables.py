"""Prints figures as a plain table, and says on what they were measured."""

import os
import platform
import statistics
from collections.abc import Iterable, Sequence


def show(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print the rows below their heads, the first column to the left and figures to the right."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    print(f"\n{title}")
    for line in lines:
        first, *figures = zip(line, widths, strict=True)
        print("  ".join((first[0].ljust(first[1]), *(text.rjust(width) for text, width in figures))))


def say_where() -> None:
    """Print Python, cores and how busy the machine was before the bench: others' work spoils its figures."""
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f} before the start")


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, 90th percentile and maximum."""
    ninetieth = statistics.quantiles(values, n=10, method="inclusive")[-1]
    return statistics.median(values), ninetieth, max(values)
