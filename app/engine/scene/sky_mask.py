"""Where the sky is: smooth, bright or blue, open to the top of the picture, and between the twigs below it."""

import cv2
import numpy as np

from app.engine.arrays import (
    Mask,
    Plane,
    blurred,
    box_mean,
    edge_strength,
    grown,
    luminance,
    plane,
    ramp,
    shrunk,
    spread,
    spread_from,
)

LEAST_SHARE = 0.01
# The share of a sky's outline that must lie on real edges: a ceiling fades out, a sky ends at things.
LEAST_OUTLINE = 0.66


def sky_mask(small: Plane) -> Plane:
    """Share of sky, height x width, 0-1, of a small sRGB picture (x 3, 0-1); all 0 when no sky is found."""
    candidates = _sky_like(small)
    open_sky = _without_walls(small, _open_to_top(candidates))
    if open_sky.mean() < LEAST_SHARE or _outline_contrast(small, open_sky) < LEAST_OUTLINE:
        return np.zeros(small.shape[:2], np.float32)
    whole = open_sky | _behind_leaves(small, candidates, open_sky)
    return _matted(small, whole | _small_clouds(small, whole))


def _sky_like(small: Plane) -> Mask:
    """Pixels that could be sky by colour and smoothness alone."""
    soft = blurred(small, 0.8)
    red, green, blue = soft[..., 0], soft[..., 1], soft[..., 2]
    value, chroma = soft.max(-1), soft.max(-1) - soft.min(-1)
    bright = (value > 0.66) & (chroma < 0.16) & (blue > red - 0.035)
    bluish = (blue > red + 0.04) & (blue > green - 0.01) & (value > 0.22)
    clouded = (chroma < 0.12) & (blue > red - 0.02) & (value > 0.3)
    grey = luminance(small)
    even = (edge_strength(blurred(grey, 0.8)) < 0.02) & (spread(grey, 2) < 0.05)
    # Between small clouds even a clear blue is uneven; nothing else is as blue.
    broken = (blue > red + 0.15) & (blue > green + 0.04) & (value > 0.4) & (spread(grey, 2) < 0.10)
    return np.asarray(((bright | bluish | clouded) & even) | broken, dtype=np.bool_)


