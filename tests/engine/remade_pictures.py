"""Makes pictures by every enhancement and prints their digests: a program, to be run in several processes.

`python -m tests.engine.remade_pictures THREADS PHOTO…`: with so many threads of OpenCV on so many processors, all
of them for 0; on drawn scenes, and on these photos of houses, made small so that all of it takes a minute.
"""

import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import cv2
from PIL import Image

from engine.geometry.surface import Surface
from engine.io.photo import decode, encode
from engine.pipeline import PictureEngine, apply_effects
from engine.rendering import render
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement
from engine.types.pictures import Picture
from tests import scenes
from tests.engine.box_rooms import BoxRoom, KnownScene
from tests.engine.lived_rooms import lived_room

SIDE = 480
ALONE = SharedAppearance()
SHARED = SharedAppearance(
    cast_outdoors=(1.03, 1.0, 0.97), cast_indoors=(1.1, 1.0, 0.9), brightness_indoors=0.4, sun_side=-0.6
)
"""As the photos of an order share it."""
FLOOR = RenovationChange(change_type="floor", change_description="Light oak floor with wide boards")
EVENING = (Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT)
SMALL_THING = (0.6, 0.8, 2.8, 3.1, 0.0, 0.2)
CLUTTERED = BoxRoom(things=(SMALL_THING,), surface=Surface.CLUTTER, floor="tiles")
FURNISHED = BoxRoom(floor="plain")


def small(path: Path) -> bytes:
    """The photo with its longer side SIDE."""
    with Image.open(path) as photo:
        photo.thumbnail((SIDE, SIDE))
        buffer = io.BytesIO()
        photo.convert("RGB").save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def make(content: bytes, steps: Sequence[Enhancement], appearance: SharedAppearance) -> Picture | None:
    """What the engine makes of it."""
    changes = (FLOOR,) if Enhancement.RENOVATION in steps else ()
    context = EngineContext(order_seed="job_1", appearance=appearance)
    request = EditRequest(enhancements=tuple(steps), changes=changes)
    return PictureEngine().enhance(io.BytesIO(content), request, context).picture


def make_known(room: BoxRoom, steps: Sequence[Enhancement]) -> Picture | None:
    """The same of a drawn room in which all that stands is known, as nets see little in drawings."""
    pixels, labels = room.drawn(furnished=True)
    photo = decode(io.BytesIO(scenes.encoded(pixels, "PNG")))
    scene = KnownScene(photo.pixels, labels, room.room)
    done = apply_effects(photo, EditRequest(enhancements=tuple(steps)), scene=scene)
    return None if done.pixels is None else encode(done.pixels, photo, done.source_type, done.description)


def pictures(photos: Sequence[Path]) -> Iterator[tuple[str, Picture | None]]:
    """Every picture by the name of its photo and its steps."""
    house = scenes.encoded(scenes.house())
    room = scenes.encoded(lived_room(1, 512).picture)
    for content, steps, appearance in (
        (house, EVENING, ALONE),
        (house, (Enhancement.GRASS, Enhancement.SKY), SHARED),
        (house, (Enhancement.GOLDEN_HOUR,), SHARED),
        (room, (Enhancement.HDR,), SHARED),
        (room, (Enhancement.FLAMBIENT,), ALONE),
        (room, (Enhancement.STAGING,), SHARED),
        (room, (Enhancement.RENOVATION,), SHARED),
    ):
        yield "+".join(steps), make(content, steps, appearance)
    for path in photos:
        yield path.stem, make(small(path), EVENING, SHARED)
    yield "cluttered declutter", make_known(CLUTTERED, [Enhancement.DECLUTTER])
    yield "furnished furniture_removal", make_known(FURNISHED, [Enhancement.FURNITURE_REMOVAL, Enhancement.HDR])


def main(threads: int, photos: Sequence[Path]) -> None:
    """Print all digests as JSON, null where every step declined."""
    if threads:
        cv2.setNumThreads(threads)
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    render.MIN_RAYS = render.MAX_RAYS = 2
    made = {name: picture and sha256(picture.content).hexdigest() for name, picture in pictures(photos)}
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), [Path(each) for each in sys.argv[2:]])
