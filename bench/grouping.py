"""Whether frames of one photo are found among the files of a shoot, and nothing else: shoots of which it is known.

Usage: python -m bench.grouping [FOLDER …] [--pictures FOLDER] [--half 0|1] [--seed N] [--list]

Each FOLDER has a folder for each view, with its real exposures: judged as they were taken, and again as brackets of
them in a camera's rhythm. `--pictures`: photos of which shoots are made up (bench/shoots.py); `--half` takes every
second of them. Made-up shoots are easier than real ones: the worth of their figures is in what goes wrong.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from bench import shoots
from bench.shoots import ALONE, TWO, WAYS, Picture, Shot, Way, shoot, two_cameras
from bench.tables import say_where, show
from engine.grouping.photo_groups import CandidateFrame, propose_groups
from engine.io.exif import read_flash_fired, read_settings_value, read_taken_at
from engine.types.photo_limits import MAX_FRAMES

PICTURES = Path(__file__).parents[2] / "shared" / "eval" / "houses"
VIEWS, SHOOTS = 12, 3
"""Views of a made-up shoot, and shoots of each kind."""
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".tif"})
RHYTHM, WALK = 0.5, 15.0
"""Seconds between frames of a real bracket in a camera's rhythm, and to the next view."""
NEAR = 0.4
"""Stops by which a real frame may differ from the one that a bracket wants."""


@dataclass(slots=True)
class Figures:
    """What was found in shoots. `wrong`: groups that hold frames of two photos, which is the costly error."""

    photos: int = 0
    whole: int = 0
    groups: int = 0
    wrong: int = 0
    right_pairs: int = 0
    found_pairs: int = 0
    true_pairs: int = 0

    def add(self, shots: Sequence[Shot]) -> list[tuple[str, ...]]:
        """Count what is proposed for this shoot; the groups that are wrong, by file names."""
        by_id = {f"{number:05}": each for number, each in enumerate(shots)}
        found = propose_groups(CandidateFrame(key, each.file_name, each.facts) for key, each in by_id.items())
        wanted = Counter(each.photo for each in shots)
        many = {photo: count for photo, count in wanted.items() if 1 < count <= MAX_FRAMES}
        self.photos += len(many)
        self.true_pairs += sum(comb(count, 2) for count in wanted.values())
        bad = []
        for group in found.groups:
            held = Counter(by_id[each].photo for each in group)
            self.groups += 1
            self.found_pairs += comb(len(group), 2)
            self.right_pairs += sum(comb(count, 2) for count in held.values())
            if len(held) > 1:
                self.wrong += 1
                bad.append(tuple(f"{by_id[each].photo}: {by_id[each].file_name}" for each in group))
            elif many.get(next(iter(held))) == len(group):
                self.whole += 1
        return bad

    def row(self, name: str) -> tuple[object, ...]:
        """The line of a table."""
        shares = (
            f"{100 * part / of:.1f}" if of else "-"
            for part, of in ((self.right_pairs, self.found_pairs), (self.right_pairs, self.true_pairs))
        )
        return (name, f"{self.whole} of {self.photos}", self.groups, self.wrong, *shares)


def pictures_in(folder: Path, half: int | None) -> list[tuple[str, Picture]]:
    """The photos of a folder, at the size at which the service looks at them; of `half` every second house."""
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    names = sorted({path.stem.partition("_")[0] for path in paths})
    kept = set(names if half is None else names[half::2])
    return [(path.stem, _opened(path)) for path in paths if path.stem.partition("_")[0] in kept]


def made_up(pictures: Sequence[tuple[str, Picture]], seed: int, listed: bool) -> Iterator[tuple[str, Figures]]:
    """Every way of shooting."""
    chance = np.random.default_rng(seed)
    for way in (*WAYS, *TWO, *ALONE):
        figures = Figures()
        act = two_cameras if way in TWO else shoot
        for each in range(SHOOTS):
            first = int(chance.integers(0, len(pictures) - VIEWS))
            bad = figures.add(act(pictures[first : first + VIEWS], way, seed + each))
            if listed:
                _tell(way.name, bad)
        yield way.name, figures


def real_views(folder: Path) -> dict[str, list[Shot]]:
    """The frames of each folder in this one, in the order they were taken, or else of their names."""
    found = {}
    for view in sorted(path for path in folder.iterdir() if path.is_dir()):
        frames = [_read(view.name, path) for path in sorted(view.iterdir()) if path.suffix.lower() in SUFFIXES]
        found[view.name] = sorted(frames, key=lambda each: (str(each.facts.taken_at or ""), each.file_name))
    return found


