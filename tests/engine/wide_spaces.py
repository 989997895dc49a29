"""RGB spaces wider than sRGB, and pictures in them."""

import numpy as np

from engine.arrays import Pixels, plane
from engine.color.declared import ADOBE_GAMMA, DeclaredSpace
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.color.profiles import ColorProfile

P3 = (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290)
ADOBE = (0.640, 0.330, 0.210, 0.710, 0.150, 0.060, 0.3127, 0.3290)
WIDE = {
    "Display P3": ColorProfile(DeclaredSpace(P3).make_profile()),
    "Adobe RGB": ColorProfile(DeclaredSpace(ADOBE, ADOBE_GAMMA).make_profile()),
}


def stored_in(profile: ColorProfile, picture: Pixels) -> Pixels:
    """The numbers of an sRGB picture in this space."""
    return np.clip(np.round(profile.from_srgb(plane(picture))), 0, 255).astype(np.uint8)


def looks_apart(picture: Pixels, own: Pixels, profile: ColorProfile) -> np.ndarray:
    """The CIEDE2000 difference between an sRGB picture and one in this space, pixel by pixel."""
    return compute_delta_e(srgb_to_lab(picture), srgb_to_lab(profile.to_srgb(own)))
