"""Frames of several exposures blended level by level of a pyramid, strip by strip, within bounded memory.

After Mertens, Kautz and Van Reeth, "Exposure Fusion" (2007); in the fine levels frames count by the energy of
their own detail as well, after Burt and Kolczynski, "Enhanced Image Capture Through Fusion" (1993).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from app.engine.arrays import Pixels, Plane, box_mean, luminance, plane
from app.engine.fullsize import THREADS, dither, rounded, stretch, tripled
from app.engine.inside.alignment import Frame

# Levels of the pyramid that are made strip by strip; the rest is small enough to be held whole.
FINE_LEVELS = 3
COARSEST_SIDE = 4
MARGIN = 48
STRIP_PIXELS = 1_200_000
# Frames that are too light count less than those too dark: they lay a veil over window views.
WELL_EXPOSED, DARKER_WIDTH, LIGHTER_WIDTH = 0.62, 0.25, 0.15
ENERGY_RADIUS, LEAST_ENERGY = 3, 0.012
# How little a badly exposed frame counts for detail that it alone may have.
LEAST_SHARE = 0.01
SHOULDER, BEND = 0.82, 0.6


@dataclass(frozen=True, slots=True)
class Tones:
    """The tones of the blend: `black` (0-1) becomes black, `gain` stretches what is above it.

    The light tones are bent below white in the coarse levels only, so that they keep their detail.
    """

    black: float
    gain: float

    def stretched(self, values: Plane) -> Plane:
        """Values of 0-1 with the blacks and the gain, perhaps beyond 0-1."""
        return plane((values - np.float32(self.black)) * np.float32(self.gain))

    def bent(self, values: Plane) -> Plane:
        """The same with the light tones bent, so that they end at white."""
        stretched = self.stretched(values)
        over = np.maximum(stretched - SHOULDER, 0) / (1 - SHOULDER)
        return plane(np.minimum(stretched, SHOULDER) + (1 - SHOULDER) * over / (1 + BEND * over))


def exposure_weights(smalls: Sequence[Plane]) -> list[Plane]:
    """How much each frame counts at each place of a small size, by exposure and colour; they sum to 1."""
    weights = []
    for small in smalls:
        away = luminance(small) - WELL_EXPOSED
        away /= np.where(away < 0, np.float32(DARKER_WIDTH), np.float32(LIGHTER_WIDTH))
        colour = (small.max(-1) - small.min(-1) + 0.1) ** 0.3
        weights.append(plane(np.exp(-0.5 * away * away) * colour + 1e-6))
    total = plane(np.sum(weights, axis=0))
    return [plane(weight / total) for weight in weights]


def blended(frames: Sequence[Frame], weights: Sequence[Plane], tones: Tones) -> Pixels:
    """The frames as one picture; `weights` (small, 0-1) sum to 1.

    Holds, besides the frames and the result, about 8 bytes for each pixel of a 24-megapixel picture.
    """
    base = tones.bent(_coarse([_reduced(frame) for frame in frames], weights))
    shape = frames[0].shape
    result = np.empty(shape, np.uint8)

    def fill(rows: slice) -> None:
        wide = slice(max(0, rows.start - MARGIN), min(shape[0], rows.stop + MARGIN))
        values = _fine(frames, weights, base, wide, tones.gain)[rows.start - wide.start : rows.stop - wide.start]
        values = _within(values, [frame.rows(rows) for frame in frames], tones)
        result[rows] = rounded(values * 255 + tripled(dither(shape, rows)) * 0.5)

    with ThreadPoolExecutor(min(2, THREADS)) as threads:
        list(threads.map(fill, _strips(shape)))
    return result


def _strips(shape: tuple[int, ...]) -> Iterator[slice]:
    """Slices of rows that start where a pixel of the last fine level does."""
    step = 2**FINE_LEVELS
    rows = max(8, STRIP_PIXELS // shape[1] // step) * step
    return (slice(top, min(top + rows, shape[0])) for top in range(0, shape[0], rows))


def _reduced(frame: Frame) -> Plane:
    """The frame, 0-1, as the first coarse level has it, made strip by strip."""
    parts = []
    for rows in _strips(frame.shape):
        wide = slice(max(0, rows.start - MARGIN), min(frame.shape[0], rows.stop + MARGIN))
        values: object = frame.rows(wide)
        for _ in range(FINE_LEVELS):
            values = cv2.pyrDown(plane(values))
        first, count = (rows.start - wide.start) >> FINE_LEVELS, -(-(rows.stop - rows.start) >> FINE_LEVELS)
        parts.append(plane(values)[first : first + count] / np.float32(255))
    return plane(np.concatenate(parts))


def _coarse(smalls: Sequence[Plane], weights: Sequence[Plane]) -> Plane:
    """The blend of all levels from the first coarse one on."""
    levels = max(0, int(np.log2(max(1, min(smalls[0].shape[:2]) // COARSEST_SIDE))))
    size = smalls[0].shape[1::-1]
    shares = [_pyramid(plane(cv2.resize(each, size, interpolation=cv2.INTER_AREA)), levels) for each in weights]
    pyramids = [_pyramid(small, levels) for small in smalls]
    total = np.zeros((1, 1, 3), np.float32)
    for level in range(levels, -1, -1):
        at_level = [pyramid[level] for pyramid in pyramids]
        share = [each[level] for each in shares]
        share = _by_energy(at_level, share) if level == 0 else _normalised(share)
        if level == levels:
            total = _mixed(at_level, share)
            continue
        mixed = _mixed([_detail(pyramid[level], pyramid[level + 1]) for pyramid in pyramids], share)
        total = plane(_widened(total, mixed) + mixed)
    return total


def _fine(frames: Sequence[Frame], weights: Sequence[Plane], base: Plane, rows: slice, gain: float) -> Plane:
    """These rows of the blend, 0-1 and somewhat beyond; its outermost rows are not to be trusted."""
    pyramids = [_pyramid(plane(frame.rows(rows)) * np.float32(1 / 255), FINE_LEVELS) for frame in frames]
    bottom = -(-rows.stop >> FINE_LEVELS)
    total = plane(base[rows.start >> FINE_LEVELS : bottom])
    for level in range(FINE_LEVELS - 1, -1, -1):
        at_level = [pyramid[level] for pyramid in pyramids]
        shape = (-(-frames[0].shape[0] >> level), at_level[0].shape[1])
        first = rows.start >> level
        place = slice(first, first + len(at_level[0]))
        share = _by_energy(at_level, [stretch(weight, shape, place) for weight in weights])
        mixed = _mixed([_detail(pyramid[level], pyramid.pop()) for pyramid in pyramids], share)
        total = plane(_widened(total, mixed) + mixed * np.float32(gain))
    return total


def _by_energy(at_level: Sequence[Plane], weights: Sequence[Plane]) -> list[Plane]:
    """The weights, turned towards the frames that have the most detail here."""
    shares = []
    for values, weight in zip(at_level, weights, strict=True):
        grey = luminance(values)
        mean = box_mean(grey, ENERGY_RADIUS)
        energy = box_mean(grey * grey, ENERGY_RADIUS) - mean * mean + np.float32(LEAST_ENERGY**2)
        shares.append(plane((weight + LEAST_SHARE * (weight > 0)) * energy))
    return _normalised(shares)


def _normalised(weights: Sequence[Plane]) -> list[Plane]:
    total = plane(np.sum(weights, axis=0) + 1e-12)
    return [plane(weight / total) for weight in weights]


def _mixed(parts: Sequence[Plane], weights: Sequence[Plane]) -> Plane:
    total = np.zeros_like(parts[0])
    for part, weight in zip(parts, weights, strict=True):
        total += part * tripled(weight)
    return total


def _pyramid(values: Plane, levels: int) -> list[Plane]:
    """The values and ever smaller versions, each half as large as the last."""
    result = [values]
    for _ in range(levels):
        result.append(plane(cv2.pyrDown(result[-1])))
    return result


def _detail(values: Plane, smaller: Plane) -> Plane:
    return plane(values - _widened(smaller, values))


def _widened(smaller: Plane, like: Plane) -> Plane:
    return plane(cv2.pyrUp(smaller, dstsize=like.shape[1::-1]))


def _within(values: Plane, frames: Sequence[Pixels], tones: Tones) -> Plane:
    """The values held between the darkest and the lightest frame, so that no edge rings."""
    low, high = frames[0], frames[0]
    for frame in frames[1:]:
        low, high = np.minimum(low, frame), np.maximum(high, frame)
    least, most = (tones.stretched(plane(each) * np.float32(1 / 255)) for each in (low, high))
    return plane(np.clip(values, np.maximum(least, 0), np.minimum(most, 1)))
