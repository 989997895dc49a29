"""Good results of the engine, and faults planted in them, each as strong as a customer would notice.

Lengths are pixels of a picture whose long side is 1600; smaller pictures get the same pixels.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane
from engine.canvas import Canvas, Declined
from engine.effects.table import EFFECTS
from engine.filters.morphology import dilate
from engine.io.photo import DecodedPhoto
from engine.quality.metrics import measure_figures
from engine.segmentation.scene import make_scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, Reason, judge
from tests.scenes import Picture

BOUND = (Enhancement.SKY, Enhancement.GRASS)
HOURS = (Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)
ROOMS = (Enhancement.HDR, Enhancement.FLAMBIENT)
Fault = Callable[[Picture, Picture, np.ndarray], Picture]
"""From the photo, its good result and where structure must hold (0-1, as large) to a faulty result."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault, in words how strong it is, the reasons a report may give for it, and the steps it is a fault of."""

    plant: Fault
    strength: str
    reasons: tuple[Reason, ...]
    steps: tuple[Enhancement, ...] = (*BOUND, *HOURS, *ROOMS)


@dataclass(frozen=True, slots=True)
class Result:
    """What one step made of one photo; `region` is where it was free to change everything (small, 0-1)."""

    photo: DecodedPhoto
    step: Enhancement
    pixels: Picture
    region: Plane | None

    def report(self, pixels: Picture | None = None) -> QualityReport:
        """What the engine would say of these pixels, or of its own."""
        shown = self.pixels if pixels is None else pixels
        return judge(
            (),
            measure_figures(
                self.photo.pixels, shown, [(EFFECTS[self.step].rules, self.region)], self.photo.profile
            ),
        )

    def with_fault(self, fault: Planted) -> Picture:
        """The result spoilt."""
        return fault.plant(self.photo.pixels, self.pixels, self._held())

    def _held(self) -> np.ndarray:
        """Where structure and colors must hold: 1, else 0, as large as the picture."""
        height, width = self.pixels.shape[:2]
        if self.region is None:
            return np.ones((height, width), np.float32)
        return cv2.resize((~dilate(self.region > 0.1, 3)).astype(np.float32), (width, height))


def results(photo: DecodedPhoto, steps: tuple[Enhancement, ...]) -> Iterator[Result]:
    """What the steps, each by itself, make of the photo; those that decline make nothing."""
    scene = make_scene(photo)
    for step in steps:
        try:
            done = EFFECTS[step].apply(
                Canvas(
                    photo.pixels,
                    scene,
                    EditRequest(enhancements=(step,)),
                    context=EngineContext(order_seed="faults"),
                )
            )
        except Declined:
            continue
        yield Result(photo, step, done.pixels, done.region)


def scale(picture: Picture) -> float:
    """How many pixels one pixel of a 1600-pixel side is here; at least one, and on drawn scenes one."""
    return max(1.0, float(max(picture.shape[:2])) / 1600)


