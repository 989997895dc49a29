"""The pictures of the front page are what the engine makes of those scenes now; so are the figures beside them."""

import io

import numpy as np
import pytest
from PIL import Image

from app.portal.public import examples
from app.portal.public.examples import EXAMPLES, SEED, STATIC, Example
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.enhancements import Enhancement
from tests.scenes import Picture

ALIKE, APART = 2.5, 20.0
"""Levels of 255, on average: JPEG files as light as these differ by 1 or 2 from what was written into them.
APART holds for the hundredth of the picture that changed most, since a bag is only a part of it.
"""
MOST_BYTES, MOST_TOGETHER = 150_000, 3_000_000


def opened(file: str) -> Picture:
    return np.asarray(Image.open(STATIC / file).convert("RGB"))


def difference(one: Picture, other: Picture) -> float:
    return float(np.abs(one.astype(int) - other).mean())


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_the_engine_makes_the_same_of_the_scene_now(example: Example) -> None:
    photo = (STATIC / example.before).read_bytes()
    done = PictureEngine().enhance(
        io.BytesIO(photo),
        example.request,
        context=EngineContext(order_seed=SEED),
    )
    assert done.picture is not None
    made = np.asarray(Image.open(io.BytesIO(done.picture.content)).convert("RGB"))
    assert difference(opened(example.after), made) < ALIKE
    changes = np.abs(opened(example.before).astype(int) - made).mean(axis=2)
    assert np.percentile(changes, 99) > APART, "nobody would see what was done"
    told = examples.read_reports()[example.name]
    assert told.steps == done.report.steps
    for shown, measured in zip(told.figures, done.report.figures, strict=True):
        assert (shown.code, shown.minimum, shown.maximum) == (measured.code, measured.minimum, measured.maximum)
        assert shown.value == pytest.approx(measured.value, rel=0.02, abs=0.005)


def test_every_enhancement_is_shown_by_itself() -> None:
    for each in Enhancement:
        assert examples.example_of(each).enhancements == [each]


def test_nothing_was_declined_and_everything_passed() -> None:
    for report in examples.read_reports().values():
        assert report.passed
        assert report.declined == ()


def test_the_files_are_light_and_of_the_size_the_page_says() -> None:
    files = sorted((STATIC / examples.FOLDER).glob("*.jpg"))
    wanted = {STATIC / file for each in EXAMPLES for file in (each.before, each.after)}
    wanted |= {STATIC / examples.name_narrow_file(str(file.relative_to(STATIC))) for file in wanted}
    assert {*files} == wanted
    for file in files:
        width = examples.NARROW if str(examples.NARROW) in file.name else examples.WIDTH
        assert Image.open(file).size == (width, width * examples.HEIGHT // examples.WIDTH)
        assert file.stat().st_size <= MOST_BYTES
    assert sum(file.stat().st_size for file in files) <= MOST_TOGETHER
