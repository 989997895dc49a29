"""Composites rendered furniture into the full-size photo, with its sharpness and grain, behind occluders."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import linear_to_srgb_by_opencv, srgb_bytes_to_linear
from engine.filters.strips import round_to_bytes
from engine.rendering.render import COLOR_OFFSET, RenderedFurniture
from engine.rendering.tracing import RenderView, TracedView, scale_rays

MAX_SIDE = 2600
"""Greatest longer side, in pixels, of the render of outlines and colors; for larger photos, the render is enlarged.
"""
STRIP_ROWS = 256
"""Number of the photo's rows that are composited at a time."""
RAYS = 4
"""Rays for each pixel of outlines and colors."""
NORMAL_FALLOFF = 6.0
"""How fast the weight of a neighbor falls with the squared difference between its normal and the pixel's normal."""


@dataclass(frozen=True, slots=True)
class Composite:
    """The furnished photo (`pixels`), and how much each of its pixels differs from the photo (`matte`, 0-255)."""

    pixels: Pixels
    matte: Matte


def composite_render(
    photo: Pixels, rendered: RenderedFurniture, occluders: Matte, noise: float, rng: np.random.Generator
) -> Composite:
    """Composite the rendered furniture into the photo.

    Parameters
    ----------
    photo : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in sRGB.
    rendered : RenderedFurniture
        The furniture as `render_furniture` returned it for a photo of this size.
    occluders : (H, W) ndarray of uint8
        The share of each pixel that shows something in front of the furniture, 0-255.
    noise : float
        The standard deviation of the photo's grain, in levels of 0-255.
    rng : Generator
        Random numbers for the grain of the furniture.

    Returns
    -------
    Composite
        The furnished photo and the matte of all changes, including shadows.
    """
    result = photo.copy()
    height, width = photo.shape[:2]
    matte = np.zeros((height, width), np.uint8)
    left, top, right, bottom = rendered.box_in_photo
    grain = _grain(rng, noise)
    edge = _fade_borders(rendered)
    for first in range(top, bottom, STRIP_ROWS):
        rows, columns = slice(first, min(bottom, first + STRIP_ROWS)), slice(left, right)
        shadow = _sample_box(rendered, rendered.shadow * edge + (1 - edge), 1.0, rows, columns)
        light, cover = _render_pieces(rendered, rows, columns)
        unoccluded = 1 - plane(occluders[rows, columns]) / np.float32(255)
        cover = plane(cover * unoccluded)
        piece = plane(linear_to_srgb_by_opencv(_roll_off(light)) * np.float32(255))
        piece += gray_to_rgb(_tile(grain, piece.shape, first, left))
        shadow = plane(1 - (1 - shadow) * gray_to_rgb(unoccluded))
        shaded = plane(srgb_bytes_to_linear(photo[rows, columns]) * shadow)
        shaded = plane(linear_to_srgb_by_opencv(shaded) * np.float32(255))
        # Where no shadow falls, the photo's own bytes are kept.
        kept = np.where(np.abs(shadow - 1).max(2, keepdims=True) < 0.004, plane(photo[rows, columns]), shaded)
        share = gray_to_rgb(cover)
        result[rows, columns] = round_to_bytes(plane(kept * (1 - share) + piece * share))
        changed = np.maximum(cover, np.clip((1 - shadow.min(2)) * 3, 0, 1))
        matte[rows, columns] = round_to_bytes(plane(changed * 255))
    return Composite(result, matte)


def _fade_borders(rendered: RenderedFurniture) -> Plane:
    """Weights for the render's box: 1 inside, falling to 0 at each side that is not also a side of the picture."""
    left, top, right, bottom = rendered.box
    across, down = (
        _fade_ends(right - left, left > 0, right < rendered.width),
        _fade_ends(bottom - top, top > 0, bottom < rendered.height),
    )
    return gray_to_rgb(plane(down[:, None] * across[None]))


def _fade_ends(count: int, first: bool, last: bool) -> Plane:
    """Weights of 1 that fall to 0 within 24 pixels of the first place if `first`, and of the last if `last`."""
    steps = np.clip(np.arange(count, dtype=np.float32) / 24, 0, 1)
    return plane((steps if first else 1.0) * (steps[::-1] if last else 1.0) * np.ones(count))