def _open_to_top(candidates: Mask) -> Mask:
    """The candidate regions that reach the top edge over some width, or hang just below such a one."""
    height, width = candidates.shape
    core = shrunk(candidates, 1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(core.astype(np.uint8), connectivity=4)
    top = np.bincount(labels[: max(2, height // 50)].ravel(), minlength=count)
    keep = (top > width * 0.02) & (stats[:, cv2.CC_STAT_AREA] > core.size * 0.0005)
    keep[0] = False
    return grown(np.asarray(keep[labels], dtype=np.bool_), 1) & candidates


def _without_walls(small: Plane, open_sky: Mask) -> Mask:
    """Under a bright sky what is much darker and not blue is a wall that merges with it, and leaves the region."""
    if not open_sky.any():
        return open_sky
    grey = luminance(small)
    brightest = float(np.quantile(grey[open_sky], 0.9))
    blueness = small[..., 2] - small[..., 0]
    wall = (grey < brightest - 0.22) & (blueness < 0.06)
    return _open_to_top(open_sky & ~grown(wall, 1)) if brightest > 0.8 else open_sky


def _behind_leaves(small: Plane, candidates: Mask, open_sky: Mask) -> Mask:
    """Pieces of sky that branches cut off from the open sky: its colour, above its lowest row, leaves around."""
    sky_colour = spread_from(small, plane(open_sky), max(small.shape[:2]) / 20)
    alike = candidates & ~open_sky & _coloured_like(small, sky_colour)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(alike.astype(np.uint8), connectivity=4)
    lowest = np.flatnonzero(open_sky.any(1))[-1]
    fitting = (stats[:, cv2.CC_STAT_AREA] > 6) & (stats[:, cv2.CC_STAT_TOP] < lowest)
    busy = _busy(small)
    darker = luminance(small) < luminance(sky_colour) - 0.2
    signs = np.stack([darker, darker & _leafy(small), darker & _green(small)], -1)
    behind = np.zeros(alike.shape, np.bool_)
    for label in np.flatnonzero(fitting & (np.arange(count) > 0)):
        left, top, wide, tall = stats[label, :4]
        rows, columns = slice(max(0, top - 8), top + tall + 8), slice(max(0, left - 8), left + wide + 8)
        piece = labels[rows, columns] == label
        # A porch shows white between dark things, too, but has a smooth wall above it, not twigs.
        above = busy[max(0, top - 25) : top, left : left + wide]
        if above.size and above.mean() > 0.9 and _framed_by_leaves(piece, signs[rows, columns]):
            behind[rows, columns] |= piece
    return behind


def _coloured_like(small: Plane, sky_colour: Plane) -> Mask:
    """Near the sky's colour. Only a white sky gets whiter lower down; before a blue one white is a house."""
    white_sky = (sky_colour.min(-1) > 0.78) & (sky_colour.max(-1) - sky_colour.min(-1) < 0.12)
    blown = white_sky & (small.min(-1) > 0.8) & (small > sky_colour - 0.09).all(-1)
    return np.asarray(blown | (np.abs(small - sky_colour).max(-1) < 0.09), dtype=np.bool_)


def _framed_by_leaves(piece: Mask, signs: Mask) -> bool:
    """Whether what is darker around the piece (signs: darker, leafy, green) is much of its frame and foliage."""
    frame = signs[grown(piece, 7) & ~piece]
    if not len(frame):
        return False
    dark, leafy, green = frame.mean(0)
    return bool(dark > 0.4 and leafy > 0.5 * dark and green > 0.3 * dark)


def _small_clouds(small: Plane, sky: Mask) -> Mask:
    """Holes in the sky that are no darker than it: clouds with edges."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((~sky).astype(np.uint8), connectivity=4)
    height, width = sky.shape
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    right, bottom = left + stats[:, cv2.CC_STAT_WIDTH], top + stats[:, cv2.CC_STAT_HEIGHT]
    enclosed = (left > 0) & (right < width) & (bottom < height) & (stats[:, cv2.CC_STAT_AREA] < sky.size * 0.02)
    darkest = luminance(small) < float(np.quantile(luminance(small)[sky], 0.1)) - 0.05
    with_dark = np.bincount(labels.ravel(), weights=darkest.ravel(), minlength=count) > 0
    keep = enclosed & ~with_dark
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.bool_)


def _leafy(small: Plane) -> Mask:
    """Leaves, twigs and trunks: dark or green, and with much light and dark close together near by."""
    return np.asarray(
        (box_mean(spread(luminance(small), 2), 4) > 0.05) & (_green(small) | (luminance(small) < 0.3))
    )


def _busy(small: Plane) -> Mask:
    """Light and dark close together."""
    return np.asarray(box_mean(spread(luminance(small), 2), 4) > 0.04, dtype=np.bool_)


def _green(small: Plane) -> Mask:
    red, green, blue = small[..., 0], small[..., 1], small[..., 2]
    return np.asarray((green > blue * 1.05) & (green > red * 0.95), dtype=np.bool_)


def _outline_contrast(small: Plane, open_sky: Mask) -> float:
    """The share of the region's outline within the picture that has a clear edge close by."""
    outline = grown(open_sky, 1) & ~open_sky
    if not outline.any():
        return 0.0
    edges = plane(cv2.dilate(edge_strength(luminance(small)), np.ones((7, 7), np.uint8)))
    return float((edges[outline] > 0.03).mean())


def _matted(small: Plane, open_sky: Mask) -> Plane:
    """Soft edges: near the open sky each pixel is weighed between the local sky and the local foreground colour."""
    side = max(small.shape[:2])
    sure = shrunk(open_sky, 1)
    grey = luminance(small)
    twiggy = box_mean(plane(_leafy(small)), max(1, side // 90)) > 0.35
    reach = grown(open_sky, max(1, side // 150)) | (grown(open_sky, max(1, side // 25)) & twiggy)
    away = ~reach
    sky_colour = spread_from(small, plane(sure), side / 60)
    ground_colour = spread_from(small, plane(away | (reach & ~open_sky & (grey < 0.35))), side / 60)
    between = sky_colour - ground_colour
    length = (between * between).sum(-1)
    share = ((small - ground_colour) * between).sum(-1) / np.maximum(length, 1e-4)
    distinct = ramp(plane(length), 0.02, 0.08)
    share = np.clip((share - 0.15) / 0.7, 0, 1) * distinct + open_sky * (1 - distinct)
    return plane(np.where(sure, 1.0, np.where(reach, share, 0.0)))
