"""Blends frames of several exposures level by level of a Laplacian pyramid, in tiles, within bounded memory.

Implements Mertens, Kautz and Van Reeth, "Exposure Fusion" (2007). In the fine levels, frames are also weighted by
the energy of their own detail, as in Burt and Kolczynski, "Enhanced Image Capture Through Fusion" (1993).
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.smoothing import box_filter
from engine.filters.strips import THREADS, make_dither, round_to_bytes
from engine.fusion.alignment import AlignmentFrame
from engine.fusion.shots import AlignedShot, read_bands

FINE_LEVELS = 3
"""Levels of the pyramid that are made tile by tile; the coarser levels are small enough to be held whole."""
COARSEST_SIDE = 4
"""Least short side, in pixels, of the coarsest level."""
MARGIN = 40
"""Pixels around a tile that its pyramid needs."""
TILE_SIDE = 512
"""Side of a tile, in pixels, without the margin."""
BEST_LUMA = 0.62
"""Luma (0-1) of the best exposure."""
DARKER_SIGMA = 0.3
"""Sigma, in luma, by which the weight of a frame falls off below BEST_LUMA."""
LIGHTER_SIGMA = 0.16
"""The same above BEST_LUMA; smaller, because frames that are too light make window views pale."""
ENERGY_RADIUS = 3
"""Radius, in pixels of a level, over which the energy of detail is measured."""
ENERGY_FLOOR = 0.012
"""Standard deviation (0-1) whose variance is added to the energy of detail, so that flat areas count too."""
WEIGHT_FLOOR = 0.03
"""Added to the weight of each usable frame, because a badly exposed frame may be the only one with some detail."""
SHOULDER = 0.82
"""Value (0-1) above which light tones are compressed."""
COMPRESSION = 0.6
"""How strongly tones above SHOULDER are compressed; 0 is no compression."""


@dataclass(frozen=True, slots=True)
class Tones:
    """The tone curve of the blend: `black` (0-1) becomes black, `gain` stretches the values above it.

    It applies to the coarse levels only: fine detail is as strong as in the frames, neither sharpened by the gain
    nor flattened in light areas, whose tones are compressed.
    """

    black: float
    gain: float

    def stretch(self, values: Plane) -> Plane:
        """Values with black point and gain applied.

        Parameters
        ----------
        values : ndarray of float32
            0-1, of any shape.

        Returns
        -------
        ndarray of float32
            Of the same shape; may lie beyond 0-1.
        """
        return plane((values - np.float32(self.black)) * np.float32(self.gain))

    def compress(self, values: Plane) -> Plane:
        """Values with black point and gain applied, and with light tones compressed to end below white.

        Parameters
        ----------
        values : ndarray of float32
            0-1, of any shape.

        Returns
        -------
        ndarray of float32
            Of the same shape; may lie below 0.
        """
        stretched = self.stretch(values)
        over = np.maximum(stretched - SHOULDER, 0) / (1 - SHOULDER)
        return plane(np.minimum(stretched, SHOULDER) + (1 - SHOULDER) * over / (1 + COMPRESSION * over))


def compute_exposure_weights(smalls: Iterable[Plane]) -> list[Plane]:
    """The weight of each frame at each pixel by how well it is exposed and how saturated it is.

    Parameters
    ----------
    smalls : Iterable of (h, w, 3) ndarray of float32
        The aligned frames at one small size, gamma-coded, 0-1.

    Returns
    -------
    list of (h, w) ndarray of float32
        0-1, summing to 1 at each pixel.
    """
    weights = []
    for small in smalls:
        offset = rgb_to_gray(small) - BEST_LUMA
        offset /= np.where(offset < 0, np.float32(DARKER_SIGMA), np.float32(LIGHTER_SIGMA))
        red, green, blue = cv2.split(small)
        color = cv2.max(cv2.max(red, green), blue) - cv2.min(cv2.min(red, green), blue)
        vivid = cv2.pow(plane(color + np.float32(0.1)), 0.3)
        weights.append(plane(cv2.exp(plane(-0.5 * offset * offset)) * vivid + np.float32(1e-6)))
    total = plane(np.sum(weights, axis=0))
    return [plane(weight / total) for weight in weights]


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece of the picture; the `wide_` slices include the margin of its pyramid, cut at the picture's border."""

    rows: slice
    columns: slice
    wide_rows: slice
    wide_columns: slice

    @property
    def inner(self) -> tuple[slice, slice]:
        """Rows and columns of the piece inside the piece with its margin."""
        top, left = (self.rows.start - self.wide_rows.start, self.columns.start - self.wide_columns.start)
        height, width = self.rows.stop - self.rows.start, self.columns.stop - self.columns.start
        return slice(top, top + height), slice(left, left + width)


