"""Renders the scenes of the front page with a path tracer: `render.py [outside] [inside] [empty] [sofa] [bags]`.

Writes static/img/landing/SCENE.jpg. Needs its own requirements.txt, see README.md; enhance.py comes next.
"""

import sys
from functools import partial
from pathlib import Path

import mitsuba as mi

try:
    mi.set_variant("llvm_ad_rgb")
except ImportError:
    mi.set_variant("scalar_rgb")

import camera
import furniture
import inside
import left_behind
import outside
from files import FOLDER, write_within

SIZE = (1200, 800)
SAMPLES = 8
# What renders a scene, in how many rounds, and its exposure. The noise of the room is smoothed away afterwards.
SCENES = {
    "outside": (outside.light, 12, 1.32),
    "inside": (partial(inside.light, things=furniture.furniture), 2, 1.0),
    "empty": (partial(inside.light, things=furniture.nothing), 2, 1.6),
    "sofa": (partial(inside.light, things=left_behind.sofa), 2, 1.6),
    "bags": (partial(inside.light, things=left_behind.bags), 2, 1.6),
}


def main(names: list[str]) -> None:
    """Render these scenes, or all."""
    for name in names or SCENES:
        light, rounds, exposure = SCENES[name]
        photo = camera.developed(light(rounds, SAMPLES), exposure, SIZE)
        write_within(Path(FOLDER) / f"{name}.jpg", photo, 150_000)


if __name__ == "__main__":
    main(sys.argv[1:])
