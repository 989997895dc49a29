"""Estimates the light of one photo, for the appearance that all photos of an order share."""

import io
from typing import BinaryIO

from engine.io.photo import decode
from engine.relighting.sun_position import find_sun_side_by_compass, find_sun_side_by_sky
from engine.relighting.white_point import estimate_white_point
from engine.segmentation.scene import Scene, shrink_to
from engine.types.appearance import LightEstimate

SIDE = 512
"""Maximum long side, in pixels, of the picture in which the light is estimated; more detail is not needed."""


def estimate_light(photo: BinaryIO) -> LightEstimate:
    """Estimate the light of a stored photo from a small copy of it.

    Parameters
    ----------
    photo : file-like, binary
        The encoded photo.

    Returns
    -------
    LightEstimate
        With `sun_side` from the camera's compass, else from the sky.

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
    """Estimate the photo's cast with its certainty, its brightness, the sun's side, and whether it is outdoors.

    Parameters
    ----------
    scene : Scene
        The photo.
    sun_side : float, default 0.0
        The sun's side, from -1 left to 1 right; 0 if it has to be estimated from the sky.

    Returns
    -------
    LightEstimate
        The estimate for this photo alone.
    """
    white = estimate_white_point(scene)
    return LightEstimate(
        outdoors=scene.outdoors,
        cast=white.cast,
        certainty=white.certainty,
        brightness=scene.ground_brightness,
        sun_side=sun_side or find_sun_side_by_sky(scene),
    )
