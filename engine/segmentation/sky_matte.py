"""Makes the full-size matte of the sky, exact at twigs, wires and roof lines, from the small map of the sky."""

from engine.arrays import Matte, Pixels, Plane, plane
from engine.filters.guided import refine_mask
from engine.segmentation.chroma_key import KeyMaps, key_sky
from engine.segmentation.labels import Kind
from engine.segmentation.thin_things import keep_thin_things


def make_sky_matte(pixels: Pixels, small: Plane, picture: Pixels, shares: Plane, sky: Plane, wires: Plane) -> Matte:
    """Make the matte of the sky.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    small : (h, w, 3) ndarray of float32
        The small picture, 0-1, in the same color space.
    picture : ndarray of uint8
        The photo with a long side of up to 1600 pixels, in the same color space.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.
    sky, wires : (h, w) ndarray of float32
        The sky, with the wires before it, and the wires, 0-1.

    Returns
    -------
    (H, W) ndarray of uint8
        The share of sky in each pixel, 0-255.
    """
    outlined = refine_mask(sky, small, pixels, radius=4, softness=2e-4)
    things = (plane(shares[..., kind]) for kind in (Kind.TREES, Kind.BUILDING, Kind.GROUND))
    keyed = key_sky(outlined, pixels, small, KeyMaps(sky, *things))
    return keep_thin_things(keyed, pixels, picture, sky, wires)