def shifted(pixels: float) -> Fault:
    """The picture moved right and down, its border repeated."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        by = round(pixels * scale(after))
        moved = cv2.copyMakeBorder(after, by, 0, by, 0, cv2.BORDER_REPLICATE)
        return np.ascontiguousarray(moved[: after.shape[0], : after.shape[1]])

    return plant


def cropped(share: float, sides: str = "all") -> Fault:
    """The border gone, the rest scaled up again; `share` of the size in all, from one side or from all."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        height, width = after.shape[:2]
        down, across = max(1, round(height * share / 2)), max(1, round(width * share / 2))
        inner = after[down : height - down, across : width - across]
        if sides == "one":
            inner = after[:, 2 * across :]
        return np.asarray(cv2.resize(inner, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)

    return plant


def cast(green_red: float, blue_yellow: float) -> Fault:
    """All colors moved by so much in a* and b*."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        coded = cv2.cvtColor(after.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2Lab)
        coded += np.array((0, green_red, blue_yellow), np.float32)
        return _bytes(cv2.cvtColor(coded, cv2.COLOR_Lab2RGB) * 255 + 0.5, 1, 254)

    return plant


def place_of(held: np.ndarray, picture: Picture, share: float) -> tuple[slice, slice]:
    """The window of this share of the area with the most structure that must hold."""
    small = 256 / max(picture.shape[:2])
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    gray = cv2.resize(gray, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    edges = np.abs(cv2.Laplacian(gray.astype(np.float32), cv2.CV_32F))
    edges = np.minimum(edges, 12) * cv2.resize(held.astype(np.float32), gray.shape[::-1])
    side = max(3, round(np.sqrt(share * gray.size)))
    total = cv2.blur(edges, (side, side), borderType=cv2.BORDER_CONSTANT)
    row, column = np.unravel_index(int(total.argmax()), total.shape)
    top, left = (max(0, round((each - side / 2) / small)) for each in (row, column))
    full = round(side / small)
    return slice(top, top + full), slice(left, left + full)


def melted(share: float, depth: float = 5) -> Fault:
    """One part of the picture bent in waves, as generative models do."""

    def plant(before: Picture, after: Picture, held: np.ndarray) -> Picture:
        window = place_of(held, before, share)
        part = after[window]
        rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]].astype(np.float32)
        size = depth * scale(after)
        bent = cv2.remap(
            part,
            columns + np.float32(size) * np.sin(rows / np.float32(3.5 * size)),
            rows + np.float32(size) * np.sin(columns / np.float32(4.5 * size)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
        return _pasted(after, window, bent)

    return plant


def smeared(share: float, sigma: float = 5) -> Fault:
    """One part of the picture rubbed out."""

    def plant(before: Picture, after: Picture, held: np.ndarray) -> Picture:
        window = place_of(held, before, share)
        return _pasted(after, window, cv2.GaussianBlur(after[window], (0, 0), sigma * scale(after)))

    return plant


def _bytes(values: object, least: int, most: int) -> Picture:
    return np.asarray(np.clip(np.asarray(values), least, most), np.uint8)


def _pasted(picture: Picture, window: tuple[slice, slice], part: object) -> Picture:
    result = picture.copy()
    result[window] = np.asarray(part, np.uint8)
    return result


def banded(levels: int) -> Fault:
    """Tones reduced to so many levels a channel."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        step = 255 / (levels - 1)
        return _bytes(np.rint(after / step) * step, 0, 255)

    return plant


def haloed(share: float, width: float = 5) -> Fault:
    """Bright and dark seams along edges, `share` of the range at strong ones, as of an HDR look."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        gray = cv2.cvtColor(after, cv2.COLOR_RGB2GRAY).astype(np.float32)
        wide = cv2.GaussianBlur(gray, (0, 0), width * scale(after))
        seam = np.clip((gray - wide) * 2, -255 * share, 255 * share)
        return _bytes(after + seam[..., None], 1, 254)

    return plant


def leaked(levels: float) -> Fault:
    """The color of the region runs out over its border, as from a mask that is too large: 20 pixels wide."""

    def plant(_before: Picture, after: Picture, held: np.ndarray) -> Picture:
        wide = cv2.GaussianBlur((held < 0.5).astype(np.float32), (0, 0), 20 * scale(after))
        bleed = np.minimum(wide * 2, 1)[..., None] * (held > 0.5)[..., None]
        return _bytes(after + bleed * np.array((-levels, 0, levels)), 1, 254)

    return plant


def softened(sigma: float) -> Fault:
    """All detail blurred."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        return np.asarray(cv2.GaussianBlur(after, (0, 0), sigma * scale(after)), np.uint8)

    return plant


def noisy(sigma: float) -> Fault:
    """Grain on top, so many levels strong."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        chance = np.random.Generator(np.random.PCG64(5))
        grain = chance.standard_normal(after.shape, dtype=np.float32) * np.float32(sigma)
        return _bytes(after + grain, 1, 254)

    return plant


def blown(share: float) -> Fault:
    """Exposed so long that this share of the picture is lost in white."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        gain = 255 / max(1.0, float(np.quantile(after.min(-1), 1 - share)))
        return _bytes(after * np.float32(max(gain, 1.1)), 0, 255)

    return plant


def sunk(share: float) -> Fault:
    """So dark that this share of the picture is lost in black."""

    def plant(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
        lost = max(10.0, float(np.quantile(after.max(-1), share)))
        return _bytes((after - np.float32(lost)) * 255 / (255 - lost), 0, 255)

    return plant


def untouched(before: Picture, _after: Picture, _held: np.ndarray) -> Picture:
    """The photo as it came."""
    return before.copy()


def blank(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
    """One gray."""
    return np.full_like(after, 128)


def resized(_before: Picture, after: Picture, _held: np.ndarray) -> Picture:
    """A row short."""
    return np.ascontiguousarray(after[:-1]) if len(after) > 1 else after[:, :-1]


_MOVED = (Reason.STRUCTURE_CHANGED,)
_BLURRED = (Reason.SOFTENED, Reason.STRUCTURE_CHANGED)
_TONE = (Reason.COLOR_CAST, Reason.OUTSIDE_CHANGED, Reason.CLIPPED)
FAULTS: Mapping[str, Planted] = {
    "shift, 2 px": Planted(shifted(2), "2 px at 1600", _MOVED),
    "shift, 6 px": Planted(shifted(6), "6 px at 1600", _MOVED),
    "crop, 1 %": Planted(cropped(0.01), "1 % of each size", _BLURRED),
    "crop, 5 %": Planted(cropped(0.05), "5 % of each size", _BLURRED),
    "crop on one side, 2 %": Planted(cropped(0.02, "one"), "2 % of the width", _BLURRED),
    "melt, 3 %": Planted(melted(0.03), "waves of 5 px on 3 % of the area", _MOVED),
    "melt, 8 %": Planted(melted(0.08, 9), "waves of 9 px on 8 % of the area", _MOVED),
    "smear, 4 %": Planted(smeared(0.04), "blur of 5 px on 4 % of the area", _MOVED),
    "soft, 1.5 px": Planted(softened(1.5), "blur of 1.5 px at 1600", _BLURRED),
    "soft, 3 px": Planted(softened(3), "blur of 3 px at 1600", _BLURRED),
    "grain, 6": Planted(noisy(6), "6 levels a channel", (Reason.NOISY, *_BLURRED)),
    "grain, 12": Planted(noisy(12), "12 levels a channel", (Reason.NOISY, *_BLURRED)),
    "green cast, 5": Planted(cast(-5, 0), "whites by 5 in a*b*", _TONE, (*BOUND, *ROOMS)),
    "yellow cast, 6": Planted(cast(0, 6), "whites by 6 in a*b*", _TONE, BOUND),
    "yellow cast, 14": Planted(cast(0, 14), "whites by 14 in a*b*", _TONE, (*BOUND, *ROOMS)),
    "green cast, 10": Planted(cast(-10, 0), "whites by 10 in a*b*", _TONE),
    "magenta cast, 12": Planted(cast(12, -4), "whites by 12 in a*b*", _TONE),
    "leak": Planted(leaked(25), "25 levels, 20 px over the border", _TONE, BOUND),
    "bands, 16": Planted(banded(16), "16 levels a channel", (Reason.BANDED, Reason.COLOR_CAST, *_BLURRED)),
    "bands, 24": Planted(banded(24), "24 levels a channel", (Reason.BANDED, Reason.COLOR_CAST, *_BLURRED)),
    "halo, 6 %": Planted(haloed(0.06), "6 % of the range", (Reason.HALO, Reason.CLIPPED), BOUND),
    "halo, 10 %": Planted(haloed(0.10), "10 % of the range", (Reason.HALO, Reason.NOISY, *_TONE), (*BOUND, *ROOMS)),
    "halo, 20 %": Planted(
        haloed(0.20),
        "20 % of the range",
        (Reason.HALO, Reason.NOISY, *_TONE, *_BLURRED),
        (*BOUND, *ROOMS, Enhancement.GOLDEN_HOUR),
    ),
    "blown, 2 %": Planted(blown(0.02), "2 % of the area lost in white", (Reason.CLIPPED, *_TONE)),
    "sunk, 2 %": Planted(sunk(0.02), "2 % of the area lost in black", (Reason.CLIPPED, *_TONE)),
    "untouched": Planted(untouched, "the photo as it came", (Reason.NOT_CHANGED,)),
    "blank": Planted(blank, "one gray", (Reason.BLANK,)),
    "size": Planted(resized, "one row short", (Reason.SIZE_CHANGED,)),
}
"""By name."""
