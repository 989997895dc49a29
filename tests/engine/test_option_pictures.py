"""The pictures of options are what the engine makes of the scenes now, of one size, light, and told apart."""

import io
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from app.portal.option_pictures import FOLDER, HEIGHT, WIDTH, OptionPicture, list_pictures
from app.portal.public.examples import SEED, STATIC
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.options import OPTIONS
from tests.scenes import Picture

ALIKE, APART = 4.0, 1.8
"""Levels of 255, on average: these files are small and light."""
MOST_BYTES = 20_000


def opened(picture: OptionPicture) -> Picture:
    return np.asarray(Image.open(STATIC / picture.file).convert("RGB"))


def difference(one: Picture, other: Picture) -> float:
    return float(np.abs(one.astype(int) - other).mean())


@pytest.mark.long
@pytest.mark.parametrize("picture", list_pictures(), ids=lambda each: f"{each.option}-{each.value}")
def test_the_engine_makes_the_same_of_the_scene_now(picture: OptionPicture) -> None:
    photo = (STATIC / picture.scene).read_bytes()
    done = PictureEngine().enhance(io.BytesIO(photo), picture.request, EngineContext(order_seed=SEED))
    assert done.picture is not None
    assert done.report.passed
    made = Image.open(io.BytesIO(done.picture.content)).convert("RGB")
    box = tuple(round(side * share) for side, share in zip(made.size * 2, picture.box, strict=True))
    small = np.asarray(made.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=box))
    assert difference(opened(picture), small) < ALIKE


def test_there_is_one_for_each_value_and_no_other_file() -> None:
    assert {path.name for path in (STATIC / FOLDER).iterdir()} == {
        each.file.rpartition("/")[2] for each in list_pictures()
    }
    for each in list_pictures():
        assert Image.open(STATIC / each.file).size == (WIDTH, HEIGHT)
        assert (STATIC / each.file).stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("name", [option.name for option in OPTIONS if not option.is_for_all])
def test_the_choices_of_an_option_are_told_apart(name: str) -> None:
    pictures = [opened(each) for each in list_pictures() if each.option == name]
    assert min(difference(*pair) for pair in combinations(pictures, 2)) > APART
