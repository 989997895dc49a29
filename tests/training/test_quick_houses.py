"""Houses drawn without tracing light: each pixel has a label, and the parts of a house are among them."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("skimage") is None:
    pytest.skip("needs the dependency group training", allow_module_level=True)

from engine.segmentation.labels import NUMBER, Label
from training import quick_houses
from training.outlines import IGNORED
from training.sources import GROWN_AND_LYING, NOT_SKY, fact_numbers, made_houses

SMALL = 0.4
GIVEN = quick_houses.stock(None, None, photos=False)


def chance(number: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([3, number]))


def test_the_same_seed_draws_the_same_house() -> None:
    one, other = (quick_houses.drawn_house(GIVEN, chance(1), SMALL) for _ in range(2))
    assert np.array_equal(one.picture, other.picture)
    assert np.array_equal(one.labels, other.labels)


def test_every_pixel_has_a_label_and_houses_have_their_parts() -> None:
    seen: set[int] = set()
    for number in range(6):
        house = quick_houses.drawn_house(GIVEN, chance(number), SMALL)
        assert house.picture.shape == (*house.labels.shape, 3)
        assert house.picture.dtype == house.labels.dtype == np.uint8
        assert ((house.labels < len(Label)) | (house.labels == IGNORED)).all()
        assert (house.labels == IGNORED).mean() < 0.06
        assert (house.labels == NUMBER[Label.FACADE]).mean() > 0.01
        assert (fact_numbers(house.facts) >= 0).all()
        seen |= set(np.unique(house.labels).tolist())
    wanted = (
        Label.SKY,
        Label.ROOF,
        Label.PANE,
        Label.DOOR,
        Label.GARAGE_DOOR,
        Label.SHUTTER,
        Label.LAWN,
        Label.PAVING,
    )
    assert {NUMBER[label] for label in wanted} <= seen


def test_what_is_written_is_read_as_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_houses, "stock", lambda *_: GIVEN)
    monkeypatch.setattr("sys.argv", ["quick_houses", str(tmp_path), "--scenes", "1", "--seed", "4"])
    assert quick_houses.main() == 0
    (house,) = made_houses(tmp_path)
    assert not house.indoors
    assert house.picture.shape == (*house.labels.shape, 3)
    taught = set(np.unique(house.labels).tolist())
    assert NUMBER[Label.FACADE] in taught and NOT_SKY in taught
    assert not taught & {NUMBER[label] for label in GROWN_AND_LYING}
