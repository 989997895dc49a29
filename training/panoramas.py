"""`python -m training.panoramas EXRS OUT`: views cut from CC0 panoramas, of halls, squares, shores and woods.

The panoramas are Poly Haven's (CC0), as they come with two packages: `bpy` (datafiles/studiolights/world/*.exr,
kept here as NAME_1k.exr) and `@pmndrs/assets` (hdri/*.exr.js, an EXR each as base64). Where the sky is was outlined
for this project (`skylines.json`, in pixels of SIZE); of the rest is known only whether it is in a room.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from app.engine.scene.kinds import Kind
from training.augment import IGNORED, OUTSIDE, ROOM

SKYLINES = Path(__file__).with_name("skylines.json")
SIZE = (512, 1024)
HORIZON = 262
# Height and width of a view: no more than its part of a panorama holds.
VIEW = (216, 320)
# A skyline is drawn to about this many pixels of SIZE.
ROUGH = 9
Light = NDArray[np.float32]


def labelled(light: Light, outline: dict[str, Any]) -> NDArray[np.uint8]:
    """Labels of a whole panorama: SKY, ROOM, OUTSIDE or IGNORED. A panorama with no outline is one of a room."""
    if not outline:
        return np.full(SIZE, ROOM, np.uint8)
    sky = _drawn(outline["skyline"]) if "skyline" in outline else _brighter(light, outline["brighter"])
    labels = np.where(sky > 0, int(Kind.SKY), OUTSIDE).astype(np.uint8)
    if "skyline" in outline:
        edge = cv2.morphologyEx(sky, cv2.MORPH_GRADIENT, np.ones((ROUGH, ROUGH), np.uint8))
        labels[edge > 0] = IGNORED
    for left, top, right, bottom in outline.get("unsure", ()):
        labels[top:bottom, left:right] = IGNORED
    return labels


def _opened(path: Path) -> Light:
    bitmap = mi.Bitmap(str(path)).convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32, False)
    # Their compression rings around lamps: light below nothing takes that of its neighbours.
    light = np.nan_to_num(np.array(bitmap))
    light = np.where(light.min(-1, keepdims=True) <= 0, cv2.dilate(np.maximum(light, 0), np.ones((3, 3))), light)
    return np.asarray(cv2.resize(light, SIZE[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _drawn(skyline: list[list[int]]) -> NDArray[np.uint8]:
    sky = np.zeros(SIZE, np.uint8)
    corners = np.array([[0, 0], *skyline, [SIZE[1], 0]], np.int32)
    return np.asarray(cv2.fillPoly(sky, [corners], (1,)), np.uint8)


def _brighter(light: Light, where: str) -> NDArray[np.uint8]:
    """What is brighter than the rest above the horizon; "connected": only what reaches the top."""
    stops = np.log2(light.mean(-1) + 1e-4)
    grey = cv2.normalize(np.clip(stops, *np.percentile(stops[:HORIZON], (1, 99))), None, 0, 255, cv2.NORM_MINMAX)
    level, _ = cv2.threshold(grey[:HORIZON].astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    sky = (grey > level).astype(np.uint8)
    sky[HORIZON:] = 0
    if where == "connected":
        _, regions = cv2.connectedComponents(sky)
        sky *= np.isin(regions, np.setdiff1d(np.unique(regions[5]), [0])).astype(np.uint8)
    return sky


def _view(light: Light, labels: NDArray[np.uint8], chance: np.random.Generator) -> tuple[NDArray[np.uint8], ...]:
    """What a camera in the middle of the panorama sees, turned and exposed by chance: picture, labels, sky."""
    height, width = VIEW if chance.random() < 0.7 else VIEW[::-1]
    wide = np.tan(np.deg2rad(chance.uniform(70, 110)) / 2) * (1 if width > height else height / width * 0.6)
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height) * height / width)
    pitch, yaw = np.deg2rad(chance.normal(2, 9)), chance.uniform(0, 2 * np.pi)
    right, below, ahead = across * wide, down * wide, np.ones_like(across)
    below, ahead = below * np.cos(pitch) - ahead * np.sin(pitch), below * np.sin(pitch) + ahead * np.cos(pitch)
    turn = (np.arctan2(right, ahead) + yaw) / (2 * np.pi) % 1
    fall = 0.5 + np.arctan2(below, np.hypot(right, ahead)) / np.pi
    columns, rows = (turn * SIZE[1]).astype(np.float32), (fall * (SIZE[0] - 1)).astype(np.float32)
    seen = cv2.remap(light, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    kinds = cv2.remap(labels, columns, rows, cv2.INTER_NEAREST, borderMode=cv2.BORDER_WRAP)
    sky = (kinds == int(Kind.SKY)).astype(np.uint8) * 255
    exposed = seen * (0.18 * 2 ** chance.normal(0.8, 0.9) / max(float(np.median(seen)), 1e-4))
    picture = (np.clip(exposed, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return picture, kinds, sky


def main() -> int:
    """Cut views, an .npz each, as training.dataset reads them; 1 when the folder holds no outlined panorama."""
    parser = argparse.ArgumentParser(prog="python -m training.panoramas", description=main.__doc__)
    parser.add_argument("panoramas", type=Path, help="folder of NAME.exr, named as in skylines.json")
    parser.add_argument("out", type=Path)
    parser.add_argument("--each", type=int, default=24, help="how many views of every panorama")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    mi.set_variant("scalar_rgb")
    chosen.out.mkdir(parents=True, exist_ok=True)
    chance, found = np.random.default_rng(chosen.seed), 0
    for name, outline in json.loads(SKYLINES.read_text()).items():
        path = chosen.panoramas / f"{name}.exr"
        if not path.exists():
            continue
        light, found = _opened(path), found + 1
        labels = labelled(light, outline)
        for number in range(chosen.each):
            picture, kinds, sky = _view(light, labels, chance)
            np.savez_compressed(chosen.out / f"{name}_{number:03d}.npz", picture=picture, labels=kinds, sky=sky)
    return int(found == 0)


if __name__ == "__main__":
    sys.exit(main())
