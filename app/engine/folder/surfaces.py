"""What is known of the room in a photo, as files: a grey picture for each surface, the camera as JSON."""

import json
from collections.abc import Iterator

import cv2
import numpy as np

from app.engine.arrays import Matte
from app.engine.guided import refined
from app.engine.io import Photo
from app.engine.room.finding import RoomUnclear, scaled_room
from app.engine.room.surface import PLACE, Surface
from app.engine.scene.analysis import Scene, scene_of


def surface_files(photo: Photo) -> Iterator[tuple[str, bytes]]:
    """The ends of the files' names and what is in them: SURFACE.png (8-bit, the photo's size) and camera.json.

    The camera is that of the photo's full size; {"unclear": reason} where the room cannot be measured.
    """
    scene = scene_of(photo)
    yield "camera.json", _camera(scene)
    for surface in Surface:
        share = np.ascontiguousarray(scene.surfaces[..., PLACE[surface]])
        yield f"{surface}.png", _png(refined(share, scene.own_small, photo.pixels, radius=4, softness=1e-3))


def _camera(scene: Scene) -> bytes:
    try:
        content = scaled_room(scene.room, scene.pixels.shape[1] / scene.small.shape[1]).as_json()
    except RoomUnclear as error:
        content = {"unclear": error.reason}
    return (json.dumps(content, indent=2) + "\n").encode()


def _png(matte: Matte) -> bytes:
    written, content = cv2.imencode(".png", matte)
    if not written:
        raise ValueError("the surface cannot be written as PNG")
    return bytes(content)
