"""Shadows on a face of a room that belong to the things before it."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.inpainting.face_view import FaceView, is_wall

SHADOW_REACH, WALL_REACH = 1.1, 0.5
"""Meters from a thing within which its shadow may lie on the floor, and on a wall."""
NEAR_FULLY = 0.3
"""Share of its reach over which a shadow is lifted fully."""
DARKEST_WALL = 0.45
"""Logarithms: what is darker than its wall by more is not a shadow."""
SHADOW_FROM, SHADOW_FULL = 0.025, 0.06
"""Logarithms: what is darker than the light around by less is no shadow."""
CONTACT, CONTACT_DEPTH = 0.05, 0.12


def find_shade(rest: Plane, seen: FaceView, blur: float) -> Plane:
    """The shadow that the removed things cast on a face: dark, smooth and attached to them.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors less the base layer; 0 where unknown.
    seen : FaceView
        The face.
    blur : float
        Meters over which darkness is averaged, the sigma of a Gaussian.

    Returns
    -------
    (h, w) ndarray of float32
        The logarithm by which the face is darker there, 0 or less.
    """
    rectified = seen.rectified
    near = cv2.distanceTransform((~seen.wanted).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    sigma = max(1.0, blur / rectified.cell)
    weight = plane(seen.known)
    gray = plane(rgb_to_gray(rest) * weight)
    soft = gaussian_blur(gray, sigma) / np.maximum(gaussian_blur(weight, sigma), 1e-3)
    reach = WALL_REACH if is_wall(rectified.face) else SHADOW_REACH
    dark = np.asarray(seen.known & (soft < -SHADOW_FROM) & (near < reach))
    if is_wall(rectified.face):
        dark &= soft > -DARKEST_WALL
    _, parts = cv2.connectedComponents((dark | dilate(seen.wanted, 2)).astype(np.uint8))
    touching = np.unique(parts[seen.wanted])
    attached = plane(np.isin(parts, touching[touching > 0]) & dark)
    attached = gaussian_blur(attached, sigma / 3)
    fade = smoothstep(near, reach, reach * NEAR_FULLY)
    return plane(
        np.minimum(soft, 0) * smoothstep(plane(-soft), SHADOW_FROM, SHADOW_FULL) * attached * fade * weight
    )


def find_contact_shadow(rest: Plane, seen: FaceView) -> Mask:
    """The dark line where a thing touches the face.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors less the base layer; 0 where unknown.
    seen : FaceView
        The face.

    Returns
    -------
    (h, w) ndarray of bool
        Cells known, close to those to be filled, and darker than the base layer.
    """
    near = np.asarray(seen.known & dilate(seen.wanted, max(2, round(CONTACT / seen.rectified.cell))))
    return np.asarray(near & (cv2.GaussianBlur(rgb_to_gray(rest), (0, 0), 1.0) < -CONTACT_DEPTH))
