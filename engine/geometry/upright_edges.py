"""Chooses edges that may be upright, exact to fractions of a pixel, and measures how exact each one is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane
from engine.geometry.segments import LineSegments, Numbers, scale_ends, weigh_segments

MAX_LEAN = 14.0
"""Maximum angle between an edge and the picture's columns, in degrees, up to which it may be upright."""
MIN_LENGTH = 0.015
"""Share of the picture's diagonal; shorter edges give no direction."""
MAX_EDGES = 600
"""Only the longest are kept: more cost time and add little."""
MAX_ERROR = np.radians(2.0)
"""Maximum standard error of an edge's angle; less exact edges are not used."""
MIN_ERROR = np.radians(0.1)
"""Added to each error: even long edges of real houses are not perfectly straight or parallel."""
PLACES = 32
"""Places along an edge at which its position is measured."""
DEPENDENT_PLACES = 3
"""Number of these places that count as one measurement, because neighbors share pixels."""
REACH = 3.0
"""Pixels on both sides of a detected edge within which its exact position is searched."""
STEP = 0.5
"""Distance of the samples across an edge, in pixels."""
WINDOWS = (2.1, 1.5, 1.2, 1.2)
"""Sigma of the window around the line in successive fits, in pixels."""
USUAL_OFFSET = 0.5
"""Pixels off the line from which on a place counts little in the fit."""
SMOOTHING = 0.8
"""Sigma of the blur against noise, in pixels."""


@dataclass(frozen=True, slots=True)
class UprightEdges:
    """Edges in pixels of a picture, and the standard errors of their angles (N,), in radians."""

    segments: LineSegments
    errors: Numbers


def choose_upright_edges(gray: NDArray[np.uint8], ends: Numbers, surfaces: Plane) -> UprightEdges:
    """Choose the edges that may be upright; those of movable things get less weight.

    Parameters
    ----------
    gray : (H, W) ndarray of uint8
        The picture.
    ends : (N, 4) ndarray of float64
        x, y, x, y of all edges, in pixels: see `engine.geometry.segments.find_ends`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1; of any size with the picture's aspect ratio.

    Returns
    -------
    UprightEdges
        At most MAX_EDGES, in pixels of the picture; the center of the first pixel is (0.5, 0.5).
    """
    across, down = np.abs(ends[:, 2] - ends[:, 0]), np.abs(ends[:, 3] - ends[:, 1])
    lengths = np.hypot(across, down)
    fits = (across <= lengths * np.sin(np.radians(MAX_LEAN))) & (lengths >= MIN_LENGTH * np.hypot(*gray.shape))
    chosen = np.flatnonzero(fits)
    chosen = chosen[np.argsort(-lengths[chosen], kind="stable")[:MAX_EDGES]]
    ends, errors = refine_ends(gray, ends[chosen])
    exact = errors < MAX_ERROR
    ends = ends[exact]
    weights = weigh_segments(scale_ends(ends, gray.shape, surfaces.shape), surfaces)
    return UprightEdges(LineSegments(ends, weights), np.hypot(MIN_ERROR, errors[exact]))


def refine_ends(gray: NDArray[np.uint8], ends: Numbers) -> tuple[Numbers, Numbers]:
    """Move edges to the places where gray changes most, by fits of a line to positions measured along each edge.

    Parameters
    ----------
    gray : (H, W) ndarray of uint8
        The picture.
    ends : (N, 4) ndarray of float64
        x, y, x, y of each edge, in pixels; the center of the first pixel is (0.5, 0.5).

    Returns
    -------
    ends : (N, 4) ndarray of float64
        The refined edges.
    errors : (N,) ndarray of float64
        The standard errors of their angles, in radians.
    """
    if not len(ends):
        return ends, np.zeros(0)
    way = (np.arange(PLACES) + 0.5) / PLACES - 0.5
    change, offsets = _measure_changes(gray, ends, way)
    shift, slope = np.zeros((2, len(ends), 1))
    weights, away = np.ones((2, len(ends), PLACES))
    variance = np.ones((len(ends), 1))
    for number, window in enumerate(WINDOWS):
        line = shift + slope * way
        near = change * np.exp(-0.5 * ((offsets - line[..., None]) / window) ** 2)
        strength = near.sum(-1)
        away = (near @ offsets) / np.maximum(strength, 1e-6) - line
        weights = np.minimum(strength, 2 * np.median(strength, axis=1, keepdims=True)) + 1e-9
        if number:
            weights = weights / (1 + (away / USUAL_OFFSET) ** 2)
        weights = weights / weights.sum(1, keepdims=True)
        middle, mean = ((weights * each).sum(1, keepdims=True) for each in (way, away))
        variance = np.maximum((weights * (way - middle) ** 2).sum(1, keepdims=True), 1e-3)
        turn = (weights * (way - middle) * away).sum(1, keepdims=True) / variance
        slope = np.clip(slope + turn, -2 * REACH, 2 * REACH)
        shift = np.clip(shift + mean - turn * middle, -REACH, REACH)
        away = away - (mean + turn * (way - middle))
    count = 1 / (weights**2).sum(1) / DEPENDENT_PLACES
    spread = (weights * away**2).sum(1) / np.maximum(count - 2, 1)
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    errors = np.sqrt(spread / variance[:, 0]) / lengths
    normals = _find_normals(ends)
    moved = [ends[:, :2] + normals * (shift - slope / 2), ends[:, 2:] + normals * (shift + slope / 2)]
    return np.concatenate(moved, axis=1), np.asarray(errors)


def _find_normals(ends: Numbers) -> Numbers:
    along = ends[:, 2:] - ends[:, :2]
    return np.asarray(np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None])


def _measure_changes(gray: NDArray[np.uint8], ends: Numbers, way: Numbers) -> tuple[Numbers, Numbers]:
    """How strongly gray changes across each edge in the edge's own sense, N x PLACES x offsets; and the offsets."""
    offsets = np.arange(-REACH - 2 * STEP, REACH + 2.5 * STEP, STEP)
    middles, along = (ends[:, :2] + ends[:, 2:]) / 2, ends[:, 2:] - ends[:, :2]
    places = middles[:, None] + along[:, None] * way[:, None]
    points = places[:, :, None] + _find_normals(ends)[:, None, None] * offsets[:, None]
    # In OpenCV, the centers of pixels have whole coordinates, here they end in .5.
    x, y = np.moveaxis(points.reshape(len(ends), -1, 2) - 0.5, -1, 0).astype(np.float32)
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), SMOOTHING)
    values = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(values, np.float64).reshape(len(ends), len(way), -1)
    change = values[..., 2:] - values[..., :-2]
    center = change.shape[-1] // 2
    sense = np.sign(np.median(change[..., center - 1 : center + 2].mean(-1), axis=1))
    return np.maximum(change * sense[:, None, None], 0), offsets[1:-1]
