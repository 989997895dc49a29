"""Made-up shoots of real pictures, as cameras and people take them; which photo each frame is of is known."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.photo_facts import SIDE, FrameLook, read_look
from engine.types.file_facts import FileFacts

Picture = NDArray[np.uint8]
Light = NDArray[np.float32]
NOON = datetime.fromisoformat("2026-06-01T12:00:00")
SIZE = {"width": 6000, "height": 4000}
GAMMA = 2.2
BRIGHT, WINDOW = 0.7, 5.0
"""Of a picture's own light: what is lighter than this was clipped, and is as much as WINDOW times so light."""
READ_NOISE, SHOT_NOISE = 0.0008, 0.004
"""Shares of white, in linear light."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame as it lies in the folder. `photo`: the same for frames that are exposures of one photo."""

    photo: str
    file_name: str
    facts: FileFacts


@dataclass(frozen=True, slots=True)
class Way:
    """How a view is taken. `stops`: of each frame, in their order; seconds: least and most.

    `walk`: between two views; `shake`: of a hand, a share of the width; `drift`: how far exposures are from what
    was wanted. What is not `dated` or `noted` the camera did not say; `whole` seconds: it says no fractions.
    `flashes`: so many frames with flash after the others. `turned`: the next view is the last one, the camera
    turned by this share of the width. `together`: whether the frames of a view are one photo. `depth`: so many
    times the stops between what is light and dark in the large, as in rooms against the light.
    """

    name: str
    stops: tuple[float, ...] = (0, -2, 2)
    beat: tuple[float, float] = (0.3, 0.6)
    walk: tuple[float, float] = (8, 40)
    shake: float = 0.0
    drift: float = 0.0
    dated: bool = True
    noted: bool = True
    whole: bool = False
    flashes: int = 0
    turned: float = 0.0
    skips: bool = False
    together: bool = True
    automatic: bool = False
    fading: float = 0.0
    depth: float = 1.0


def light_of(picture: Picture) -> Light:
    """Linear light, 0 to WINDOW: what is nearly white is taken for a window."""
    light = (picture.astype(np.float32) / 255) ** np.float32(GAMMA)
    luma = light.mean(axis=2, keepdims=True)
    return light * (1 + (WINDOW - 1) * np.clip((luma - BRIGHT) / (1 - BRIGHT), 0, 1) ** 2)


def deepened(light: Light, depth: float) -> Light:
    """The same with so many times the stops between its large light and dark parts, its details as they are."""
    tones = np.log2(np.maximum(light.mean(axis=2), np.float32(0.002)))
    large = cv2.GaussianBlur(tones, (0, 0), light.shape[1] / 25)
    more = np.float32(depth - 1) * (large - np.median(large))
    return np.asarray(light * np.exp2(more)[..., None], np.float32)


def expose(light: Light, stops: float, chance: np.random.Generator) -> Picture:
    """The picture at so many stops more, with a sensor's noise."""
    sensed = light * np.float32(2.0**stops)
    noise = chance.standard_normal(sensed.shape, np.float32)
    sensed = sensed + noise * np.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * np.maximum(sensed, 0))
    return np.asarray(255 * np.clip(sensed, 0, 1) ** (1 / GAMMA) + 0.5, np.uint8)


def flash(light: Light, chance: np.random.Generator) -> Light:
    """The same view in the light of a flash from somewhere: what windows and lamps do to it is nearly gone."""
    height, width = light.shape[:2]
    room = cv2.GaussianBlur(light.mean(axis=2), (0, 0), width / 12) + np.float32(0.02)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    distance = np.hypot(columns / width - chance.uniform(0.2, 0.8), rows / height - chance.uniform(0.0, 0.5))
    lit = (light / room[..., None]) * (0.35 / (1 + 2.5 * distance**2))[..., None]
    return np.asarray(lit + 0.15 * light, np.float32)


