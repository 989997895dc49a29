"""Wires before the sky: thin dark straight lines, too fine to be found in the small picture."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.smoothing import gaussian_blur

SIDE = 1600
"""Long side, in pixels, of the picture in which wires are looked for."""
WIDEST = 7
"""Width of the widest wire, in pixels of that picture."""
DARKER = 7
"""Least difference in luma, of 255, between a wire and the brighter sky beside it."""
OPEN = 0.9
"""Least share of sky around a pixel for it to be one of a wire."""
ABOVE_NOISE = 1.6
"""Noise makes dark spots too: a wire is darker by at least this multiple of the USUAL quantile of darkness."""
USUAL = 0.9
"""Quantile over the sky, for ABOVE_NOISE."""
LENGTH = 0.06
"""Least length of a wire, as a share of the long side."""
GAP = 0.012
"""Widest gap that clouds and light make in a wire, as a share of the long side."""
FILLED = 0.75
"""Least share of a line's pixels that must be dark."""
BLUER = 0.06
"""A dark pixel bluer than its surroundings by this (blue minus red, over the larger of both) is a gap between
clouds: a wire is never bluer than the sky that it crosses.
"""
AROUND = 0.01
"""How far the surroundings for BLUER extend, about the width of such gaps, as a share of the long side."""
BORDER = 5
"""A line within this many pixels of the picture's edge is the edge of a margin, no wire."""
ANGLES = 360
"""Steps of angle in half a turn for the Hough transform."""
VOTES = 0.035
"""Least votes for a line in the Hough transform, in pixels, as a share of the long side."""


def segment_wires(picture: Pixels, sky: Plane) -> Plane:
    """Segment thin dark wires before the sky.

    Parameters
    ----------
    picture : (H, W, 3) ndarray of uint8
        The photo, gamma-coded sRGB, its long side at most about SIDE pixels.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1, at a smaller size.

    Returns
    -------
    (h, w) ndarray of float32
        The share of wire in each pixel of the open sky, 0-1.
    """
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    size = (gray.shape[1], gray.shape[0])
    near = cv2.resize(plane(cv2.dilate(sky, np.ones((5, 5)))), size, interpolation=cv2.INTER_LINEAR) > OPEN
    if not near.any():
        return np.zeros_like(sky)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (WIDEST, WIDEST))
    darker = cv2.morphologyEx(gray, cv2.MORPH_BLACKHAT, kernel)
    dark = (
        (darker > max(DARKER, ABOVE_NOISE * float(np.quantile(darker[near], USUAL)))) & near & ~_find_bluer(picture)
    )
    drawn = np.zeros(gray.shape, np.uint8)
    for line in _lines(dark.astype(np.uint8)):
        cv2.line(drawn, line[:2], line[2:], 255, 2)
    # Only the dark pixels along the lines.
    drawn[~(cv2.dilate(dark.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)] = 0
    return plane(cv2.resize(drawn, sky.shape[::-1], interpolation=cv2.INTER_AREA)) / np.float32(255)


def _lines(dark: Matte) -> list[tuple[int, int, int, int]]:
    """Ends (x, y, x, y) of straight lines of dark pixels that are long and have few gaps."""
    side = max(dark.shape)
    found = cv2.HoughLinesP(
        dark, 1, np.pi / ANGLES, max(8, round(VOTES * side)), minLineLength=LENGTH * side, maxLineGap=GAP * side
    )
    lines = [] if found is None else np.asarray(found, np.int32).reshape(-1, 4).tolist()
    return [
        (x, y, to_x, to_y)
        for x, y, to_x, to_y in lines
        if not _is_on_border(dark, x, y, to_x, to_y) and _is_filled(dark, x, y, to_x, to_y)
    ]


def _is_on_border(dark: Matte, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether both ends lie along the same edge of the picture."""
    height, width = dark.shape
    ends = [(x, y), (to_x, to_y)]
    across, down = ([end[axis] for end in ends] for axis in (0, 1))
    return (
        max(across) < BORDER or min(across) >= width - BORDER or max(down) < BORDER or min(down) >= height - BORDER
    )


def _find_bluer(picture: Pixels) -> Mask:
    """Where a pixel is bluer than its surroundings."""
    red, _, blue = (plane(each) for each in cv2.split(cv2.blur(picture, (3, 3))))
    blueness = plane((blue - red) / np.maximum(cv2.max(blue, red), np.float32(12)))
    return np.asarray(blueness > gaussian_blur(blueness, AROUND * max(blueness.shape)) + BLUER, np.bool_)


def _is_filled(dark: Matte, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether enough of the line's pixels (FILLED) are dark, on it or beside it."""
    count = max(abs(to_x - x), abs(to_y - y)) + 1
    columns, rows = np.linspace(x, to_x, count).round().astype(int), np.linspace(y, to_y, count).round().astype(int)
    beside = np.maximum.reduce([dark[np.clip(rows + each, 0, len(dark) - 1), columns] for each in (-1, 0, 1)])
    return bool(beside.mean() >= FILLED)
