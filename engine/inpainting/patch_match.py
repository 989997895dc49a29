"""Fills a hole in a picture several times with patches from its surroundings, and compares the fillings."""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.canvas import Declined
from engine.color.difference import srgb_to_lab
from engine.filters.smoothing import gaussian_blur
from engine.types.report import Reason

SEEDS = (1, 2, 3)
"""Seeds of the random search; each gives one filling."""
PATCH_RADIUS = 3
"""Radius of the compared patches, in pixels; with 7 or more, holes were filled with repeated shapes."""
SURROUNDINGS = 1.2
"""Distance around the hole from which patches are taken, as a multiple of the hole's larger side."""
MIN_SURROUNDINGS = 40
"""Minimum of that distance, in pixels."""
BLUR = 0.04
"""Sigma of the blur before fillings are compared, as a multiple of the square root of the hole's area: fine texture
may differ, shapes may not.
"""
MIN_BLUR = 1.5
"""Minimum of that sigma, in pixels."""
MIN_SOURCE_AREA = 0.6
"""Minimum area from which patches can be taken, as a multiple of the hole's area; with less, fillings repeat a few
pixels and agree although they are wrong.
"""
TEXTURE_SCALE, MIDDLE = 170.0, 128
"""Levels per logarithm at which texture is given to PatchMatch: 0.75 on both sides of the light are kept."""
MAX_DISAGREEMENT = 2.0
"""Disagreement (CIELAB) at the 95th percentile of a hole's pixels from which on a filling is not used."""


@dataclass(frozen=True, slots=True)
class PatchFilling:
    """A filled hole: `pixels` is the picture with the filling, `disagreement` how uncertain each filled pixel is.

    `disagreement` is the root mean square distance of the blurred fillings by different seeds from their mean, in
    CIELAB, and 0 outside the hole; infinite if too little is visible around the hole. Most pixels of a plain wall
    have less than 0.7; where nine of ten pixels have less than 1.5, hardly any shape was invented.
    """

    pixels: Pixels
    disagreement: Plane


def check_available(effect: str) -> None:
    """Decline an effect where the package pypatchmatch is not installed; it is not imported.

    Parameters
    ----------
    effect : str
        The effect's name, which begins the message.

    Raises
    ------
    Declined
        NOT_AVAILABLE.
    """
    if find_spec("patchmatch") is None:
        raise Declined(Reason.NOT_AVAILABLE, f"{effect} needs the package pypatchmatch, which is not installed.")


def fill_hole(picture: Pixels, hole: Mask, excluded: Mask) -> PatchFilling:
    """Fill a hole by PatchMatch [1]_ with each seed, and keep the filling that is nearest to their mean.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The picture, gamma-coded.
    hole : (h, w) ndarray of bool
        The pixels to be filled; at least one.
    excluded : (h, w) ndarray of bool
        Other pixels that are not copied, such as those of other things.

    Returns
    -------
    PatchFilling
        Equal for equal arguments.

    References
    ----------
    .. [1] Barnes, Shechtman, Finkelstein, Goldman, "PatchMatch: A Randomized Correspondence Algorithm for
       Structural Image Editing", 2009.
    """
    rows, columns = np.flatnonzero(hole.any(1)), np.flatnonzero(hole.any(0))
    reach = round(SURROUNDINGS * max(rows[-1] - rows[0], columns[-1] - columns[0])) + MIN_SURROUNDINGS
    box = (
        slice(max(0, int(rows[0]) - reach), int(rows[-1]) + reach + 1),
        slice(max(0, int(columns[0]) - reach), int(columns[-1]) + reach + 1),
    )
    own, others = np.ascontiguousarray(hole[box]), np.ascontiguousarray(excluded[box] & ~hole[box])
    fillings = [copy_patches(np.ascontiguousarray(picture[box]), own, others, seed) for seed in SEEDS]
    sigma = max(MIN_BLUR, BLUR * float(np.sqrt(np.count_nonzero(own))))
    tones = np.stack([gaussian_blur(plane(srgb_to_lab(each)), sigma) for each in fillings])
    squares = ((tones - tones.mean(0)) ** 2).sum(-1)
    best = fillings[int(np.argmin(squares[:, own].mean(1)))]
    pixels, disagreement = picture.copy(), np.zeros(hole.shape, np.float32)
    pixels[box][own] = best[own]
    is_enough = np.count_nonzero(~own & ~others) > MIN_SOURCE_AREA * np.count_nonzero(own)
    disagreement[box][own] = np.sqrt(squares.mean(0))[own] if is_enough else np.inf
    return PatchFilling(pixels, disagreement)


def copy_patches(picture: Pixels, hole: Mask, excluded: Mask, seed: int = SEEDS[0]) -> Pixels:
    """Fill a hole once, from anywhere in the picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The picture, or a texture as bytes.
    hole : (h, w) ndarray of bool
        The pixels to be filled.
    excluded : (h, w) ndarray of bool
        Other pixels that are not copied.
    seed : int
        The seed of the random search.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        The filled picture.
    """
    library: Any = import_module("patchmatch")
    library.set_random_seed(seed)
    filled: Pixels = library.inpaint(picture, hole, global_mask=excluded, patch_size=PATCH_RADIUS)
    return filled


def copy_texture(texture: Plane, hole: Mask, excluded: Mask) -> Plane:
    """Fill a hole in a texture, such as the grain of a wall.

    Parameters
    ----------
    texture : (h, w, 3) ndarray of float32
        Differences from the light, in logarithms.
    hole : (h, w) ndarray of bool
        The pixels to be filled.
    excluded : (h, w) ndarray of bool
        Other pixels that are not copied.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The filled texture.
    """
    levels = np.clip(MIDDLE + TEXTURE_SCALE * texture, 0, 255).astype(np.uint8)
    return (plane(copy_patches(levels, hole, excluded)) - np.float32(MIDDLE)) / np.float32(TEXTURE_SCALE)
