"""The pictures of styles are what the engine makes of the empty room now, of one size, light, and told apart."""

import io
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from app.domain.catalogue import Style
from app.domain.ports import EngineContext
from app.engine.pipeline import PictureEngine
from app.portal.public.examples import SEED, STATIC
from app.portal.style_pictures import BOX, FOLDER, HEIGHT, SCENE, WIDTH, ask_for, name_file
from tests.scenes import Picture

ALIKE, APART = 4.0, 3.0
"""Levels of 255, on average: these files are small and light."""
MOST_TOGETHER = 60_000


def opened(style: Style) -> Picture:
    return np.asarray(Image.open(STATIC / name_file(style)).convert("RGB"))


def difference(one: Picture, other: Picture) -> float:
    return float(np.abs(one.astype(int) - other).mean())


@pytest.mark.long
@pytest.mark.parametrize("style", Style)
def test_the_engine_furnishes_the_room_the_same_now(style: Style) -> None:
    photo = (STATIC / SCENE).read_bytes()
    done = PictureEngine().enhance(io.BytesIO(photo), ask_for(style), EngineContext(order_seed=SEED))
    assert done.picture is not None
    assert done.report.passed
    made = Image.open(io.BytesIO(done.picture.content)).convert("RGB")
    box = tuple(round(side * share) for side, share in zip(made.size * 2, BOX, strict=True))
    small = np.asarray(made.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=box))
    assert difference(opened(style), small) < ALIKE


def test_there_is_one_for_each_style_and_no_other_file() -> None:
    files = list((STATIC / FOLDER).iterdir())
    assert {path.name for path in files} == {name_file(style).rpartition("/")[2] for style in Style}
    assert {Image.open(path).size for path in files} == {(WIDTH, HEIGHT)}
    assert sum(path.stat().st_size for path in files) <= MOST_TOGETHER


def test_the_styles_are_told_apart() -> None:
    assert min(difference(*map(opened, pair)) for pair in combinations(Style, 2)) > APART
