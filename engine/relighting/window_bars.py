"""Finds the bars of a window: straight lines from frame to frame."""

import cv2
import numpy as np

from engine.arrays import Matte, Plane, plane, smoothstep
from engine.segmentation.window_outlines import fit_corners

MAX_SIDE = 640
"""Maximum side, in pixels, of the rectified window in which bars are searched for."""
MIN_SIDE = 8
"""Minimum side, in pixels, of a pane that a bar may divide."""
MAX_BAR_WIDTH = 1 / 12
"""Maximum width of a bar, as a share of the window's shorter side."""
MIN_KERNEL = 5
"""Minimum width, in pixels, of the kernel that is as wide as the widest bar."""
MARGIN = 0.06
"""Share of a pane's side near its border where no bar is searched for, because the frame's edge is there."""
SECTIONS = 4
"""Number of sections of a line, which is as strong as its weakest section, because a bar has no gaps."""
MIN_CONTRAST = 14.0
"""Minimum strength of a bar, in levels (0-255)."""
MIN_RATIO = 3.0
"""Minimum strength of a bar relative to the median of the lines beside it."""
MAX_RATIO = 1.5
"""Maximum width of a bar relative to the bar that it meets, because the bars of a sash are thinner than its frame.
"""
MAX_LINES = 5
"""Maximum number of lines of one direction in a pane; more lines are slats of blinds or folds of curtains."""
BAR_EDGES = 0.3, 0.85
"""A pixel's contrast relative to its bar's: up to the first it shows no bar, from the second on only bar."""


def find_bars(gray: Matte, glass: Matte) -> Plane:
    """Find the bars of one window, lighter or darker than its panes.

    The window is rectified, and divided repeatedly along the strongest line that crosses all of it. Bars that
    divide only one of its panes keep the photo's own structure: if only some of them were found, the window would
    look broken.

    Parameters
    ----------
    gray : (h, w) ndarray of uint8
        The window with its surroundings.
    glass : (h, w) ndarray of uint8
        The share of window glass in each pixel, 0-255.

    Returns
    -------
    (h, w) ndarray of float32
        The share of bars in each pixel, 0-1.
    """
    outline = fit_corners(np.asarray(glass > 127, np.bool_))
    if outline is None:
        return np.zeros(gray.shape, np.float32)
    corners = outline.corners
    sides = np.linalg.norm(corners[[1, 3]] - corners[0], axis=1)
    scale = min(1.0, MAX_SIDE / float(sides.max()))
    width, height = (max(1, round(float(each) * scale)) for each in sides)
    if min(width, height) < MIN_SIDE:
        return np.zeros(gray.shape, np.float32)
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else gray
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    # Corners lie between pixels; OpenCV's coordinates begin in the middle of the first pixel.
    to_window = cv2.getPerspectiveTransform(plane(corners * scale - 0.5), plane(target - 0.5))
    flat = cv2.warpPerspective(small, to_window, (width, height), borderMode=cv2.BORDER_REPLICATE)
    bars = np.zeros((height, width), np.float32)
    strengths = max(_measure_strengths(np.asarray(flat, np.uint8)), key=_find_strongest)
    for strength, drawn in zip(strengths, (bars, bars.T), strict=True):
        _draw_lines(strength, slice(0, strength.shape[1]), drawn)
    back = cv2.warpPerspective(bars, to_window, small.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return plane(cv2.resize(plane(back), gray.shape[::-1], interpolation=cv2.INTER_LINEAR))


def _measure_strengths(flat: Matte) -> list[tuple[Plane, Plane]]:
    """How much lighter, and darker, each pixel is than its surroundings: across columns, and across rows."""
    # Even kernels would shift the bars.
    width = max(MIN_KERNEL, round(min(flat.shape) * MAX_BAR_WIDTH)) | 1
    kernels = np.ones((1, width), np.uint8), np.ones((width, 1), np.uint8)
    kinds = cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT
    upright, level = ([plane(cv2.morphologyEx(flat, kind, each)) for kind in kinds] for each in kernels)
    return [(one, plane(other.T)) for one, other in zip(upright, level, strict=True)]


def _find_strongest(strengths: tuple[Plane, Plane]) -> float:
    return max(_find_line(each)[0] for each in strengths)


def _draw_lines(strength: Plane, part: slice, bars: Plane, max_width: float = np.inf) -> None:
    """Draw the strongest upright bar between two columns, and then those on both sides of it."""
    pane = strength[:, part]
    contrast, place = _find_line(pane)
    if contrast <= 0:
        return
    profile = pane.mean(0)
    # Pixels beyond the nearest gap belong to another line.
    is_apart = profile < BAR_EDGES[0] * profile[place]
    before, after = np.flatnonzero(is_apart[:place]), np.flatnonzero(is_apart[place:])
    first, last = (before[-1] if before.size else 0), (place + after[0] if after.size else len(profile))
    share = smoothstep(plane(profile / profile[place]), *BAR_EDGES)
    share[:first], share[last:] = 0, 0
    width = float(share.sum())
    if width > max_width:
        return
    bars[:, part] = np.maximum(bars[:, part], share)
    for beside in (slice(part.start, part.start + first), slice(part.start + last, part.stop)):
        if beside.stop - beside.start >= MIN_SIDE:
            _draw_lines(strength, beside, bars, MAX_RATIO * width)


def _find_line(strength: Plane) -> tuple[float, int]:
    """Strength and column of the strongest upright line; strength 0 if none or too many are as strong."""
    # A line that is not quite straight moves to the next pixel.
    wide = cv2.dilate(strength, np.ones((1, 3), np.uint8))
    lines = np.min([np.median(each, axis=0) for each in np.array_split(wide, SECTIONS)], axis=0)
    margin = max(2, round(MARGIN * len(lines)))
    inner = lines[margin:-margin]
    if not inner.size or inner.max() < max(MIN_CONTRAST, MIN_RATIO * float(np.median(inner))):
        return 0.0, 0
    is_strong = np.concatenate([[False], inner > inner.max() / 2])
    count = int((is_strong[1:] & ~is_strong[:-1]).sum())
    place = margin + int(np.argmax(inner))
    place += int(np.argmax(strength.mean(0)[place - 1 : place + 2])) - 1
    return (float(inner.max()), place) if count <= MAX_LINES else (0.0, 0)
