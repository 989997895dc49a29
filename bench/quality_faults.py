"""How many faults planted in the engine's results the quality report catches, and how many good ones it rejects.

Usage: python -m bench.quality_faults [FOLDER OF PHOTOS] [--all]

Good results are those of every fitting step on the hand-out photos, at their own size. Each gets every fifth kind
of fault (with --all every kind), as strong as tests/engine/faults.py says.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench.tables import show
from engine.io.photo import decode
from engine.types.enhancements import Enhancement
from tests.engine.faults import BOUND, FAULTS, HOURS, ROOMS, Result, results

PHOTOS = Path(__file__).resolve().parents[2] / "shared" / "photos"
SPREAD = 5
OUTDOORS, INDOORS = (*BOUND, *HOURS), ROOMS
FOLDERS: dict[str, tuple[tuple[Enhancement, ...], str]] = {
    "exterior": (OUTDOORS, "*.jpg"),
    "interior": (INDOORS, "*.jpg"),
    "pairs": (INDOORS, "*_before.jpg"),
    "flambient": (INDOORS, "*_ambient.jpg"),
    "large": (INDOORS, "*.jpg"),
}


@dataclass(slots=True)
class Tally:
    """What was planted and what became of it; each miss and each false alarm by name."""

    planted: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str]] = field(default_factory=list)
    good: int = 0
    alarms: list[str] = field(default_factory=list)

    def add_good(self, name: str, result: Result) -> None:
        """Count a good result."""
        self.good += 1
        report = result.report()
        if not report.passed:
            broken = ", ".join(f"{each.code} {each.value:.3f}" for each in report.figures if not each.passed)
            self.alarms.append(f"{name}: {broken}")

    def add_faulty(self, name: str, result: Result, kind: str) -> None:
        """Count a result spoilt by this kind of fault."""
        reason = result.report(result.with_fault(FAULTS[kind])).reason
        self.planted[kind] += 1
        self.named[kind] += reason in FAULTS[kind].reasons
        if reason is None:
            self.misses.append((kind, name))


def good_results(photos: Path) -> Iterator[tuple[str, Result]]:
    """What the engine makes of the hand-out photos, with a name each."""
    for folder, (steps, pattern) in FOLDERS.items():
        for path in sorted((photos / folder).glob(pattern)):
            with path.open("rb") as content:
                photo = decode(content)
            for result in results(photo, steps):
                yield f"{path.stem} {result.step}", result


def tallied(photos: Path, spread: int = SPREAD) -> Tally:
    """All good results, and every `spread`-th kind of fault in each of them, each time beginning with another."""
    tally = Tally()
    for number, (name, result) in enumerate(good_results(photos)):
        tally.add_good(name, result)
        fitting = [kind for kind in FAULTS if result.step in FAULTS[kind].steps]
        for kind in fitting[number % spread :: spread]:
            tally.add_faulty(name, result, kind)
    return tally


def counted(photos: Path) -> tuple[int, int, int, int]:
    """Faulty results, those missed, good results, false alarms."""
    tally = tallied(photos)
    return tally.planted.total(), len(tally.misses), tally.good, len(tally.alarms)


def main() -> None:
    """Print a line for each kind of fault, then each miss and each false alarm by name."""
    folders = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    tally = tallied(folders[0] if folders else PHOTOS, 1 if "--all" in sys.argv else SPREAD)
    missed = Counter(kind for kind, _ in tally.misses)
    rows = [
        [kind, FAULTS[kind].strength, str(count), str(count - missed[kind]), str(tally.named[kind])]
        for kind, count in tally.planted.items()
    ]
    show("Planted faults", ("fault", "strength", "planted", "caught", "with its reason"), rows)
    print(f"faulty results {tally.planted.total()}, missed {len(tally.misses)}")
    print(f"good results {tally.good}, false alarms {len(tally.alarms)}")
    for kind, name in tally.misses:
        print(f"  missed: {kind} in {name}")
    for alarm in tally.alarms:
        print(f"  false alarm: {alarm}")


if __name__ == "__main__":
    main()
