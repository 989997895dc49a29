"""Estimates the light of one photo, for the appearance that all photos of an order share."""

import io
from typing import BinaryIO

from engine.io.photo import decode
from engine.relighting.sun_position import find_sun_side_by_compass, find_sun_side_by_sky
from engine.relighting.white_point import estimate_white_point
from engine.segmentation.scene import Scene, shrink_to
from engine.types.appearance import LightEstimate

SIDE = 512
"""Longest side, in pixels, of the picture examined: enough for the light, at a quarter of the work of a step."""


def estimate_light(photo: BinaryIO) -> LightEstimate:
    """The light that a stored photo was taken in, estimated from a small version of it.

    Parameters
    ----------
    photo : file-like, binary
        The encoded photo.

    Returns
    -------
    LightEstimate
        With `sun_side` from the camera's compass, or else from the sky.

    Raises
    ------
    UnusablePhotoError
        When the photo cannot be decoded within the limits.
    """
    content = photo.read()
    source = decode(io.BytesIO(content), min_side=SIDE)
    scene = Scene(shrink_to(source.pixels, SIDE), source.profile, source.digest)
    return estimate_scene_light(scene, find_sun_side_by_compass(content) if scene.outdoors else 0.0)


def estimate_scene_light(scene: Scene, sun_side: float = 0.0) -> LightEstimate:
    """The photo's cast with its certainty, its brightness, the sun's side, and whether it was taken outdoors.

    Parameters
    ----------
    scene : Scene
        The photo.
    sun_side : float, default 0.0
        Where the sun is, -1 left to 1 right; 0: unknown, to be found by the sky.

    Returns
    -------
    LightEstimate
        Of this photo alone.
    """
    white = estimate_white_point(scene)
    return LightEstimate(
        outdoors=scene.outdoors,
        cast=white.cast,
        certainty=white.certainty,
        brightness=scene.ground_brightness,
        sun_side=sun_side or find_sun_side_by_sky(scene),
    )
