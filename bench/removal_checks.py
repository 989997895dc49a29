"""Whether the checks of furniture removal agree with an eye: `python -m bench.removal_checks [--photos 4]`.

Furniture is removed from the photos of removal_verdicts.csv even where the engine declines by what things stand
before, since next to nothing else is left to judge. Half of the photos settled the limits, half were held out.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path
from unittest import mock

from bench.tables import show
from engine.effects import furniture_removal
from engine.io.photo import decode
from engine.pipeline import apply_effects
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from training.verdicts import SHARED, Half, half, shortened

VERDICTS = Path(__file__).with_name("removal_verdicts.csv")


def is_stopped(photo: Path) -> bool:
    """Whether the quality report stops what removal makes of the photo, or it makes nothing of it."""
    with photo.open("rb") as stream:
        source = decode(stream)
    with mock.patch.object(furniture_removal, "check_backgrounds"):
        done = apply_effects(source, EditRequest(enhancements=(Enhancement.FURNITURE_REMOVAL,)))
    return done.pixels is None or not done.report.passed


def main() -> None:
    """Print for each half how many results of each verdict are stopped."""
    parser = argparse.ArgumentParser(prog="python -m bench.removal_checks")
    parser.add_argument("--photos", type=int, help="only the first so many lines")
    asked = parser.parse_args()
    with VERDICTS.open() as stream:
        judged = list(csv.DictReader(stream))[: asked.photos]
    stopped: Counter[tuple[Half, str]] = Counter()
    counted: Counter[tuple[Half, str]] = Counter()
    for line in judged:
        photo = SHARED / line["photo"]
        if not photo.is_file():
            continue
        key = half(shortened(photo.read_bytes())), line["verdict"]
        counted[key] += 1
        stopped[key] += is_stopped(photo)
    rows = [[str(of), verdict, str(stopped[of, verdict]), str(count)] for (of, verdict), count in counted.items()]
    show("Removals stopped by the quality report", ("half", "verdict", "stopped", "of"), sorted(rows))


if __name__ == "__main__":
    main()