def blend_pyramids(aligned: Sequence[AlignedShot], weights: Sequence[Plane], tones: Tones) -> Pixels:
    """Blend aligned frames into one picture by their Laplacian pyramids.

    At any time, the memory holds bands of the frames (see `read_bands`), the result, a few tiles, and 1/64 of each
    frame.

    Parameters
    ----------
    aligned : Sequence of AlignedShot
        The aligned frames, all of one size.
    weights : Sequence of (h, w) ndarray of float32
        The weight of each frame at a small size, 0-1, summing to 1 at each pixel.
    tones : Tones
        The tone curve of the result.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        The blend, gamma-coded in the frames' color space, dithered.

    Raises
    ------
    BracketError
        Where the file of a frame changed after its first decoding.
    """
    shape = aligned[0].shot.shape
    result = np.empty(shape, np.uint8)
    reduced: list[Plane] = []
    base = np.zeros((0, 0, 3), np.float32)
    with ThreadPoolExecutor(min(2, THREADS)) as threads:
        bands = read_bands(aligned, TILE_SIDE, MARGIN, lambda whole: reduced.append(_reduce_frame(whole, threads)))
        for rows, frames in bands:
            if reduced:
                base = tones.compress(_blend_coarse(reduced, weights))
                reduced.clear()
            blend = _Blend(frames, weights, base, tones, result)
            list(threads.map(blend.fill, _split_into_tiles(shape, rows)))
    return result


@dataclass(frozen=True, slots=True)
class _Blend:
    """The inputs for the tiles of a band, and the `result` to which the tiles are written."""

    frames: Sequence[AlignmentFrame]
    weights: Sequence[Plane]
    base: Plane
    tones: Tones
    result: Pixels

    def fill(self, tile: Tile) -> None:
        """Blend the tile and write it to the result."""
        values = _blend_fine(self, tile)
        noise = make_dither(tile.rows, tile.columns)
        self.result[tile.rows, tile.columns] = round_to_bytes(values * 255 + gray_to_rgb(noise) * 0.5)


def _split_into_tiles(shape: tuple[int, ...], within: slice) -> Iterator[Tile]:
    """Split the rows `within` into tiles that start on pixels of the last fine level and fit the CPU cache."""
    for top in range(within.start, within.stop, TILE_SIDE):
        for left in range(0, shape[1], TILE_SIDE):
            rows, columns = slice(top, min(top + TILE_SIDE, shape[0])), slice(left, min(left + TILE_SIDE, shape[1]))
            yield Tile(rows, columns, _add_margin(rows, shape[0]), _add_margin(columns, shape[1]))


def _add_margin(span: slice, size: int) -> slice:
    return slice(max(0, span.start - MARGIN), min(size, span.stop + MARGIN))


def _reduce_frame(frame: AlignmentFrame, threads: Executor) -> Plane:
    """The whole frame, 0-1, shrunk tile by tile to the size of the finest coarse level."""
    shape = frame.pixels.shape
    height, width = (-(-side >> FINE_LEVELS) for side in shape[:2])
    result = np.empty((height, width, 3), np.float32)

    def fill(tile: Tile) -> None:
        values = plane(frame.warp_part(tile.wide_rows, tile.wide_columns))
        for _ in range(FINE_LEVELS):
            values = plane(cv2.pyrDown(values))
        inner = tuple(slice(each.start >> FINE_LEVELS, -(-each.stop >> FINE_LEVELS)) for each in tile.inner)
        top, left = tile.rows.start >> FINE_LEVELS, tile.columns.start >> FINE_LEVELS
        piece = values[inner] * np.float32(1 / 255)
        result[top : top + piece.shape[0], left : left + piece.shape[1]] = piece

    list(threads.map(fill, _split_into_tiles(shape, slice(0, shape[0]))))
    return result


