"""Finds the shadows on a face of a room that things before the face cast."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.inpainting.face_view import FaceView, is_wall

SHADOW_REACH = 1.1
"""Most meters from a thing at which its shadow may lie on the floor."""
WALL_REACH = 0.5
"""Most meters from a thing at which its shadow may lie on a wall."""
NEAR_FULLY = 0.3
"""Share of this reach up to which a shadow is removed completely; farther away, its removal fades out."""
DARKEST_WALL = 0.45
"""Most darkening (logarithms) of a wall by a shadow; a darker place is not a shadow."""
SHADOW_FROM = 0.025
"""Least darkening (logarithms) for a place to count as shadow."""
SHADOW_FULL = 0.06
"""Least darkening (logarithms) for a shadow to be removed completely."""
CONTACT = 0.05
"""Most meters from a thing at which its contact shadow lies."""
CONTACT_DEPTH = 0.12
"""Least darkening (logarithms) of a contact shadow."""


def find_shade(rest: Plane, seen: FaceView, blur: float) -> Plane:
    """The shadow that the removed things cast on a face: dark, smooth and connected with the things.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    seen : FaceView
        The face.
    blur : float
        Sigma, in meters, of the Gaussian blur that averages darkness.

    Returns
    -------
    (h, w) ndarray of float32
        Logarithm by which the shadow darkens each cell: 0 or less.
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
        Logarithms of colors minus the base layer; 0 where unknown.
    seen : FaceView
        The face.

    Returns
    -------
    (h, w) ndarray of bool
        Known cells that are close to cells to be filled and darker than the base layer.
    """
    near = np.asarray(seen.known & dilate(seen.wanted, max(2, round(CONTACT / seen.rectified.cell))))
    return np.asarray(near & (cv2.GaussianBlur(rgb_to_gray(rest), (0, 0), 1.0) < -CONTACT_DEPTH))
