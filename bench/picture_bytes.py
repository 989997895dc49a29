"""SHA-256 of what every effect makes of the hand-out photos, to prove that a change of code changes no picture.

Usage: python -m bench.picture_bytes OUT.json [--quick]
       python -m bench.picture_bytes --compare A.json B.json
Every effect alone, two orders of several, and the generative ones by a made-up server; names of figures are left
out.
"""

import argparse
import hashlib
import io
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from bench.quality.places import PHOTOS, pictures
from bench.sheets.edit_requests import request_for
from engine.canvas import ServerAccess
from engine.effects.table import EFFECTS
from engine.geometry.surface import Surface
from engine.io.photo import DecodedPhoto, decode, encode
from engine.pipeline import apply_effects
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType
from engine.types.server import GenerativeRequest
from tests.engine.box_rooms import BoxRoom, KnownScene
from tests.scenes import encoded

SEED = "picture bytes"
QUICK = ("ext07_suburban_lawn", "ext12_victorian_portrait", "int02_open_plan_white", "empty_before")
SMALL_THINGS = ((-1.2, -0.9, 3.0, 3.3, 0.0, 0.25), (0.6, 0.8, 2.8, 3.1, 0.0, 0.2))
DRAWN = {
    "furnished": BoxRoom(width=720, height=480),
    "with clutter": BoxRoom(width=720, height=480, things=SMALL_THINGS, surface=Surface.CLUTTER, floor="tiles"),
    "empty": BoxRoom(width=720, height=480, things=(), window=(0.2, 1.6, 0.9, 2.0)),
}
"""Drawn rooms of which everything is known: few real ones are emptied on this machine."""
FOLDERS = {"exterior": PhotoType.EXTERIOR, "interior": PhotoType.INTERIOR, "pairs": PhotoType.INTERIOR}
SEVERAL = (
    (Enhancement.GRASS, Enhancement.SKY, Enhancement.GOLDEN_HOUR),
    (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.HDR, Enhancement.FLAMBIENT),
)
Entry = dict[str, object]


class BlurringServer:
    """A generative server that blurs the lower middle of what may change, the same way each time."""

    def edit(self, request: GenerativeRequest) -> bytes:
        """The picture with its free part blurred; implements app.domain.ports.GenerativeServer."""
        image = cv2.imdecode(np.frombuffer(request.image, np.uint8), cv2.IMREAD_COLOR)
        free = np.zeros(image.shape[:2], np.bool_)
        height, width = free.shape
        free[height // 2 : height * 4 // 5, width // 4 : width * 3 // 4] = True
        if request.mask is not None:
            mask = cv2.imdecode(np.frombuffer(request.mask, np.uint8), cv2.IMREAD_UNCHANGED)
            free &= mask[..., 3] == 0
        blurred = cv2.GaussianBlur(image, (0, 0), width / 40)
        return cv2.imencode(".png", np.where(free[..., None], blurred, image))[1].tobytes()


def entries(quick: bool) -> Iterator[tuple[str, Entry]]:
    """What came of each request on each photo, with the names of both."""
    for folder, group in FOLDERS.items():
        for number, path in enumerate(pictures(PHOTOS / folder)):
            if "_after_" in path.name or (quick and path.stem not in QUICK):
                continue
            photo = decode(io.BytesIO(path.read_bytes()))
            for name, request, asked in _requests(path.stem, number, group):
                yield f"{folder}/{path.stem}: {name}", entry(photo, request, _server() if asked else None)
    for number, (room, drawn) in enumerate(DRAWN.items()):
        pixels, labels = drawn.drawn(furnished=True)
        photo = decode(io.BytesIO(encoded(pixels, "PNG")))
        scene = KnownScene(photo.pixels, labels, drawn.room)
        for name, request, asked in _requests(room, number, PhotoType.INTERIOR):
            yield f"drawn/{room}: {name}", entry(photo, request, _server() if asked else None, scene)


def entry(
    photo: DecodedPhoto, request: EditRequest, server_access: ServerAccess | None, scene: Scene | None = None
) -> Entry:
    """Digests of pixels, masks and encoded result (null when all steps declined), and the report without names."""
    done = apply_effects(photo, request, server_access, keep_mattes=True, scene=scene)
    result = None if done.pixels is None else encode(done.pixels, photo, done.source_type, done.description).content
    return {
        "pixels": None if done.pixels is None else _digest(done.pixels.tobytes()),
        "masks": _digest(b"".join(each.tobytes() for each in done.mattes.values())),
        "result": None if result is None else _digest(result),
        "steps": [asdict(step) for step in done.report.steps],
        "figures": [[figure.value, figure.passed] for figure in done.report.figures],
    }


def compare(before: dict[str, Entry], after: dict[str, Entry]) -> list[str]:
    """One line for each entry that differs, and in what."""
    lines = [f"only in one file: {name}" for name in sorted(before.keys() ^ after.keys())]
    for name in sorted(before.keys() & after.keys()):
        differing = [key for key in before[name] if before[name][key] != after[name].get(key)]
        if differing:
            lines.append(f"{name}: {', '.join(differing)}")
    return lines


def _requests(stem: str, number: int, group: PhotoType) -> Iterator[tuple[str, EditRequest, bool]]:
    for step in ENHANCEMENTS:
        request = request_for(step, stem, number)
        yield step.value, request, False
        if EFFECTS[step].by_server and group is PhotoType.INTERIOR:
            yield f"{step.value} by a server", request, True
    for steps in SEVERAL:
        if ENHANCEMENTS[steps[0]].group is group:
            yield " + ".join(step.value for step in steps), EditRequest(enhancements=tuple(steps)), False


def _server() -> ServerAccess:
    return ServerAccess(
        BlurringServer(),
        EngineContext(spend=lambda: True),
        90.0,
        time.monotonic() + 3600,
        time.monotonic,
        time.sleep,
    )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main() -> int:
    """Write the digests, or compare two files of them; 1 when they differ."""
    parser = argparse.ArgumentParser(prog="bench.picture_bytes", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--quick", action="store_true", help="only four photos")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("A", "B"))
    asked = parser.parse_args()
    if asked.compare:
        before, after = (json.loads(path.read_text()) for path in asked.compare)
        lines = compare(before, after)
        print("\n".join(lines) or f"{len(before)} results, all alike")
        return 1 if lines else 0
    if asked.out is None:
        parser.error("OUT.json or --compare is needed")
    done: dict[str, Entry] = {}
    for name, found in entries(asked.quick):
        done[name] = found
        print(name, "declined" if found["pixels"] is None else "", flush=True)
    asked.out.write_text(json.dumps(done, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
