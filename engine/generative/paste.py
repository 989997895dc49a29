"""Pastes an edit of the small picture into the photo at full size and keeps as much of the photo as possible."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import enlarge_map, enlarge_picture, map_strips, round_to_bytes
from engine.generative.agreement import Agreement
from engine.generative.frame import ServerFrame

REGION_SIDE = 512
FADE = 0.003
"""Share of the long side: the sigma of the fade from the edit to the photo, which lies beyond what was changed."""


def paste_edit(pixels: Pixels, frame: ServerFrame, seen: Agreement, free: Plane) -> tuple[Pixels, Plane]:
    """The photo with the edit in it.

    The photo is taken as its small version, enlarged, plus the fine detail this lacks, as in a Laplacian pyramid
    [1]_. The edit changes the first; the second stays wherever the edit kept the fine structure.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    frame : ServerFrame
        The frame of this photo.
    seen : Agreement
        The edit and where it differs, as large as the frame's picture.
    free : (h, w) ndarray of float32
        Where the photo may change, 0-1, as large as the frame's picture.

    Returns
    -------
    pixels : (H, W, 3) ndarray of uint8
        The edited photo. Outside `free`, and where the edit changed nothing, every byte stays.
    region : (h, w) ndarray of float32
        The share of the edit in each pixel, 0-1, with a long side of at most REGION_SIDE.

    References
    ----------
    .. [1] Burt and Adelson, "The Laplacian Pyramid", 1983.
    """
    share = _share(seen, free)
    small = plane(frame.own)
    edited = plane(small + share[..., None] * (plane(frame.to_own_colors(seen.edit)) - small))
    # Next to what was replaced, the fine detail still has its outlines.
    alike = cv2.erode(seen.alike, np.ones((5, 5), np.uint8))
    detail = plane(1 - share * (1 - alike))

    def laid(part: Pixels, rows: slice) -> Pixels:
        here = enlarge_map(share, pixels.shape, rows)
        if not here.any():
            return part
        fine = plane(part) - enlarge_picture(small, pixels.shape, rows)
        new = enlarge_picture(edited, pixels.shape, rows) + fine * gray_to_rgb(
            enlarge_map(detail, pixels.shape, rows)
        )
        # New content keeps off pure black and white: a later step for the light needs room.
        kept = round_to_bytes(plane(np.clip(new, 1, 254)))
        return np.asarray(np.where(here[..., None] > 0, kept, part), dtype=np.uint8)

    return map_strips(pixels, laid), _region(share)


def _share(seen: Agreement, free: Plane) -> Plane:
    """How much of each pixel comes from the edit, 0-1: all of what changed, a fade around it, nothing not free."""
    sigma = max(1.0, FADE * max(free.shape))
    margin = round(2 * sigma)
    wanted = gaussian_blur(plane(dilate(np.asarray(seen.changed > 0.5, dtype=np.bool_), margin)), sigma)
    inside = np.asarray(free > 0.5, dtype=np.bool_)
    allowed = gaussian_blur(plane(erode(inside, margin)), sigma)
    share = np.minimum(wanted, allowed) * inside
    return plane(np.where(share < 0.01, 0, share))


def _region(share: Plane) -> Plane:
    height, width = share.shape
    scale = min(1.0, REGION_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return plane(cv2.resize(share, size, interpolation=cv2.INTER_AREA))
