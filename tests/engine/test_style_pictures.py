"""The pictures of styles are what the engine makes of the empty room now, of one size, light, and told apart."""

import io
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from app.portal.public.examples import SEED, STATIC
from app.portal.style_pictures import BOX, FOLDER, HEIGHT, SCENE, WIDTH, build_request, name_file
from engine.arrays import Pixels
from engine.canvas import Canvas
from engine.effects.virtual_staging import stage_room
from engine.io.photo import decode
from engine.rendering import compositing, render
from engine.segmentation.scene import Scene, make_scene
from engine.types.context import EngineContext
from engine.types.enhancements import Style

ALIKE = 3.4
"""Levels of 255, on average of places BLOCK pixels wide: these files are small and light, and what is made here
is made of few paths of light."""
BLOCK = 8
APART = 3.0
"""The same of single pixels."""
MOST_TOGETHER = 60_000


@pytest.fixture(scope="module", autouse=True)
def _quickly(coarse_textures: None) -> Iterator[None]:
    """As large as these pictures are, furniture looks the same by less light and detail than a photo is given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "MIN_RAYS", 2)
        patch.setattr(render, "MAX_RAYS", 2)
        patch.setattr(render, "MAX_SIDE", 280)
        patch.setattr(compositing, "MAX_SIDE", 600)
        patch.setattr(compositing, "RAYS", 2)
        yield


@cache
def empty() -> tuple[Pixels, Scene]:
    source = decode(io.BytesIO((STATIC / SCENE).read_bytes()))
    return source.pixels, make_scene(source)


def opened(style: Style) -> Image.Image:
    return Image.open(STATIC / name_file(style)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    return float(np.abs(np.asarray(one).astype(int) - np.asarray(other)).mean())


def coarse(picture: Image.Image) -> Image.Image:
    return picture.resize((WIDTH // BLOCK, HEIGHT // BLOCK), Image.Resampling.BOX)


@pytest.mark.long
@pytest.mark.parametrize("style", Style)
def test_the_engine_furnishes_the_room_the_same_now(style: Style) -> None:
    pixels, scene = empty()
    done = stage_room(Canvas(pixels, scene, build_request(style), context=EngineContext(order_seed=SEED)))
    made = Image.fromarray(done.pixels)
    box = tuple(round(side * share) for side, share in zip(made.size * 2, BOX, strict=True))
    small = made.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=box)
    apart = {each: difference(coarse(opened(each)), coarse(small)) for each in Style}
    assert apart[style] < ALIKE
    assert min(apart, key=apart.__getitem__) is style, apart


def test_there_is_one_for_each_style_and_no_other_file() -> None:
    files = list((STATIC / FOLDER).iterdir())
    assert {path.name for path in files} == {name_file(style).rpartition("/")[2] for style in Style}
    assert {Image.open(path).size for path in files} == {(WIDTH, HEIGHT)}
    assert sum(path.stat().st_size for path in files) <= MOST_TOGETHER


def test_the_styles_are_told_apart() -> None:
    assert min(difference(*map(opened, pair)) for pair in combinations(Style, 2)) > APART
