"""Wires before the sky: thin dark lines that run straight on, finer than a small look at the photo can tell."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.smoothing import gaussian_blur

# They are looked for at about this long side; there they are no wider than this, in pixels.
SIDE, WIDEST = 1600, 7
# How much darker than the sky beside it a wire is at least, of 255; how sure the sky around it must be.
DARKER, OPEN = 7, 0.9
# Noise makes dark spots, too: a wire is so many times darker than what all but this share of the sky are.
ABOVE_NOISE, USUAL = 1.6, 0.9
# Shares of the long side: a wire's least length, and the gaps that clouds and light make in it.
LENGTH, GAP = 0.06, 0.012
# How many of a line's pixels must be dark.
FILLED = 0.75
# A gap between clouds is dark, too, but bluer than they are: by so much of its light (blue over red), and it is as
# wide as this share of the long side. A wire never is bluer than the sky that it crosses.
BLUER, AROUND = 0.06, 0.01
# What runs within this many pixels of the picture's own edge is that of a margin.
BORDER = 5
ANGLES, VOTES = 360, 0.035


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
        How much of each pixel of the open sky is wire, 0-1.
    """
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    size = (gray.shape[1], gray.shape[0])
    near = cv2.resize(plane(cv2.dilate(sky, np.ones((5, 5)))), size, interpolation=cv2.INTER_LINEAR) > OPEN
    if not near.any():
        return np.zeros_like(sky)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (WIDEST, WIDEST))
    darker = cv2.morphologyEx(gray, cv2.MORPH_BLACKHAT, kernel)
    dark = (darker > max(DARKER, ABOVE_NOISE * float(np.quantile(darker[near], USUAL)))) & near & ~_bluer(picture)
    drawn = np.zeros(gray.shape, np.uint8)
    for line in _lines(dark.astype(np.uint8)):
        cv2.line(drawn, line[:2], line[2:], 255, 2)
    # Only what is dark along them.
    drawn[~(cv2.dilate(dark.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)] = 0
    return plane(cv2.resize(drawn, sky.shape[::-1], interpolation=cv2.INTER_AREA)) / np.float32(255)


def _lines(dark: Matte) -> list[tuple[int, int, int, int]]:
    """Ends (x, y, x, y) of straight runs of dark pixels that are long, and filled from end to end."""
    side = max(dark.shape)
    found = cv2.HoughLinesP(
        dark, 1, np.pi / ANGLES, max(8, round(VOTES * side)), minLineLength=LENGTH * side, maxLineGap=GAP * side
    )
    lines = [] if found is None else np.asarray(found, np.int32).reshape(-1, 4).tolist()
    return [
        (x, y, to_x, to_y)
        for x, y, to_x, to_y in lines
        if not _is_on_border(dark, x, y, to_x, to_y) and _fill_lines(dark, x, y, to_x, to_y)
    ]


def _is_on_border(dark: Matte, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether both ends lie along the same edge of the picture."""
    height, width = dark.shape
    ends = [(x, y), (to_x, to_y)]
    across, down = ([end[axis] for end in ends] for axis in (0, 1))
    return (
        max(across) < BORDER or min(across) >= width - BORDER or max(down) < BORDER or min(down) >= height - BORDER
    )


def _bluer(picture: Pixels) -> Mask:
    """Where a pixel's light is bluer than that around it."""
    red, _, blue = (plane(each) for each in cv2.split(cv2.blur(picture, (3, 3))))
    blueness = plane((blue - red) / np.maximum(cv2.max(blue, red), np.float32(12)))
    return np.asarray(blueness > gaussian_blur(blueness, AROUND * max(blueness.shape)) + BLUER, np.bool_)


def _fill_lines(dark: Matte, x: int, y: int, to_x: int, to_y: int) -> bool:
    count = max(abs(to_x - x), abs(to_y - y)) + 1
    columns, rows = np.linspace(x, to_x, count).round().astype(int), np.linspace(y, to_y, count).round().astype(int)
    beside = np.maximum.reduce([dark[np.clip(rows + each, 0, len(dark) - 1), columns] for each in (-1, 0, 1)])
    return bool(beside.mean() >= FILLED)
