"""Maps a new material into the full-size picture, strip by strip: in perspective, with the estimated light."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import linear_to_srgb_levels, srgb_to_linear
from engine.filters.strips import apply_lut, enlarge_map, find_runs, make_dither, round_to_bytes, run_strips
from engine.geometry.seen_plane import SeenPlane
from engine.materials.material import Material
from engine.relighting.wooden_fronts import remove_grain

HIGHLIGHT_START = 0.8
"""Linear light above which highlights are compressed, so that they are not clipped."""
MAX_SAMPLES = 4
"""Greatest number of samples of the material for each pixel."""
RELIEF_RANGE = (-0.7, 0.3)
"""Range of a pixel's light over the light around it that is kept as relief, in natural logarithms.

Gaps between fronts may have half the light; more is no relief but a thing.
"""


@dataclass(frozen=True, slots=True)
class SurfacePart:
    """A part of a surface that lies in one plane; `share` (0-1) is its share of each pixel of the small picture.

    `seen` is the projection of this plane into a picture; None if the material looks the same everywhere.
    """

    share: Plane
    seen: SeenPlane | None


@dataclass(frozen=True, slots=True)
class NewSurface:
    """A new material, where it is laid, and its light.

    All arrays have the size of the small picture. `shade` (x 3) is linear light per albedo, `shine` (x 3) is
    mirrored light. `even` is the luminance of the old surface without its fine structure. `relief`: how much of
    this fine structure is relief, which the new surface has too, 0-1; the rest is the old pattern, which is
    replaced. `grain` is the amplitude of the fine structure, in natural logarithms, that is no relief.
    """

    material: Material
    parts: Sequence[SurfacePart]
    shade: Plane
    shine: Plane
    even: Plane
    relief: Plane
    grain: float = 0.0


def map_texture(pixels: Pixels, matte: Matte, surface: NewSurface) -> Pixels:
    """Lay a new material on a surface of the photo, strip by strip.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in sRGB.
    matte : (H, W) ndarray of uint8
        Where the surface is, 0-255; pixels stay where it is 0.
    surface : NewSurface
        The material, its light, and its planes, projected into the full-size picture.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        The new picture.
    """
    result = pixels.copy()

    def fill(rows: slice) -> None:
        some = matte[rows] > 0
        for columns in find_runs(some):
            result[rows, columns] = _fill_rows(pixels, matte, surface, rows, columns)

    run_strips(pixels.shape, fill)
    return result


def _fill_rows(pixels: Pixels, matte: Matte, surface: NewSurface, rows: slice, columns: slice) -> Pixels:
    old = apply_lut(pixels[rows, columns], _LINEAR)
    shade = enlarge_map(surface.shade, pixels.shape, rows, columns)
    share = plane(matte[rows, columns]) / np.float32(255)
    kept = enlarge_map(surface.relief, pixels.shape, rows, columns)
    if kept.any():
        even = enlarge_map(surface.even, pixels.shape, rows, columns)
        detail = np.log(np.maximum(rgb_to_gray(old) / np.maximum(even, 1e-3), 1e-3))
        relief = remove_grain(plane(detail), surface.grain) * kept
        shade = shade * gray_to_rgb(plane(np.exp(np.clip(relief, *RELIEF_RANGE))))
    new = _compute_albedo(surface, pixels.shape, rows, columns) * shade
    new = _compress_highlights(plane(new + enlarge_map(surface.shine, pixels.shape, rows, columns)))
    share = gray_to_rgb(plane(share))
    mixed = linear_to_srgb_levels(plane(old + (new - old) * share))
    grain = gray_to_rgb(make_dither(rows, columns)) * np.float32(0.7)
    mixed = mixed + grain * share
    untouched = matte[rows, columns] == 0
    done = round_to_bytes(plane(mixed))
    done[untouched] = pixels[rows, columns][untouched]
    return done


def _compute_albedo(surface: NewSurface, shape: tuple[int, ...], rows: slice, columns: slice) -> Plane:
    """The reflectance of the new material at these pixels, x 3."""
    size = rows.stop - rows.start, columns.stop - columns.start
    total = np.zeros((*size, 3), np.float32)
    weights = np.full(size, 1e-6, np.float32)
    for part in surface.parts:
        share = enlarge_map(part.share, shape, rows, columns)
        if not share.any():
            continue
        for some in find_runs(share > 0):
            run = slice(columns.start + some.start, columns.start + some.stop)
            total[:, some] += _sample_material(surface.material, part.seen, rows, run) * gray_to_rgb(share[:, some])
        weights += share
    return plane(total / gray_to_rgb(weights))


def _sample_material(material: Material, seen: SeenPlane | None, rows: slice, columns: slice) -> Plane:
    """The material at these pixels; foreshortened pixels are sampled more than once."""
    if seen is None:
        size = rows.stop - rows.start, columns.stop - columns.start
        return np.broadcast_to(material.levels[-1].reshape(-1, 3).mean(0), (*size, 3)).astype(np.float32)
    middle = seen.find_spots(rows, columns)
    across, down = float(np.median(middle.width)), float(np.median(middle.height))
    least = max(min(across, down), 1e-6)
    samples = int(np.clip(round(max(across, down) / least), 1, MAX_SAMPLES))
    times = (samples, 1) if across > down else (1, samples)
    total = np.zeros((*middle.along.shape, 3), np.float32)
    for column in range(times[0]):
        for row in range(times[1]):
            at = seen.find_spots(rows, columns, ((column + 0.5) / times[0], (row + 0.5) / times[1]))
            footprint = plane(np.maximum(at.width / times[0], at.height / times[1]))
            total += material.sample(at.along, at.across, footprint)
    return plane(total / (times[0] * times[1]))


def _compress_highlights(values: Plane) -> Plane:
    headroom = np.float32(1 - HIGHLIGHT_START)
    over = np.maximum(values - np.float32(HIGHLIGHT_START), 0)
    return plane(np.minimum(values, HIGHLIGHT_START) + headroom * (1 - np.exp(-over / headroom)))


_LINEAR = srgb_to_linear(plane(np.arange(256)) / np.float32(255))