def shaken(light: Light, share: float, chance: np.random.Generator) -> Light:
    """Moved and turned a little, as by a hand."""
    height, width = light.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-25, 25) * share, 1)
    turn[:, 2] += chance.uniform(-share, share, 2) * width
    return np.asarray(cv2.warpAffine(light, turn, (width, height), borderMode=cv2.BORDER_REFLECT), np.float32)


def turned(picture: Picture, share: float) -> tuple[Picture, Picture]:
    """Two views of the picture: one beside the other by this share of its width."""
    width = picture.shape[1]
    kept = round(width / (1 + share))
    return picture[:, :kept], picture[:, width - kept :]


def shoot(pictures: Sequence[tuple[str, Picture]], way: Way, seed: int) -> list[Shot]:
    """One shoot of these views, one after the other."""
    chance = np.random.default_rng(seed)
    return list(_take(list(_views(pictures, way)), way, chance))


def two_cameras(pictures: Sequence[tuple[str, Picture]], way: Way, seed: int) -> list[Shot]:
    """The same by two people at once, half of the views each, with cameras of one kind."""
    half = len(pictures) // 2
    one, other = shoot(pictures[:half], way, seed), shoot(pictures[half:], way, seed + 1)
    return [*one, *(replace(each, file_name=f"DSC_{each.file_name}") for each in other)]


