"""Samples a picture's surfaces along upright lines of the room, from the floor over the wall to the ceiling."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.camera import Camera
from engine.geometry.segments import Numbers
from engine.geometry.surface import PLACE, Surface

COLUMN_COUNT, SAMPLE_DEGREES = 180, 0.25
"""The number of upright lines, and the degrees of elevation between their samples."""
MAX_ELEVATION_DEGREES = 80.0
"""Lines end at this elevation, above and below the horizon."""
EVIDENCE = 0.1
"""Weight of the log likelihoods of one degree of one line: it is low because neighbors are not independent."""
VISIBLE_SHARES = {
    Surface.FLOOR: (0.55, 0.01, 0.004),
    Surface.WALL: (0.01, 0.5, 0.04),
    Surface.CEILING: (0.004, 0.015, 0.86),
    Surface.WINDOW: (0.006, 0.12, 0.02),
    Surface.DOOR: (0.006, 0.08, 0.004),
    Surface.FURNITURE: (0.15, 0.15, 0.02),
    Surface.CABINET: (0.07, 0.09, 0.01),
    Surface.COUNTERTOP: (0.02, 0.025, 0.003),
    Surface.RUG: (0.1, 0.002, 0.001),
    Surface.CLUTTER: (0.02, 0.02, 0.002),
    Surface.OTHER: (0.05, 0.06, 0.05),
}
"""How often a pixel shows each surface where the empty room has floor, wall and ceiling; things may be in front."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Upright lines at `azimuths` (radians, from the room's y to its x).

    `below` (azimuths x samples x 3) is the evidence for floor, wall and ceiling, summed from the first sample up to
    each one. The first sample is at the elevation `lowest`; samples are `step` apart, both in radians. Samples
    outside the picture add 0.
    """

    azimuths: Numbers
    lowest: float
    step: float
    below: Numbers

    def up_to(self, elevations: Numbers, region: int) -> Numbers:
        """Sum the evidence for a region below the given elevations.

        Parameters
        ----------
        elevations : (..., A) ndarray of float64
            In radians, the last axis along `azimuths`.
        region : int
            Floor 0, wall 1, ceiling 2.

        Returns
        -------
        (..., A) ndarray of float64
            The evidence: a sum of log-likelihoods.
        """
        samples = self.below.shape[1]
        # Each sample stands for half a step on both sides of it.
        place = np.clip((elevations - self.lowest) / self.step - 0.5, 0, samples - 1.001)
        whole = place.astype(np.int64)
        rest = place - whole
        line = np.arange(len(self.azimuths))
        return np.asarray(self.below[line, whole, region] * (1 - rest) + self.below[line, whole + 1, region] * rest)

    def all_of(self, region: int) -> Numbers:
        """Sum the evidence for a region along whole lines.

        Parameters
        ----------
        region : int
            Floor 0, wall 1, ceiling 2.

        Returns
        -------
        (A,) ndarray of float64
            The evidence at each azimuth: a sum of log-likelihoods.
        """
        return np.asarray(self.below[:, -1, region])


def sample_columns(camera: Camera, surfaces: Plane) -> Columns:
    """Sample the evidence of a picture's surfaces along upright lines.

    Parameters
    ----------
    camera : Camera
        The camera of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    Columns
        COLUMN_COUNT lines, evenly spaced over the azimuths in view.
    """
    evidence = _measure_evidence(surfaces)
    azimuths = _choose_azimuths(camera, surfaces.shape[1], surfaces.shape[0])
    step = np.radians(SAMPLE_DEGREES)
    elevations = np.arange(-np.radians(MAX_ELEVATION_DEGREES), np.radians(MAX_ELEVATION_DEGREES), step)
    seen = sample_maps(camera, evidence, azimuths, elevations)
    return Columns(
        azimuths, float(elevations[0]), float(step), np.cumsum(seen.astype(float), 1) * EVIDENCE * SAMPLE_DEGREES
    )


def sample_maps(camera: Camera, maps: Plane, azimuths: Numbers, elevations: Numbers) -> Plane:
    """Sample maps of a picture in directions of the room.

    Parameters
    ----------
    camera : Camera
        The camera of a picture of the size of `maps`.
    maps : (h, w, n) ndarray of float32
        The maps.
    azimuths : (A,) ndarray of float64
        In radians, from the room's y to its x.
    elevations : (E,) ndarray of float64
        In radians, 0 at the horizon.

    Returns
    -------
    (A, E, n) ndarray of float32
        The maps' values, 0 outside the picture.
    """
    side, up = np.meshgrid(azimuths, elevations, indexing="ij")
    rays = np.stack([np.sin(side) * np.cos(up), np.cos(side) * np.cos(up), np.sin(up)], -1).reshape(-1, 3)
    places, depth = camera.project(camera.eye + rays)
    places[depth < 0.05] = -1e4
    x, y = plane(places.T).reshape(2, *side.shape) - np.float32(0.5)
    layers = [
        cv2.remap(np.ascontiguousarray(each), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        for each in np.moveaxis(maps, -1, 0)
    ]
    return plane(np.stack(layers, -1))


def _measure_evidence(surfaces: Plane) -> Plane:
    """The log likelihood of floor, wall and ceiling at each pixel."""
    chances = np.array([VISIBLE_SHARES[each] for each in PLACE], np.float32)
    usual = plane(chances / chances.sum(1, keepdims=True))
    return plane(np.log(np.maximum(surfaces @ usual, 1e-3)))


def _choose_azimuths(camera: Camera, width: int, height: int) -> Numbers:
    """COLUMN_COUNT azimuths, evenly spaced over those in view; pixels that look steeply up or down do not count."""
    x, y = np.meshgrid(np.linspace(1, width - 1, 48), np.linspace(1, height - 1, 32))
    rays = camera.rays(np.column_stack([x.ravel(), y.ravel()]))
    level = np.hypot(rays[:, 0], rays[:, 1])
    shown = np.arctan2(rays[:, 0], rays[:, 1])[np.abs(rays[:, 2]) < 1.5 * level]
    shown = shown[np.abs(shown) < np.radians(100)]
    first, last = (float(shown.min()), float(shown.max())) if shown.size else (-0.5, 0.5)
    return np.linspace(first, last, COLUMN_COUNT + 1)[:-1] + (last - first) / COLUMN_COUNT / 2
