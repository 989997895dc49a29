"""The engine's figures beside their aims: `python -m bench.quality [--only sky,dusk] [--twins DIR] [--write]`.

Printed, and kept in build/quality.json; with --write also as the table of docs/pictures.md, which has what was
measured now and the last figures of the other parts.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from bench.quality import brackets, dusk, eyes, faults, order, outdoors, removal, rooms, sky
from bench.quality.places import FIGURES, PAGE, ROOMS, TWINS
from bench.quality.rows import Row, as_json, as_markdown, as_text, from_json, written_between
from bench.tables import say_where

MARK = "figures"


def sections(twins: Path, rendered: Path) -> Mapping[str, Callable[[], Iterable[Row]]]:
    """What can be measured, by name."""
    return {
        "eyes": eyes.rows,
        "sky": sky.rows,
        "outside": outdoors.rows,
        "brackets": brackets.rows,
        "dusk": lambda: dusk.rows(twins),
        "faults": faults.rows,
        "order": order.rows,
        "rooms": lambda: rooms.rows(rendered),
        "removal": lambda: removal.rows(rendered),
    }


def main() -> None:
    """Measure what was asked, print it, keep it; exit 1 when an aim is missed."""
    asked = _arguments()
    say_where()
    measured: dict[str, list[Row]] = {}
    for name, measure in sections(asked.twins, asked.rooms).items():
        if name in asked.only:
            start = time.monotonic()
            measured[name] = list(measure())
            print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    rows = [row for part in measured.values() for row in part]
    print(as_text(rows))
    kept = _kept(measured)
    if asked.write:
        every = [row for name in sections(asked.twins, asked.rooms) for row in kept.get(name, ())]
        PAGE.write_text(written_between(PAGE.read_text(), MARK, as_markdown(every)))
    sys.exit(any(row.reached is False for row in rows))


def _kept(measured: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """What was measured now, beside the last figures of the parts that were not."""
    before = from_json(FIGURES.read_text()) if FIGURES.exists() else {}
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(as_json(before | measured))
    return before | measured


def _arguments() -> argparse.Namespace:
    names = list(sections(TWINS, ROOMS))
    parser = argparse.ArgumentParser(
        prog="python -m bench.quality", description="The engine's figures beside their aims."
    )
    parser.add_argument("--only", type=lambda text: text.split(","), default=names, help=", ".join(names))
    parser.add_argument("--twins", type=Path, default=TWINS, help="rendered pairs of day and dusk")
    parser.add_argument("--rooms", type=Path, default=ROOMS, help="rendered rooms, furnished and empty")
    parser.add_argument("--write", action="store_true", help="fill the table of docs/pictures.md")
    asked = parser.parse_args()
    unknown = [name for name in asked.only if name not in names]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(names)}")
    return asked


if __name__ == "__main__":
    main()