def look_at(picture: Picture) -> FrameLook:
    """What a picture looks like, shrunk as the service shrinks it."""
    height, width = picture.shape[:2]
    scale = min(1.0, SIDE / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return read_look(cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture)


def facts_of(look: FrameLook, second: float | None, exposure: float | None, fired: bool | None = None) -> FileFacts:
    """What the service would know of a frame of SIZE, taken so many seconds after noon."""
    taken_at = None if second is None else NOON + timedelta(seconds=second)
    more = {"taken_at": taken_at, "exposure_value": exposure, "flash_fired": fired, "guessed_type": None}
    return FileFacts(**SIZE, **more, **asdict(look))


def _views(pictures: Sequence[tuple[str, Picture]], way: Way) -> Iterator[tuple[str, Light]]:
    for name, picture in pictures:
        if not way.turned:
            yield name, light_of(picture)
            continue
        for side, part in zip("ab", turned(picture, way.turned), strict=True):
            yield f"{name} {side}", light_of(np.ascontiguousarray(part))


def _take(views: list[tuple[str, Light]], way: Way, chance: np.random.Generator) -> Iterator[Shot]:
    second, number = 0.0, int(chance.integers(1, 9000))
    for view, flat in views:
        light = deepened(flat, way.depth) if way.depth != 1 else flat
        base = float(chance.uniform(4, 9))
        for rounds in range(3 if way.fading else 1):
            dimmer = way.fading * rounds
            for place, (stops, fired) in enumerate(_frames(way, chance)):
                seen = flash(light, chance) if fired else light
                seen = shaken(seen, way.shake, chance) if way.shake else seen
                wrong = float(chance.normal(0, way.drift)) if way.drift else 0.0
                look = look_at(expose(seen, stops + wrong - dimmer, chance))
                taken = (float(int(second)) if way.whole else second) if way.dated else None
                facts = facts_of(look, taken, base - stops if way.noted else None, fired if way.noted else None)
                photo = f"{view} {rounds}" + ("" if way.together else f" {place}")
                yield Shot(photo, f"IMG_{number:04}.jpg", facts)
                number += 1
                second += float(chance.uniform(*way.beat))
            second += float(chance.uniform(*way.walk))


def _frames(way: Way, chance: np.random.Generator) -> Iterator[tuple[float, bool]]:
    """Stops, and whether it has flash, of each frame of a view."""
    if way.automatic:
        yield float(chance.uniform(-1.2, 1.2)), bool(way.flashes and chance.random() < 0.4)
        return
    stops = list(way.stops)
    if way.skips:
        stops.remove(sorted(stops)[int(chance.integers(1, len(stops) - 1))])
    yield from ((each, False) for each in stops)
    yield from ((0.0, True) for _ in range(way.flashes))


FIVE, SEVEN = (0, -1, 1, -2, 2), (-3, -2, -1, 0, 1, 2, 3)
WIDE, DEEP = (0, -2, 2, -4, 4), 2.5
WAYS = (
    Way("3 frames, 2 stops apart"),
    Way("5 frames, 1 apart, whole seconds", FIVE, whole=True, beat=(0.2, 1)),
    Way("5 frames, 2 apart, 1 s each", WIDE, beat=(0.9, 1.2)),
    Way("7 frames, 1 apart, 1 s each", SEVEN, beat=(0.9, 1.2)),
    Way("9 frames, 1 apart", (-4, *SEVEN, 4), beat=(0.4, 0.7)),
    Way("3 frames, 3 apart, 4 s each", (0, -3, 3), beat=(3.5, 4.5)),
    Way("on a tripod, by hand, 8 to 15 s each", (-2, 0, 2), beat=(8, 15), drift=0.1),
    Way("from the hand, 5 frames, 1 apart", FIVE, shake=0.012),
    Way("from the hand, 3 frames, 2 apart, 1 s each", shake=0.02, beat=(0.8, 1.2)),
    Way("5 frames, 2 apart, one left out", WIDE, skips=True),
    Way("times without exposures, 5 frames", FIVE, noted=False),
    Way("nothing noted, 3 frames, 2 apart", dated=False, noted=False),
    Way("nothing noted, 5 frames, 1 apart", FIVE, dated=False, noted=False),
    Way("nothing noted, 7 frames, 1 apart", SEVEN, dated=False, noted=False),
    Way("ambient and flash, 5 to 25 s each", (0,), flashes=1, beat=(5, 25)),
    Way("ambient, dark and two flashes", (0, -2), flashes=2, beat=(5, 20)),
    Way("views 9 % apart, 3 frames each", turned=0.09, walk=(3, 8)),
    Way("views 15 % apart, 3 frames each", turned=0.15, walk=(3, 8)),
    Way("views 15 % apart, nothing noted", turned=0.15, dated=False, noted=False),
    Way("dusk, 3 frames every 1 to 2 minutes", walk=(60, 120), fading=0.7),
    Way("dusk, every 10 to 20 s", walk=(10, 20), fading=0.7),
    Way("dusk, nothing noted", fading=0.7, dated=False, noted=False),
    Way("against the light, 5 frames, 2 apart", WIDE, depth=DEEP),
    Way("against the light, 7 frames, 1 apart", SEVEN, depth=DEEP),
    Way("against the light, 7 frames, 2 apart", tuple(2 * each for each in SEVEN), depth=DEEP),
    Way("against the light, whole seconds, from the hand", WIDE, depth=DEEP, whole=True, shake=0.012),
    Way("against the light, no pause between views", WIDE, depth=DEEP, beat=(0.9, 1.2), walk=(0.4, 1)),
    Way("against the light, one left out, no pause", WIDE, depth=DEEP, skips=True, walk=(0.4, 1)),
    Way("against the light, 7 frames, one left out, no pause", SEVEN, depth=DEEP, skips=True, walk=(0.4, 1)),
    Way("against the light, views 9 % apart, no pause", WIDE, depth=DEEP, turned=0.09, walk=(0.4, 1)),
)
"""Frames that are one photo each view."""
TWO = (Way("two cameras at once"), Way("two cameras at once, against the light", WIDE, depth=DEEP))
"""The same by two people at once."""
ALONE = (
    Way("single photos, 4 to 15 s each", automatic=True, walk=(4, 15)),
    Way("single photos, views 9 % apart", automatic=True, turned=0.09, walk=(2, 8)),
    Way("single photos, views 20 % apart", automatic=True, turned=0.2, walk=(2, 8)),
    Way("single photos, some with flash", automatic=True, flashes=1, turned=0.2, walk=(2, 20)),
    Way("single photos, nothing noted", automatic=True, turned=0.2, dated=False, noted=False),
    Way("bursts of one exposure", (0, 0, 0), drift=0.05, together=False),
    Way("bursts, exposures not noted", (0, 0, 0), drift=0.05, together=False, noted=False),
)
"""Each frame a photo of its own: every group is wrong."""
