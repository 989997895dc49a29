"""How often a forecast before the order comes true: `python -m bench.forecasts FOLDER [--photos N] [--csv OUT]`.

Each effect that can be declined is forecast for each photo of the folder, and then made. Photos whose names contain
`frontal` or `exterior` show houses, all others rooms.
"""

import argparse
import csv
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.tables import show
from engine.io.photo import decode
from engine.outlook.reading import read_outlook
from engine.pipeline import apply_effects
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style
from engine.types.outlook import Prospect

OUTSIDE = (Enhancement.SKY, Enhancement.GRASS, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)
INSIDE = (Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING)
ROOMS = {"kitchen": RoomType.KITCHEN, "bedroom": RoomType.BEDROOM, "bathroom": RoomType.BATHROOM}
Outcome = tuple[str, Enhancement, Prospect, bool]


def list_steps(photo: Path) -> Sequence[Enhancement]:
    """The effects that are tried on this photo."""
    return OUTSIDE if any(word in str(photo) for word in ("frontal", "exterior")) else INSIDE


def make_request(photo: Path, step: Enhancement) -> EditRequest:
    """The request for this effect alone."""
    room = next((room for word, room in ROOMS.items() if word in photo.name), RoomType.LIVING_ROOM)
    staging = Staging(Style.MODERN, room) if step is Enhancement.STAGING else None
    return EditRequest(enhancements=(step,), staging=staging)


def try_photo(photo: Path) -> Iterator[Outcome]:
    """For each effect what was forecast, and whether its result passed the checks."""
    with photo.open("rb") as stream:
        source = decode(stream)
    for step in list_steps(photo):
        request = make_request(photo, step)
        (forecast,) = read_outlook(source, request).steps
        done = apply_effects(source, request)
        yield photo.name, step, forecast.prospect, bool(done.report.applied and done.report.passed)


def main() -> None:
    """Print how often each forecast came true."""
    parser = argparse.ArgumentParser(prog="python -m bench.forecasts")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=40, help="so many, chosen by a hash of their names")
    parser.add_argument("--csv", type=Path, help="write every outcome here")
    asked = parser.parse_args()
    photos = sorted(asked.folder.rglob("*.jpg"), key=lambda photo: hashlib.sha256(photo.name.encode()).digest())
    outcomes: list[Outcome] = []
    for photo in photos[: asked.photos]:
        outcomes += try_photo(photo)
        if asked.csv:
            with asked.csv.open("w", newline="") as stream:
                csv.writer(stream).writerows(outcomes)
    counts = Counter((step, prospect, was_made) for _, step, prospect, was_made in outcomes)
    rows = [
        [step, prospect, counts[step, prospect, True], counts[step, prospect, False]]
        for step in (*OUTSIDE, *INSIDE)
        for prospect in Prospect
    ]
    show("Forecasts", ["effect", "forecast", "made", "not made"], rows)


if __name__ == "__main__":
    main()