def _render_pieces(rendered: RenderedFurniture, rows: slice, columns: slice) -> tuple[Plane, Plane]:
    """The furniture at these rows and columns of the photo: linear light (h x w x 3) and share of each pixel.

    For photos larger than MAX_SIDE both are computed at that size and enlarged.
    """
    scale = min(1.0, MAX_SIDE / max(rendered.photo))
    camera, width, height = rendered.scale_photo_view(scale)
    down = slice(max(0, int(rows.start * scale) - 1), min(height, int(np.ceil(rows.stop * scale)) + 1))
    across = slice(max(0, int(columns.start * scale) - 1), min(width, int(np.ceil(columns.stop * scale)) + 1))
    box = across.start, down.start, across.stop, down.stop
    seen = rendered.outlines.trace(RenderView(camera, width, height, box, scale_rays(RAYS, rendered.detail)))
    own = plane(seen.colors / gray_to_rgb(np.maximum(seen.cover, 0.02)) + COLOR_OFFSET)
    light = plane(_enlarge_shade(rendered, seen, scale, down, across) * own)
    if scale >= 1:
        top, left = rows.start - down.start, columns.start - across.start
        part = slice(top, top + rows.stop - rows.start), slice(left, left + columns.stop - columns.start)
        return light[part], seen.cover[part]
    y = (np.arange(rows.start, rows.stop) + 0.5) * scale - 0.5 - down.start
    x = (np.arange(columns.start, columns.stop) + 0.5) * scale - 0.5 - across.start
    along, up = np.meshgrid(plane(x), plane(y))
    # Light is weighted by cover, so that no background is mixed into the edges.
    weighted = cv2.merge([*cv2.split(light * gray_to_rgb(seen.cover)), seen.cover])
    enlarged = plane(cv2.remap(weighted, plane(along), plane(up), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
    cover = plane(np.clip(enlarged[..., 3], 0, 1))
    return plane(np.maximum(enlarged[..., :3], 0) / gray_to_rgb(np.maximum(cover, 0.02))), cover


def _map_to_box(rendered: RenderedFurniture, scale: float, rows: slice, columns: slice) -> tuple[Plane, Plane]:
    """Column and row in the render's box of each of these pixels of the photo at `scale` times its size."""
    step = rendered.scale / scale
    y = (np.arange(rows.start, rows.stop) + 0.5) * step - 0.5 - rendered.box[1]
    x = (np.arange(columns.start, columns.stop) + 0.5) * step - 0.5 - rendered.box[0]
    down, across = np.meshgrid(plane(y), plane(x), indexing="ij")
    return plane(across), plane(down)


def _sample_box(rendered: RenderedFurniture, values: Plane, scale: float, rows: slice, columns: slice) -> Plane:
    """Values of the render's box at these pixels of the photo at `scale` times its size, interpolated."""
    across, down = _map_to_box(rendered, scale, rows, columns)
    return plane(cv2.remap(plane(values), across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _enlarge_shade(
    rendered: RenderedFurniture, seen: TracedView, scale: float, rows: slice, columns: slice
) -> Plane:
    """The light on the furniture, enlarged: each pixel is a mean of four neighbors, weighted by similar normals."""
    across, down = _map_to_box(rendered, scale, rows, columns)
    normals = seen.normals / gray_to_rgb(np.maximum(seen.cover, 0.05))
    small_normals = plane(rendered.seen.normals / gray_to_rgb(np.maximum(rendered.seen.cover, 0.05)))
    known = plane(rendered.seen.cover > 0.02)
    total, weights = np.zeros_like(normals), np.full(normals.shape[:2], 1e-9, np.float32)
    first_x, first_y = np.floor(across), np.floor(down)
    for right in (0, 1):
        for below in (0, 1):
            x, y = plane(first_x + right), plane(first_y + below)
            near = (1 - np.abs(across - x)) * (1 - np.abs(down - y))
            shade, normals_there, known_there = [
                plane(cv2.remap(each, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE))
                for each in (rendered.shade, small_normals, known)
            ]
            difference = ((normals_there - normals) ** 2).sum(2)
            weight = plane(
                (near + 0.02) * (cv2.exp(plane(-difference * NORMAL_FALLOFF)) + 1e-3) * (known_there + 1e-4)
            )
            total += shade * gray_to_rgb(weight)
            weights += weight
    return plane(total / gray_to_rgb(weights))


def _roll_off(light: Plane) -> Plane:
    """Compress highlights like a camera, so that folds stay visible in white cloth."""
    knee = np.float32(0.62)  # Linear light above which highlights are compressed.
    over = np.maximum(light - knee, 0)
    return plane(np.minimum(light, knee) + (1 - knee) * (1 - np.exp(-over / (1 - knee))) * np.float32(0.94))


def measure_grain(photo: Pixels) -> float:
    """Measure the photo's grain where the middle of the photo is most even.

    Parameters
    ----------
    photo : (H, W, 3) ndarray of uint8
        The photo, gamma-coded.

    Returns
    -------
    float
        The standard deviation, in levels of 0-255; at most 6.
    """
    height, width = photo.shape[:2]
    middle = photo[height // 4 : height // 4 + 1024, width // 4 : width // 4 + 1024]
    gray = rgb_to_gray(plane(middle))
    fine = gray - cv2.GaussianBlur(gray, (0, 0), 1.5)
    # The variance in blocks of 16 x 16 pixels; blocks with edges or texture have more than the grain.
    blocks = cv2.resize(
        fine * fine, (max(1, gray.shape[1] // 16), max(1, gray.shape[0] // 16)), interpolation=cv2.INTER_AREA
    )
    return float(np.clip(np.sqrt(np.quantile(blocks, 0.15)) * 1.1, 0.0, 6.0))


def _grain(rng: np.random.Generator, noise: float) -> Plane:
    white = rng.standard_normal((512, 512)).astype(np.float32)
    field = cv2.GaussianBlur(white, (0, 0), 0.7)
    return plane(field / field.std() * noise)


def _tile(grain: Plane, shape: tuple[int, ...], top: int, left: int) -> Plane:
    rows = (np.arange(shape[0]) + top) % len(grain)
    columns = (np.arange(shape[1]) + left) % grain.shape[1]
    return plane(grain[rows][:, columns])
