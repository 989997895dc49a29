"""Finds the shadows that things cast on the floor of a room."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.inpainting.face_view import FaceView

SHADOW_REACH = 1.1
"""Maximum distance, in meters, of a shadow on the floor from its thing."""
FULL_REMOVAL_REACH = 0.3
"""Share of the maximum distance within which a shadow is removed completely; farther away, removal fades out."""
MIN_DARKENING = 0.025
"""Minimum darkening (logarithms) of a place that counts as shadow."""
FULL_DARKENING = 0.06
"""Minimum darkening (logarithms) of a shadow that is removed completely."""
CONTACT_REACH = 0.05
"""Maximum distance, in meters, of a contact shadow from its thing."""
MIN_CONTACT_DARKENING = 0.12
"""Minimum darkening (logarithms) of a contact shadow."""


def find_shade(residual: Plane, view: FaceView, blur: float) -> Plane:
    """Find the shadow that the removed things cast on a face: dark, smooth and connected with the things.

    Parameters
    ----------
    residual : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    view : FaceView
        The face.
    blur : float
        Sigma, in meters, of the Gaussian blur that averages darkness.

    Returns
    -------
    (h, w) ndarray of float32
        The change of each cell's logarithms by the shadow: 0 or negative.
    """
    rectified = view.rectified
    distance = cv2.distanceTransform((~view.to_fill).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    sigma = max(1.0, blur / rectified.cell)
    weight = plane(view.known)
    gray = plane(rgb_to_gray(residual) * weight)
    darkening = gaussian_blur(gray, sigma) / np.maximum(gaussian_blur(weight, sigma), 1e-3)
    dark = np.asarray(view.known & (darkening < -MIN_DARKENING) & (distance < SHADOW_REACH))
    _, parts = cv2.connectedComponents((dark | dilate(view.to_fill, 2)).astype(np.uint8))
    touching = np.unique(parts[view.to_fill])
    attached = plane(np.isin(parts, touching[touching > 0]) & dark)
    attached = gaussian_blur(attached, sigma / 3)
    fade = smoothstep(distance, SHADOW_REACH, SHADOW_REACH * FULL_REMOVAL_REACH)
    return plane(
        np.minimum(darkening, 0)
        * smoothstep(plane(-darkening), MIN_DARKENING, FULL_DARKENING)
        * attached
        * fade
        * weight
    )


def find_contact_shadow(residual: Plane, view: FaceView) -> Mask:
    """Find the dark line where a thing touches the face.

    Parameters
    ----------
    residual : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    view : FaceView
        The face.

    Returns
    -------
    (h, w) ndarray of bool
        Known cells that are close to cells to be filled and darker than the base layer.
    """
    distance = np.asarray(view.known & dilate(view.to_fill, max(2, round(CONTACT_REACH / view.rectified.cell))))
    return np.asarray(distance & (cv2.GaussianBlur(rgb_to_gray(residual), (0, 0), 1.0) < -MIN_CONTACT_DARKENING))
