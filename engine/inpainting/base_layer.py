"""Fits the base layer of a floor or ceiling: its smooth light."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.camera import Points
from engine.geometry.rectified_plane import RectifiedPlane
from engine.geometry.room import Room
from engine.inpainting.face_view import FaceView
from engine.inpainting.light import MIN_SAMPLES, Samples, compute_cell_means, fit_light

SAMPLE_SIDE = 0.12
"""Side, in meters, of the squares whose mean colors are the samples of the light."""
DARK_QUANTILE = 0.4
"""Quantile of the visible light that limits how dark the light behind things may be, because the visible light
around things has their shadows. The quantile 1 - DARK_QUANTILE / 10 limits how bright it may be.
"""
QUANTILE_MARGIN = 0.03
"""Logarithms by which the light behind things may exceed these two limits."""
SHADOW_REACH = 0.6
"""Distance from things, in meters, within which their shadows lie."""
MIN_SHADOW_TRUST = 0.03
"""Minimum trust in samples of light within these shadows, 0-1."""


def _measure_edge_distances(rectified: RectifiedPlane, room: Room, columns: Points, rows: Points) -> Points:
    """Distances, in meters, from cells to the nearest wall, in one column; at most 50 meters."""
    points = np.column_stack([rectified.left + columns * rectified.cell, rectified.low + rows * rectified.cell])
    distances = [np.full(len(points), 50.0)]
    distances += [np.abs(points @ wall.inward[:2] - wall.distance) for wall in room.walls]
    return np.asarray(np.min(distances, axis=0)[:, None])


def fit_base_layer(view: FaceView, room: Room) -> Plane | None:
    """Fit the light of a floor or ceiling, and evaluate it at every cell.

    Parameters
    ----------
    view : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.

    Returns
    -------
    (h, w, 3) ndarray of float32 or None
        Logarithms of colors; None if too little is visible.
    """
    rectified = view.rectified
    side = max(2, round(SAMPLE_SIDE / rectified.cell))
    side = max(side, round(np.sqrt(np.count_nonzero(view.known) / 800)))
    middles, means, shares = compute_cell_means(view.values, view.known, side)
    if len(middles) < MIN_SAMPLES:
        return None
    distance = cv2.distanceTransform((~view.to_fill).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    sample_distance = distance[middles[:, 1].astype(int), middles[:, 0].astype(int)]
    shares = shares * np.maximum(np.clip(sample_distance / SHADOW_REACH, 0, 1) ** 2, MIN_SHADOW_TRUST)
    places = np.array([rectified.left, rectified.low]) + middles * rectified.cell
    light = fit_light(Samples(places, _measure_edge_distances(rectified, room, *middles.T), means, shares))
    # Light is evaluated at every fourth cell, because it has no finer detail.
    rows = np.arange(0, rectified.shape[0] + 4, 4, dtype=float) + 0.5
    columns = np.arange(0, rectified.shape[1] + 4, 4, dtype=float) + 0.5
    across, down = np.meshgrid(columns, rows)
    grid = (
        np.array([rectified.left, rectified.low]) + np.column_stack([across.ravel(), down.ravel()]) * rectified.cell
    )
    found = light.at(grid, _measure_edge_distances(rectified, room, across.ravel(), down.ravel()))
    low, high = np.quantile(means, (DARK_QUANTILE, 1 - DARK_QUANTILE / 10), axis=0) + np.array(
        [[-QUANTILE_MARGIN], [QUANTILE_MARGIN]]
    )
    coarse = plane(np.clip(found, low, high).reshape(len(rows), len(columns), 3))
    matrix = np.array([[4.0, 0, 0], [0, 4.0, 0]])
    size = (rectified.shape[1], rectified.shape[0])
    return plane(cv2.warpAffine(coarse, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
