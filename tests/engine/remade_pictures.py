"""Makes pictures by every enhancement and prints their digests: a program, to be run in several processes.

`python -m tests.engine.remade_pictures THREADS PHOTO…`: exterior photos first, then `--`, then rooms. The photos
are made small, so that all of it takes seconds.
"""

import io
import json
import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import cv2
from PIL import Image

from app.domain.catalogue import ENTRIES, Enhancement, PhotoType
from app.domain.edit_requests import EditRequest, RenovationChange
from app.domain.ports import EngineContext
from app.domain.shared_appearance import SharedAppearance, find_shared_appearance
from app.engine.pipeline import PictureEngine

SIDE = 640
PAIRS = {
    PhotoType.EXTERIOR: ((Enhancement.GRASS, Enhancement.SKY), (Enhancement.GRASS, Enhancement.TWILIGHT)),
    PhotoType.INTERIOR: (
        (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING),
        (Enhancement.HDR, Enhancement.DECLUTTER),
    ),
}
"""Steps that work on what others made."""
FLOOR = RenovationChange(change_type="floor", change_description="Light oak floor with wide boards")


def small(path: Path) -> bytes:
    """The photo, upright or not as it is, with its longer side SIDE."""
    with Image.open(path) as photo:
        photo.thumbnail((SIDE, SIDE))
        buffer = io.BytesIO()
        photo.convert("RGB").save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def digests(kind: PhotoType, photos: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """What each list of steps makes of each photo of one order: by name, the digest or the reason for none."""
    engine = PictureEngine()
    estimates = [engine.estimate_light(io.BytesIO(content)) for content in photos.values()]
    of_kind = [(each,) for each in Enhancement if ENTRIES[each].group is kind]
    for name, content in photos.items():
        for appearance in (SharedAppearance(), find_shared_appearance(estimates)):
            for steps in (*of_kind, *PAIRS[kind]):
                changes = (FLOOR,) if Enhancement.RENOVATION in steps else ()
                context = EngineContext(order_seed="job_1", appearance=appearance)
                done = engine.enhance(
                    io.BytesIO(content), EditRequest(enhancements=steps, changes=changes), context
                )
                alike = "alone" if appearance == SharedAppearance() else "shared"
                made = sha256(done.picture.content).hexdigest() if done.picture else f"none: {done.report.message}"
                yield f"{name} {alike} {'+'.join(steps)}", made


def main(threads: int, photos: list[str]) -> None:
    """Print all digests as JSON."""
    if threads:
        cv2.setNumThreads(threads)
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    split = photos.index("--")
    outside, inside = photos[:split], photos[split + 1 :]
    found = dict(digests(PhotoType.EXTERIOR, {Path(each).stem: small(Path(each)) for each in outside}))
    found |= digests(PhotoType.INTERIOR, {Path(each).stem: small(Path(each)) for each in inside})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
