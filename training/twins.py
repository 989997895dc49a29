"""`python -m training.twins OUT`: the same house by day and at dusk, to measure day-to-dusk work on.

Writes day_N.jpg, dusk_N.png and windows_N.png (255 where there is a pane), all of the same size and view.
"""

import argparse
import sys
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import Kind
from training.render.light import Light, clouded, daylight, dusk, light_on
from training.render.outdoors import setting, view
from training.render.panes import atlas, evening_panes
from training.render.picture import Camera, Quality, Shot, developed, labeled, shoot
from training.render.shapes import Material, Model, Plane
from training.render.skins import lantern
from training.render.textures import Random

Picture = NDArray[np.uint8]
SIZE = (720, 480)
DOME = (1024, 512)
GROUND = np.array([0.16, 0.17, 0.10], np.float32)


@dataclass(frozen=True, slots=True)
class Effort:
    """Pixels and rays a pixel of a pair."""

    size: tuple[int, int] = SIZE
    day: int = 6
    dusk: int = 16


def main() -> int:
    """Render pairs of the same house by day and at dusk."""
    parser = argparse.ArgumentParser(prog="python -m training.twins", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, default=8, help="of each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[7, 19])
    parser.add_argument(
        "--variant", default="scalar_rgb", help="llvm_ad_rgb is quicker where LLVM 16 or newer is found"
    )
    chosen = parser.parse_args()
    mi.set_variant(chosen.variant)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number, (seed, place) in enumerate(product(chosen.seeds, range(chosen.pairs))):
        day, dusk, panes = pair(seed, place, Effort())
        _write(chosen.out / f"day_{number}.jpg", day)
        _write(chosen.out / f"dusk_{number}.png", dusk)
        _write(chosen.out / f"windows_{number}.png", panes)
        sys.stdout.write(f"pair {number}\n")
        sys.stdout.flush()
    return 0


def pair(seed: int, number: int, effort: Effort) -> tuple[Picture, Picture, Picture]:
    """Pair `number` of this seed: the day and dusk pictures (h x w x 3, sRGB) and the panes (h x w, 0 or 255)."""
    random, model, camera, day = _chosen(seed, number, effort.size)
    bright = shoot(model, camera, day, Quality(effort.day, 3, 2, 2), Kind.SKY, True)
    evening = dusk(random, GROUND, DOME)
    evening = clouded(random, evening, random.uniform(0.1, 0.4), evening.dome[200].mean(0) * 0.7)
    dark = shoot(_lit(random, model), camera, evening, Quality(effort.dusk, 3, 3, 1), Kind.SKY, True)
    panes = np.where(bright.labels == Kind.GLASS, 255, 0).astype(np.uint8)
    return _by_day(random, bright, day), _at_dusk(random, dark, evening), panes


def _chosen(seed: int, number: int, size: tuple[int, int]) -> tuple[Random, Model, Camera, Light]:
    """The first scene of this number that shows house, windows, ground and sky together."""
    for attempt in range(30):
        random = np.random.Generator(np.random.PCG64([seed, number, attempt]))
        model, half, tall, front = setting(random, 0.0, random.uniform(0, 0.85))
        camera = replace(view(random, half, tall, front, True), width=size[0], height=size[1])
        seen = labeled(model, replace(camera, width=96, height=64))
        shares = np.bincount(seen.ravel(), minlength=len(Kind)) / seen.size
        ground = shares[Kind.LAWN] + shares[Kind.GROUND] + shares[Kind.WATER]
        if 0.015 < shares[Kind.GLASS] < 0.2 and 0.1 < shares[Kind.SKY] < 0.6 and ground > 0.12:
            break
    day = daylight(random, GROUND, "clear" if number % 3 else "overcast", DOME)
    day = clouded(random, day, random.uniform(0.1, 0.5), np.array([0.5, 0.52, 0.56], np.float32))
    return random, model, camera, day


def _by_day(random: Random, shot: Shot, day: Light) -> Picture:
    seen = light_on(day, (0, -1, 0)) + light_on(day, (0, 0, 1))
    balance = ((seen / seen[1]) ** -0.9).astype(np.float32)
    solid = shot.cover < 0.5
    gain = 0.55 / max(float(np.percentile(shot.light[solid].mean(-1), 85)), 1e-3)
    # The photographer of a blue sky keeps it; a white one may blow.
    if day.sun.max() > 0.5:
        gain = min(gain, 0.75 / max(float(np.percentile(shot.light[~solid].mean(-1), 60)), 1e-3))
    return developed(_grain(random, shot.light), gain, 0.3, balance)


def _at_dusk(random: Random, shot: Shot, evening: Light) -> Picture:
    """Exposed for the sky, which comes out a middling deep blue; whatever that leaves dark stays dark."""
    sky = float(light_on(evening, (0, 0, 1)).mean()) / np.pi
    gain = random.uniform(0.14, 0.24) / max(sky, 1e-4)
    return developed(_grain(random, shot.light), gain, 0.2, np.ones(3, np.float32))


def _lit(random: Random, model: Model) -> Model:
    """The same house with its lamps on."""
    strength = random.uniform(0.45, 0.9)

    def become(kind: Kind, material: Material) -> Material:
        if not material.lit:
            return material
        return evening_panes(random, *atlas(random), strength) if kind == Kind.GLASS else lantern(strength)

    return model.remade(become)


def _grain(random: Random, light: Plane) -> Plane:
    """Linear light with a camera's slight grain, which also keeps skies from banding."""
    noise = random.standard_normal(light.shape[:2], dtype=np.float32)[..., None]
    return (light * (1 + 0.012 * noise)).astype(np.float32)


def _write(path: Path, picture: Picture) -> None:
    bgr = picture if picture.ndim == 2 else picture[..., ::-1]
    options = [cv2.IMWRITE_JPEG_QUALITY, 95] if path.suffix == ".jpg" else []
    if not cv2.imwrite(str(path), bgr, options):
        raise OSError(f"Cannot write {path}")


if __name__ == "__main__":
    sys.exit(main())