def _blend_coarse(smalls: Sequence[Plane], weights: Sequence[Plane]) -> Plane:
    """The blend of all coarse levels, at the size of the finest coarse level."""
    levels = max(0, int(np.log2(max(1, min(smalls[0].shape[:2]) // COARSEST_SIDE))))
    size = smalls[0].shape[1::-1]
    shares = [
        _build_pyramid(plane(cv2.resize(each, size, interpolation=cv2.INTER_AREA)), levels) for each in weights
    ]
    pyramids = [_build_pyramid(small, levels) for small in smalls]
    total = np.zeros((1, 1, 3), np.float32)
    for level in range(levels, -1, -1):
        at_level = [pyramid[level] for pyramid in pyramids]
        share = [each[level] for each in shares]
        share = _weight_by_energy(at_level, share) if level == 0 else _normalize(share)
        if level == levels:
            total = _average_by_weight(at_level, share)
            continue
        mixed = _average_by_weight(
            (_extract_detail(pyramid[level], pyramid[level + 1]) for pyramid in pyramids), share
        )
        total = plane(_enlarge(total, mixed) + mixed)
    return total


def _blend_fine(blend: _Blend, tile: Tile) -> Plane:
    """The blend of a tile, 0-1, clipped between the darkest and the lightest frame to prevent ringing at edges."""
    mixed: list[_Mixture] = []
    low, high = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    for number, (frame, weight) in enumerate(zip(blend.frames, blend.weights, strict=True)):
        pixels = frame.warp_part(tile.wide_rows, tile.wide_columns)
        inner_pixels = pixels[tile.inner]
        low = np.minimum(low, inner_pixels) if number else inner_pixels
        high = np.maximum(high, inner_pixels) if number else inner_pixels
        values = plane(pixels) * np.float32(1 / 255)
        for level in range(FINE_LEVELS):
            smaller = plane(cv2.pyrDown(values))
            detail = _extract_detail(values, smaller)
            share = _measure_energy(values, _stretch_weight(weight, blend.result.shape, tile, level))
            if number:
                mixed[level].add(detail, share)
            else:
                mixed.append(_Mixture(detail, share))
            values = smaller
    total = _cut_piece(blend.base, tile)
    for mixture in reversed(mixed):
        detail = mixture.mean()
        total = plane(_enlarge(total, detail) + detail)
    lowest, highest = (blend.tones.stretch(plane(each) * np.float32(1 / 255)) for each in (low, high))
    return plane(np.clip(total[tile.inner], np.maximum(lowest, 0), np.minimum(highest, 1)))


def _cut_piece(base: Plane, tile: Tile) -> Plane:
    """Cut the tile with its margin from the finest coarse level."""
    rows, columns = (
        slice(each.start >> FINE_LEVELS, -(-each.stop >> FINE_LEVELS))
        for each in (tile.wide_rows, tile.wide_columns)
    )
    return plane(base[rows, columns])


def _stretch_weight(weight: Plane, shape: tuple[int, ...], tile: Tile, level: int) -> Plane:
    """The small map, enlarged to this level of the pyramid for the tile with its margin; pixel centers aligned."""
    rows, columns = tile.wide_rows, tile.wide_columns
    size = tuple(-(-(each.stop - each.start) >> level) for each in (columns, rows))
    # Pixels of the small map for each pixel of the level; where the tile begins, in pixels of the level.
    across, down = (
        small * 2**level / full for small, full in ((weight.shape[1], shape[1]), (len(weight), shape[0]))
    )
    left, top = columns.start / 2**level, rows.start / 2**level
    place = np.array([[across, 0, (left + 0.5) * across - 0.5], [0, down, (top + 0.5) * down - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return plane(cv2.warpAffine(weight, place, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


class _Mixture:
    """A weighted mean of planes that are added one after the other."""

    def __init__(self, values: Plane, weight: Plane) -> None:
        self.total, self.weight = plane(cv2.multiply(values, gray_to_rgb(weight))), weight

    def add(self, values: Plane, weight: Plane) -> None:
        cv2.accumulateProduct(values, gray_to_rgb(weight), self.total)
        self.weight += weight

    def mean(self) -> Plane:
        return plane(cv2.divide(self.total, gray_to_rgb(self.weight)))


def _weight_by_energy(at_level: Sequence[Plane], weights: Sequence[Plane]) -> list[Plane]:
    """The weights times the energy of detail, so that the frame with most detail at a place counts most."""
    return _normalize([_measure_energy(values, weight) for values, weight in zip(at_level, weights, strict=True)])


def _measure_energy(values: Plane, weight: Plane) -> Plane:
    """The weight of a frame times the energy of its detail; above 0 wherever the weight is above 0."""
    gray = rgb_to_gray(values)
    mean = box_filter(gray, ENERGY_RADIUS)
    energy = box_filter(plane(gray * gray), ENERGY_RADIUS) - mean * mean + np.float32(ENERGY_FLOOR**2)
    return plane((weight + np.float32(WEIGHT_FLOOR) * (weight > 0)) * energy)


def _normalize(weights: Sequence[Plane]) -> list[Plane]:
    total = plane(np.sum(weights, axis=0) + 1e-12)
    return [plane(weight / total) for weight in weights]


def _average_by_weight(parts: Iterable[Plane], weights: Sequence[Plane]) -> Plane:
    total = np.zeros((*weights[0].shape, 3), np.float32)
    for part, weight in zip(parts, weights, strict=True):
        total += part * gray_to_rgb(weight)
    return total


def _build_pyramid(values: Plane, levels: int) -> list[Plane]:
    """The values, followed by smaller versions, each half as large as the previous one."""
    result = [values]
    for _ in range(levels):
        result.append(plane(cv2.pyrDown(result[-1])))
    return result


def _extract_detail(values: Plane, smaller: Plane) -> Plane:
    return plane(values - _enlarge(smaller, values))


def _enlarge(smaller: Plane, like: Plane) -> Plane:
    return plane(cv2.pyrUp(smaller, dstsize=like.shape[1::-1]))
