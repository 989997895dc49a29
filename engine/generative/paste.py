"""Pastes an edit of the small picture into the full-size photo and keeps as much of the photo as possible."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import enlarge_map, enlarge_picture, map_strips, round_to_bytes
from engine.generative.edit_comparison import EditComparison
from engine.generative.frame import ServerFrame

REGION_SIDE = 512
"""Longest side, in pixels, of the region that is returned."""
FADE_SIGMA = 0.003
"""Sigma of the fade from edit to photo, as a share of the long side; it fades outside the changed content."""


def paste_edit(
    pixels: Pixels, frame: ServerFrame, comparison: EditComparison, editable: Plane
) -> tuple[Pixels, Plane]:
    """Paste the edit into the photo.

    The photo is treated as its small version, enlarged, plus the fine detail that the small version lacks, as in a
    Laplacian pyramid [1]_. The edit changes the small version; the detail stays wherever the edit kept the fine
    structure.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    frame : ServerFrame
        The frame of this photo.
    comparison : EditComparison
        The edit and where it differs from the photo, as large as the frame's picture.
    editable : (h, w) ndarray of float32
        Where the photo may change, 0-1, as large as the frame's picture.

    Returns
    -------
    pixels : (H, W, 3) ndarray of uint8
        The edited photo. Outside `editable`, and where the edit changed nothing, every byte stays.
    region : (h, w) ndarray of float32
        The share of the edit in each pixel, 0-1, with a long side of at most REGION_SIDE.

    References
    ----------
    .. [1] Burt and Adelson, "The Laplacian Pyramid", 1983.
    """
    share = _compute_share(comparison, editable)
    small = plane(frame.pixels)
    edited = plane(small + share[..., None] * (plane(frame.to_own_colors(comparison.edit)) - small))
    # Next to replaced content, the photo's fine detail still contains outlines of the old content.
    alike = cv2.erode(comparison.alike, np.ones((5, 5), np.uint8))
    detail = plane(1 - share * (1 - alike))

    def paste_strip(part: Pixels, rows: slice) -> Pixels:
        edit_share = enlarge_map(share, pixels.shape, rows)
        if not edit_share.any():
            return part
        fine = plane(part) - enlarge_picture(small, pixels.shape, rows)
        new = enlarge_picture(edited, pixels.shape, rows) + fine * gray_to_rgb(
            enlarge_map(detail, pixels.shape, rows)
        )
        # New content is not pure black or white, because a later step may change the light.
        kept = round_to_bytes(plane(np.clip(new, 1, 254)))
        return np.asarray(np.where(edit_share[..., None] > 0, kept, part), dtype=np.uint8)

    return map_strips(pixels, paste_strip), _shrink_region(share)


def _compute_share(comparison: EditComparison, editable: Plane) -> Plane:
    """The share of the edit in each pixel: 1 where content changed, fading to 0 around it, 0 outside `editable`."""
    sigma = max(1.0, FADE_SIGMA * max(editable.shape))
    margin = round(2 * sigma)
    wanted = gaussian_blur(plane(dilate(np.asarray(comparison.changed > 0.5, dtype=np.bool_), margin)), sigma)
    inside = np.asarray(editable > 0.5, dtype=np.bool_)
    allowed = gaussian_blur(plane(erode(inside, margin)), sigma)
    share = np.minimum(wanted, allowed) * inside
    return plane(np.where(share < 0.01, 0, share))


def _shrink_region(share: Plane) -> Plane:
    height, width = share.shape
    scale = min(1.0, REGION_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return plane(cv2.resize(share, size, interpolation=cv2.INTER_AREA))
