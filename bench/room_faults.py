"""How many faults planted in results of the steps inside rooms the report catches; how many good ones it rejects.

Usage: python -m bench.room_faults [--settling] [--rooms 15] [--all]

Good results are drawn rooms furnished, renovated and emptied on this machine, each also as a picture server gives
it back. The limits were settled on the first 45 rooms (--settling); what is reported is the rooms after them.
Each gets every fourth kind of fault (with --all every kind), as strong as tests/engine/room_faults.py says.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.tables import show
from tests.engine.room_faults import FAULTS
from tests.engine.room_results import RoomResult, as_edit, emptied, renovated, staged

SPREAD = 4
SETTLED = 45
"""Rooms of which anything was looked at while the limits were found."""


@dataclass
class Tally:
    """What the report said of good and of faulty results."""

    good: int = 0
    alarms: list[str] = field(default_factory=list)
    planted: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str]] = field(default_factory=list)

    def add_good(self, result: RoomResult) -> None:
        """Count a good result."""
        report = result.report()
        self.good += 1
        if not report.passed:
            broken = [f"{each.code} {each.value:.3f}" for each in report.figures if not each.passed]
            self.alarms.append(f"{result.name}: {', '.join(broken)}")

    def add_faulty(self, result: RoomResult, name: str) -> None:
        """Count a result spoilt by this fault, where there is a place for it."""
        spoilt = FAULTS[name].plant(result)
        if spoilt is None:
            return
        reason = result.report(spoilt).reason
        self.planted[name] += 1
        self.named[name] += reason in FAULTS[name].reasons
        if reason is None:
            self.misses.append((name, result.name))


def good_results(seeds: range) -> Iterator[RoomResult]:
    """What this machine makes of the drawn rooms of these seeds, and what a server would give back."""
    for seed in seeds:
        for make in (staged, renovated, emptied):
            result = make(seed)
            if result is not None:
                yield from (result, as_edit(result))


def tallied(seeds: range, spread: int = SPREAD) -> Tally:
    """All good results, and every `spread`-th fault in each of them, each time beginning with another."""
    tally = Tally()
    for number, result in enumerate(good_results(seeds)):
        tally.add_good(result)
        fitting = [name for name, fault in FAULTS.items() if result.step in fault.steps]
        for name in fitting[number % spread :: spread]:
            tally.add_faulty(result, name)
    return tally


def main() -> None:
    """Print a line for each fault, then each miss and each false alarm by name."""
    parser = argparse.ArgumentParser(prog="python -m bench.room_faults")
    parser.add_argument("--rooms", type=int, default=15, help="how many rooms")
    parser.add_argument("--settling", action="store_true", help="every other room that the limits were settled on")
    parser.add_argument("--all", action="store_true", help="every fault in every result")
    asked = parser.parse_args()
    seeds = range(0, SETTLED, 2)[: asked.rooms] if asked.settling else range(SETTLED, SETTLED + asked.rooms)
    tally = tallied(seeds, 1 if asked.all else SPREAD)
    missed = Counter(name for name, _ in tally.misses)
    rows = [
        [FAULTS[name].kind, FAULTS[name].strength, str(count), str(count - missed[name]), str(tally.named[name])]
        for name, count in tally.planted.items()
    ]
    show("Faults planted in rooms", ("kind", "strength", "planted", "caught", "with its reason"), rows)
    print(f"faulty results {tally.planted.total()}, missed {len(tally.misses)}")
    print(f"good results {tally.good}, false alarms {len(tally.alarms)}")
    for name, result in tally.misses:
        print(f"  missed: {name} in {result}")
    for alarm in tally.alarms:
        print(f"  false alarm: {alarm}")


if __name__ == "__main__":
    main()