def bracket_of(frames: Sequence[Shot], way: Way) -> list[Shot]:
    """Of the real frames of a view those that a camera would have taken this way; none where they are too few."""
    known = all(each.facts.exposure_value is not None for each in frames)
    middle = min(frames, key=lambda each: abs(each.facts.brightness - 0.46))
    if not known:
        if len(frames) < len(way.stops):
            return []
        light = sorted(frames, key=lambda each: each.facts.brightness)
        places = np.linspace(0, len(light) - 1, len(way.stops)).round().astype(int)
        order = np.argsort(np.argsort(way.stops))
        return [light[places[each]] for each in order]
    chosen = []
    for stops in way.stops:
        wanted = (middle.facts.exposure_value or 0) - stops
        near = min(frames, key=lambda each: abs((each.facts.exposure_value or 0) - wanted))
        if abs((near.facts.exposure_value or 0) - wanted) > NEAR or near in chosen:
            return []
        chosen.append(near)
    return chosen


def in_rhythm(views: dict[str, list[Shot]], way: Way) -> list[Shot]:
    """A shoot of real brackets, one view after the other in a camera's rhythm."""
    shots, second = list[Shot](), 0.0
    for frames in views.values():
        for each in bracket_of(frames, way):
            taken_at = shoots.facts_of(_look(each), second, None).taken_at if way.dated else None
            known = each.facts.exposure_value if way.noted else None
            facts = replace(each.facts, **shoots.SIZE, taken_at=taken_at, exposure_value=known, flash_fired=None)
            shots.append(Shot(each.photo, f"IMG_{len(shots):04}.jpg", facts))
            second += RHYTHM
        second += WALK
    return shots


REAL = (
    Way("3 frames, 2 stops apart"),
    Way("5 frames, 1 apart", shoots.FIVE),
    Way("5 frames, 2 apart", shoots.WIDE),
    Way("7 frames, 1 apart", shoots.SEVEN),
    Way("times without exposures, 3 frames", noted=False),
    Way("nothing noted, 3 frames", dated=False, noted=False),
    Way("nothing noted, 5 frames, 1 apart", shoots.FIVE, dated=False, noted=False),
)


def real(folder: Path, listed: bool) -> Iterator[tuple[str, Figures]]:
    """Real exposures: as taken, and as brackets."""
    views = real_views(folder)
    taken = Figures()
    bad = taken.add([each for frames in views.values() for each in frames])
    if listed:
        _tell("as taken", bad)
    yield f"as taken, {len(views)} views", taken
    for way in REAL:
        figures = Figures()
        bad = figures.add(in_rhythm(views, way))
        if listed:
            _tell(way.name, bad)
        yield f"brackets of them: {way.name}", figures


def _look(shot: Shot) -> shoots.FrameLook:
    facts = shot.facts
    return shoots.FrameLook(facts.perceptual_hash, facts.view_signature, facts.brightness)


def _read(view: str, path: Path) -> Shot:
    with Image.open(path) as image:
        exif, size = image.getexif().tobytes(), image.size
    known = {
        "taken_at": read_taken_at(exif),
        "exposure_value": read_settings_value(exif),
        "flash_fired": read_flash_fired(exif),
    }
    facts = shoots.facts_of(shoots.look_at(_opened(path)), None, None)
    return Shot(view, f"{view} {path.name}", replace(facts, width=size[0], height=size[1], **known))


def _opened(path: Path) -> Picture:
    with Image.open(path) as image:
        image.draft("RGB", (2 * shoots.SIDE, 2 * shoots.SIDE))
        upright = ImageOps.exif_transpose(image).convert("RGB")
        upright.thumbnail((shoots.SIDE, shoots.SIDE))
        return np.asarray(upright)


def _tell(name: str, bad: Sequence[Sequence[str]]) -> None:
    for group in bad:
        print(f"{name}: {', '.join(group)}", flush=True)


def main() -> None:
    """A table of real exposures for each folder, and one of made-up shoots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--pictures", type=Path, default=PICTURES)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name the frames of every wrong group")
    given = parser.parse_args()
    say_where()
    head = ("", "photos whole", "groups", "wrong", "pairs right, %", "pairs found, %")
    for folder in given.folders:
        show(f"Real exposures, {folder.name}", head, [each.row(name) for name, each in real(folder, given.list)])
    if not given.pictures.is_dir():
        print(f"skipped: made-up shoots, no {given.pictures}")
        return
    pictures = pictures_in(given.pictures, given.half)
    rows = [each.row(name) for name, each in made_up(pictures, given.seed, given.list)]
    show(f"Made-up shoots of {len(pictures)} photos", head, rows)


if __name__ == "__main__":
    main()
