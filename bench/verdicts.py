"""Whether the quality report agrees with people's eyes: `python -m bench.verdicts [OUT] [--write]`.

The verdicts are those of training/verdicts.csv. Every result that was judged is made anew, or read from the folder
OUT that `python -m training.verdicts run training/verdicts.csv OUT` filled. A result counts as stopped when its
quality report rejects it, or when there is none any more because the engine declines. What became another picture
since it was judged is left out, unless `--changed` counts it by its old verdict.

Aims are for the half that is held out: of results not fit to sell 80 % stopped, of publishable ones 5 %. Names are
only shown of the other half, on which limits are settled.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.quality.places import PAGE
from bench.quality.rows import MISSED, REACHED, written_between
from bench.tables import say_where, show
from training.verdict_results import Ending, Kept, in_processes, kept_in, tasks
from training.verdicts import SHARED, VERDICTS, Fit, Half, Judged, Order, read

MARK = "verdicts"
LEAST_STOPPED, MOST_STOPPED = 0.8, 0.05
ALL = "all effects"
HEAD = (
    "Effect",
    "Not fit to sell: stopped (≥ 80 %)",
    "",
    "Publishable: stopped (≤ 5 %)",
    "",
    "Acceptable: stopped",
    "Settled half: not fit",
    "Settled half: publishable",
)


@dataclass(frozen=True, slots=True)
class Compared:
    """A verdict beside what the engine now makes of the same order."""

    judged: Judged
    kept: Kept

    @property
    def stopped(self) -> bool:
        """Whether nobody would get this result: the report rejects it, or the engine declines."""
        return self.kept.ending is not Ending.DELIVERED

    @property
    def changed(self) -> bool:
        """Whether there is a picture, and another than the one that was looked at."""
        return bool(self.kept.result) and self.kept.result != self.judged.result


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some results are stopped."""

    stopped: int
    of: int

    def __str__(self) -> str:
        return f"{self.stopped} of {self.of} ({self.stopped / self.of:.0%})" if self.of else "none"

    def mark(self, fit: Fit) -> str:
        """One word on the aim for results of this worth; none where there is nothing to say."""
        if not self.of or fit is Fit.ACCEPTABLE:
            return ""
        share = self.stopped / self.of
        return REACHED if (share >= LEAST_STOPPED if fit is Fit.NOT else share <= MOST_STOPPED) else MISSED


def compared(judged: Sequence[Judged], kept: Iterable[Kept]) -> list[Compared]:
    """Each order that was judged and made: of several verdicts on it that on this very picture, else the last.

    What failed was not made.
    """
    by_order = {each.order: each for each in kept}
    chosen: dict[Order, Judged] = {}
    for each in judged:
        made = by_order.get(each.order)
        if made is None or made.sha256 != each.sha256 or made.ending is Ending.FAILED:
            continue
        before = chosen.get(each.order)
        if before is None or before.result != made.result:
            chosen[each.order] = each
    return [Compared(each, by_order[order]) for order, each in chosen.items()]


def share(pairs: Iterable[Compared], fit: Fit, half: Half) -> Share:
    """How many of the results of this worth and half are stopped."""
    found = [each.stopped for each in pairs if each.judged.fit is fit and each.judged.half is half]
    return Share(sum(found), len(found))


def by_effect(pairs: Sequence[Compared]) -> dict[str, list[Compared]]:
    """The same by what was ordered, and all of them in the end."""
    effects: dict[str, list[Compared]] = {}
    for each in sorted(pairs, key=lambda each: each.judged.order.steps):
        effects.setdefault(each.judged.order.effect, []).append(each)
    return effects | {ALL: list(pairs)}


def table(pairs: Sequence[Compared]) -> list[tuple[str, ...]]:
    """A line for each effect and one for all, as HEAD names its cells."""
    lines = []
    for effect, of_it in by_effect(pairs).items():
        bad, good, fair = (share(of_it, fit, Half.HELD_OUT) for fit in (Fit.NOT, Fit.PUBLISHABLE, Fit.ACCEPTABLE))
        settled = (str(share(of_it, fit, Half.SETTLED)) for fit in (Fit.NOT, Fit.PUBLISHABLE))
        marks = bad.mark(Fit.NOT), good.mark(Fit.PUBLISHABLE)
        lines.append((effect, str(bad), marks[0], str(good), marks[1], str(fair), *settled))
    return lines


