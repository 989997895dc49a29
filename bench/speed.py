"""How long each light step takes at 24 megapixels against decoding and encoding the same file, in the same run.

Usage: python -m bench.speed [PHOTO]
"""

import io
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from app.domain.catalogue import ENTRIES, Enhancement, PhotoType
from app.domain.ports import Wish
from app.domain.quality import Reason
from app.engine.io import Photo, decode, encode
from app.engine.pipeline import STEPS
from app.engine.scene.analysis import Scene
from app.engine.step import Canvas, Declined
from tests import scenes

WIDTH, HEIGHT = 6000, 4000
ROUNDS = 3


def drawn(group: PhotoType) -> bytes:
    """A 24-megapixel JPEG of a drawn house or room."""
    draw = scenes.house if group is PhotoType.EXTERIOR else scenes.room
    return scenes.encoded(cv2.resize(draw(1500, 1000), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))


def fastest(work: Callable[[], object]) -> float:
    """Seconds of the fastest of a few rounds: the others were disturbed."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def report(content: bytes, steps: list[Enhancement]) -> None:
    """Print one line for the floor and one for each step, scene analysis included."""
    photo = decode(io.BytesIO(content))
    floor = fastest(lambda: encode(decode(io.BytesIO(content)).pixels, photo))
    megapixels = photo.pixels.shape[0] * photo.pixels.shape[1] / 1e6
    print(f"{megapixels:.1f} megapixels; decode + encode {floor:.2f} s")
    for step in steps:
        try:
            seconds = fastest(partial(worked_once, photo, step))
        except Declined as declined:
            if declined.reason is not Reason.NOT_AVAILABLE:
                print(f"  {step:24} declined: {declined.message}")
            continue
        print(f"  {step:24} {seconds:6.2f} s   {seconds / floor:5.1f} x")


def worked_once(photo: Photo, step: Enhancement) -> None:
    """One step on a photo nothing is known of yet."""
    scene = Scene(photo.pixels, photo.profile, photo.digest)
    STEPS[step](Canvas(photo.pixels, scene, Wish(steps=[step])))


def main() -> None:
    """Every step of both groups, on the photo given or on drawn ones."""
    for group in PhotoType:
        steps = [entry.id for entry in ENTRIES.values() if entry.group is group]
        report(Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else drawn(group), steps)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory peak {peak:.0f} MiB")


if __name__ == "__main__":
    main()
