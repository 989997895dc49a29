"""The same rendered room furnished and empty, with the truth of its measures: `python -m training.room_twins DIR`.

For measuring, never for learning: NAME.furnished.png, NAME.empty.png, the same with .labels.png (numbers of
surfaces), NAME.other.png (the empty one with other boards and grain of the same sort, for what nobody can know) and
NAME.json (the room as engine.geometry.room writes it).
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import mitsuba as mi
import numpy as np

from training.quick_rooms import quick_shot
from training.render.labels import Label, RoomPart
from training.render.picture import Quality, Shot, developed, labeled
from training.render.room import measured
from training.render.rooms import Inside, inside
from training.render.sets import parted, shot_of, taste
from training.render.shapes import Material

FINER = 5 / 3
"""The twins' size against that of pictures to learn from."""
SEED = 70
LEAST_FURNITURE, MOST_FURNITURE = 0.03, 0.5
"""Shares of the picture between which furniture is worth removing, and can be."""


def twins(number: int, rays: int) -> dict[str, bytes]:
    """The files of one pair by their endings; none when the room holds next to nothing, or hides behind it.

    Without `rays` light is drawn, not traced.
    """
    made = {name: inside(_chance(number), name == "furnished") for name in ("empty", "furnished")}
    camera = made["empty"].camera
    camera = replace(camera, width=round(camera.width * FINER), height=round(camera.height * FINER))
    seen = {name: labeled(room.model, camera, RoomPart.WINDOW) for name, room in made.items()}
    if not LEAST_FURNITURE < (seen["furnished"] != seen["empty"]).mean() < MOST_FURNITURE:
        return {}

    def shot(room: Inside) -> Shot:
        if rays:
            return shot_of(room, camera, Quality(rays, 4, 4))
        light, labels = quick_shot(room, camera, _chance(number))
        return Shot(light.astype(np.float32), labels, np.zeros(labels.shape, np.float32))

    shots = {name: shot(room) for name, room in made.items()}
    how = taste(_chance(number), shots["empty"])
    files = {".json": json.dumps(measured(made["empty"].room, camera).as_json(), indent=1).encode()}
    for name, made_of in shots.items():
        files[f".{name}.png"] = _png(developed(made_of.light, *how)[..., ::-1])
        files[f".{name}.labels.png"] = _png(parted(made_of.labels)[1])
    other = replace(made["empty"], model=made["empty"].model.remade(_laid_otherwise))
    return files | {".other.png": _png(developed(shot(other).light, *how)[..., ::-1])}


def _laid_otherwise(kind: Label, material: Material) -> Material:
    """Floors and walls with their texture moved by half: rows of boards stay rows, tones and ends differ."""
    if kind not in (RoomPart.FLOOR, RoomPart.WALL):
        return material
    rows, columns = material.texture.shape[:2]
    return replace(material, texture=np.roll(material.texture, (rows // 2, columns // 2), (0, 1)))


def _chance(number: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([SEED, number]))


def _png(values: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".png", np.ascontiguousarray(values))[1])


def main() -> int:
    """Render so many pairs; a pair depends on its number only."""
    parser = argparse.ArgumentParser(prog="python -m training.room_twins", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--rays", type=int, default=32, help="rays a pixel; 0 draws without tracing light")
    parser.add_argument("--variant", default="scalar_rgb")
    chosen = parser.parse_args()
    mi.set_variant(chosen.variant)
    chosen.out.mkdir(parents=True, exist_ok=True)
    number = done = 0
    while done < chosen.pairs:
        here = (chosen.out / f"room{number:03d}.json").exists()
        files = {} if here else twins(number, chosen.rays)
        # The truth last: a pair with it is whole.
        for ending in sorted(files, key=".json".__eq__):
            (chosen.out / f"room{number:03d}{ending}").write_bytes(files[ending])
        done += bool(files) or here
        number += 1
        sys.stdout.write(f"{done} pairs, {number} rooms\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
