"""Finds wires in front of the sky: thin dark straight lines, too fine to be found in the small picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.smoothing import gaussian_blur

SIDE = 1600
"""Long side, in pixels, of the picture in which wires are searched for."""
MAX_WIDTH = 7
"""Maximum width of a wire, in pixels of that picture."""
MIN_DARKNESS = 7
"""Minimum difference in luma (0-255) between a wire and the brighter sky beside it."""
MIN_SKY_SHARE = 0.9
"""Minimum share of sky around a pixel of a wire."""
NOISE_FACTOR = 1.6
"""Noise makes dark spots too: the darkness of a wire is at least this multiple of the quantile NOISE_QUANTILE."""
NOISE_QUANTILE = 0.9
"""Quantile of the darkness of pixels in the sky that measures noise."""
MIN_LENGTH = 0.06
"""Minimum length of a wire, as a share of the long side."""
MAX_GAP = 0.012
"""Maximum gap in a wire, caused by clouds or light, as a share of the long side."""
MIN_DARK_SHARE = 0.75
"""Minimum share of dark pixels in a line."""
MIN_BLUENESS = 0.06
"""Blueness is blue minus red, divided by the larger of both. A dark pixel that exceeds its surroundings by this
value is a gap between clouds: a wire is never bluer than the sky behind it.
"""
BLUENESS_SIGMA = 0.01
"""Sigma, as a share of the long side, of the blur over these surroundings: about the width of such gaps."""
BORDER_WIDTH = 5
"""A line within this many pixels of the picture's edge is the edge of a margin, not a wire."""
STEP = 0.03
"""Length of the pieces, as a share of the long side, by which a found wire is followed farther."""
TURNS = tuple(np.radians((0.0, -0.6, 0.6, -1.2, 1.2, -2.0, 2.0)).tolist())
"""Angles by which a piece may turn against the one before."""
MIN_CLEARNESS = 1.5
"""Minimum difference (0-255) between the mean darkness of a piece and that beside it; noise averages to less."""
BESIDE = 3
"""Distance, in pixels, of the lines beside a piece with which it is compared."""
ANGLE_STEPS = 360
"""Number of angles in half a turn for the Hough transform."""
MIN_VOTES = 0.035
"""Minimum number of votes for a line in the Hough transform, as a share of the long side in pixels."""


def segment_wires(picture: Pixels, sky: Plane) -> Plane:
    """Segment thin dark wires in front of the sky.

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
    in_sky = (
        cv2.resize(plane(cv2.dilate(sky, np.ones((5, 5)))), size, interpolation=cv2.INTER_LINEAR) > MIN_SKY_SHARE
    )
    if not in_sky.any():
        return np.zeros_like(sky)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (MAX_WIDTH, MAX_WIDTH))
    darkness = cv2.morphologyEx(gray, cv2.MORPH_BLACKHAT, kernel)
    bluer = _find_bluer(picture)
    dark = (
        (darkness > max(MIN_DARKNESS, NOISE_FACTOR * float(np.quantile(darkness[in_sky], NOISE_QUANTILE))))
        & in_sky
        & ~bluer
    )
    mask = np.zeros(gray.shape, np.uint8)
    for line in _find_lines(dark.astype(np.uint8)):
        for start, end in _follow(plane(darkness * (in_sky & ~bluer)), line):
            cv2.line(mask, start, end, 255, 2)
    return plane(cv2.resize(mask, sky.shape[::-1], interpolation=cv2.INTER_AREA)) / np.float32(255)


def _follow(darkness: Plane, line: tuple[int, int, int, int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The line and its continuations at both ends, each (x, y), (x, y), as far as they are darker than beside them.

    A wire that fades is followed by the mean darkness of a longer piece, in which noise averages out; wires sag, so
    each piece may turn a little.
    """
    ends = np.array(line, np.float64).reshape(2, 2)
    pieces = [(ends[0], ends[1])]
    step = STEP * max(darkness.shape)
    for start, end in (ends, ends[::-1]):
        at, angle = end, float(np.arctan2(*(end - start)[::-1]))
        for _ in range(round(1 / STEP)):
            turns = [angle + turn for turn in TURNS]
            tips = [at + step * np.array((np.cos(each), np.sin(each))) for each in turns]
            clearness = [_measure_clearness(darkness, at, tip) for tip in tips]
            best = int(np.argmax(clearness))
            if clearness[best] < MIN_CLEARNESS:
                break
            pieces.append((at, tips[best]))
            at, angle = tips[best], turns[best]
    return [(_round(start), _round(end)) for start, end in pieces]


def _measure_clearness(darkness: Plane, start: NDArray[np.float64], end: NDArray[np.float64]) -> float:
    """By how much the pixels of a piece are darker than those beside it; 0 if the piece leaves the picture."""
    height, width = darkness.shape
    points = np.linspace(start, end, int(np.hypot(*(end - start))) + 1)
    if not ((points >= 0) & (points <= (width - 1, height - 1))).all():
        return 0.0
    along = (end - start) / max(np.hypot(*(end - start)), 1)
    means = []
    for offset in (-2 * BESIDE, -BESIDE, 0, BESIDE, 2 * BESIDE):
        columns, rows = (points + np.array((-along[1], along[0])) * offset).round().astype(int).T
        means.append(float(darkness[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)].mean()))
    return means[2] - max(means[:2] + means[3:])


def _round(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _find_lines(dark: Matte) -> list[tuple[int, int, int, int]]:
    """The end points (x, y, x, y) of long straight lines of dark pixels with few gaps."""
    side = max(dark.shape)
    found = cv2.HoughLinesP(
        dark,
        1,
        np.pi / ANGLE_STEPS,
        max(8, round(MIN_VOTES * side)),
        minLineLength=MIN_LENGTH * side,
        maxLineGap=MAX_GAP * side,
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
    columns, rows = ([end[axis] for end in ends] for axis in (0, 1))
    return (
        max(columns) < BORDER_WIDTH
        or min(columns) >= width - BORDER_WIDTH
        or max(rows) < BORDER_WIDTH
        or min(rows) >= height - BORDER_WIDTH
    )


def _find_bluer(picture: Pixels) -> Mask:
    """The pixels that are bluer than their surroundings."""
    red, _, blue = (plane(each) for each in cv2.split(cv2.blur(picture, (3, 3))))
    blueness = plane((blue - red) / np.maximum(cv2.max(blue, red), np.float32(12)))
    return np.asarray(
        blueness > gaussian_blur(blueness, BLUENESS_SIGMA * max(blueness.shape)) + MIN_BLUENESS, np.bool_
    )


def _is_filled(dark: Matte, x: int, y: int, to_x: int, to_y: int) -> bool:
    """Whether at least MIN_DARK_SHARE of the line has a dark pixel, on the line or directly above or below it."""
    count = max(abs(to_x - x), abs(to_y - y)) + 1
    columns, rows = np.linspace(x, to_x, count).round().astype(int), np.linspace(y, to_y, count).round().astype(int)
    beside = np.maximum.reduce([dark[np.clip(rows + each, 0, len(dark) - 1), columns] for each in (-1, 0, 1)])
    return bool(beside.mean() >= MIN_DARK_SHARE)
