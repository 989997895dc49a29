"""What one photo says of its light, for the look that all photos of an order share."""

import io
from typing import BinaryIO

from app.domain.look import Glimpse
from app.engine.io.photo import decode
from app.engine.relighting.sun_position import sun_side_by_compass, sun_side_by_sky
from app.engine.relighting.white_point import white_of
from app.engine.segmentation.scene import Scene, shrunken

# Enough to tell the light from, and a quarter of the work of the size that steps are planned at.
SIDE = 512


def glimpse_of(photo: BinaryIO) -> Glimpse:
    """What a stored photo says of the light it was taken in; it is read and looked at small, to be quick.

    Raises UnusablePhotoError when the photo cannot be decoded within the limits.
    """
    content = photo.read()
    source = decode(io.BytesIO(content), least_side=SIDE)
    scene = Scene(shrunken(source.pixels, SIDE), source.profile, source.digest)
    return glimpsed(scene, sun_side_by_compass(content) if scene.outdoors else 0.0)


def glimpsed(scene: Scene, sun_side: float = 0.0) -> Glimpse:
    """The photo's cast with its certainty, its brightness, and whether it was taken outside.

    The `sun_side` is told by the sky unless it is known better.
    """
    white = white_of(scene)
    return Glimpse(
        outdoors=scene.outdoors,
        cast=white.cast,
        certainty=white.certainty,
        brightness=scene.ground_brightness,
        sun_side=sun_side or sun_side_by_sky(scene),
    )