def reached(pairs: Sequence[Compared]) -> bool:
    """Whether no effect misses an aim on the half held out."""
    return all(MISSED not in line for line in table(pairs))


def as_markdown(pairs: Sequence[Compared]) -> str:
    """The table for the documentation."""
    if not pairs:
        return "No verdicts yet."
    lines = [HEAD, ("---",) * len(HEAD), *table(pairs)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def by_fault(pairs: Iterable[Compared]) -> list[tuple[str, ...]]:
    """A line for each fault of results not fit to sell: how many with it are stopped, held out and settled."""
    counted: Counter[tuple[str, Half, bool]] = Counter()
    for each in pairs:
        if each.judged.fit is Fit.NOT:
            counted.update((fault, each.judged.half, each.stopped) for fault in each.judged.faults)
    return [
        (fault, *(str(_share_of(counted, fault, half)) for half in (Half.HELD_OUT, Half.SETTLED)))
        for fault in sorted({fault for fault, _, _ in counted})
    ]


def _share_of(counted: Counter[tuple[str, Half, bool]], fault: str, half: Half) -> Share:
    stopped = counted[fault, half, True]
    return Share(stopped, stopped + counted[fault, half, False])


def wrong(pairs: Iterable[Compared]) -> list[str]:
    """Names of the settled half that speak against the report, and why."""
    lines = []
    for each in pairs:
        judged = each.judged
        if judged.half is Half.SETTLED and judged.fit is Fit.NOT and not each.stopped:
            lines.append(f"{judged.order.name}   not fit to sell ({' '.join(judged.faults)}), passed")
        if judged.half is Half.SETTLED and judged.fit is Fit.PUBLISHABLE and each.stopped:
            lines.append(f"{judged.order.name}   publishable, stopped: {each.kept.why}")
    return sorted(lines)


def main() -> int:
    """Compare, print, write; 1 when an aim is missed."""
    asked = _arguments()
    say_where()
    judged = read(asked.csv)
    orders = {each.order for each in judged}
    kept = kept_in(asked.out) if asked.out else _made(orders, asked.shared, asked.jobs)
    found = compared(judged, kept)
    changed = [each for each in found if each.changed]
    counted = found if asked.changed else [each for each in found if not each.changed]
    declined = sum(not each.kept.result for each in counted)
    show("Stopped by the quality report, held-out half", HEAD, table(counted))
    show("Not fit to sell, stopped, by fault", ("fault", str(Half.HELD_OUT), str(Half.SETTLED)), by_fault(counted))
    print("\n".join(["", *wrong(counted)]))
    left_out = "counted by their old verdict" if asked.changed else "left out"
    print(f"{len(counted)} of {len(orders)} judged results compared, {declined} of them declined by now")
    print(f"{len(changed)} are other pictures by now ({left_out}), {len(orders) - len(found)} were not made")
    if asked.write:
        PAGE.write_text(written_between(PAGE.read_text(), MARK, as_markdown(counted)))
    return int(not reached(counted))


def _made(orders: Iterable[Order], shared: Path, jobs: int) -> list[Kept]:
    """What the engine makes of the orders, without keeping pictures."""
    return [each for found in in_processes(tasks(orders, shared, None), jobs) for each in found]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.verdicts", description="Whether the quality report agrees with people's eyes."
    )
    parser.add_argument("out", nargs="?", type=Path, help="the folder of `python -m training.verdicts run`")
    parser.add_argument("--csv", type=Path, default=VERDICTS, help="the verdicts")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder of the photos")
    parser.add_argument("--jobs", type=int, default=1, help="photos worked at a time")
    parser.add_argument("--changed", action="store_true", help="count other pictures by their old verdict too")
    parser.add_argument("--write", action="store_true", help="fill the table of docs/pictures.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
