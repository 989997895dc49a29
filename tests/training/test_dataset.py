"""Samples: what is changed by chance keeps picture and labels together; what is held out is never learnt from."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

if importlib.util.find_spec("skimage") is None:
    pytest.skip("needs the dependency group training", allow_module_level=True)

from engine.segmentation.labels import FACTS, NUMBER, Label
from training.dataset import (
    SCALE,
    SIZES,
    Pools,
    batches,
    dried,
    how_often,
    moved,
    on_other_ground,
    under_other_sky,
    with_things,
)
from training.outlines import IGNORED
from training.sources import GROUPS, UNKNOWN, Source, fact_numbers, held_out

SKY, LAWN, PAVING, FACADE = (NUMBER[label] for label in (Label.SKY, Label.LAWN, Label.PAVING, Label.FACADE))
COLORS = {SKY: (120, 170, 230), FACADE: (200, 190, 180), PAVING: (128, 128, 128)}
OUTSIDE = {"place": "outdoors", "time": "day", "sky": "clear", "furnished": "furnished", "room": "outside"}


@pytest.fixture
def front() -> Source:
    """A house before a sky, on paving."""
    labels = np.full((300, 400), FACADE, np.uint8)
    labels[:100], labels[220:] = SKY, PAVING
    table = np.zeros((256, 3), np.uint8)
    for number, color in COLORS.items():
        table[number] = color
    return Source("front", table[labels], labels, OUTSIDE)


def test_a_moved_picture_carries_its_labels_along(front: Source) -> None:
    for seed in range(8):
        seen = moved(front, SIZES[0], np.random.default_rng(seed))
        assert seen.picture.shape == (*SIZES[0], 3)
        for number, color in COLORS.items():
            inside = seen.picture[seen.labels == number]
            assert len(inside) == 0 or (np.abs(inside.astype(int) - color).max(1) < 8).mean() > 0.97


def test_what_lies_past_the_border_is_judged_by_nobody(front: Source) -> None:
    seen = [moved(front, SIZES[2], np.random.default_rng(seed)) for seed in range(12)]
    assert any((each.labels == IGNORED).any() for each in seen)


def test_a_lawn_that_dried_is_brown_and_stays_a_lawn_and_nothing_else_changes(front: Source) -> None:
    lawn = front.labels == PAVING
    picture, labels = front.picture.copy(), np.where(lawn, LAWN, front.labels).astype(np.uint8)
    picture[lawn] = (70, 130, 50)
    soil = np.full((64, 64, 3), (120, 100, 80), np.uint8)
    for seed in range(8):
        seen = dried(Source("front", picture, labels, OUTSIDE), [soil], np.random.default_rng(seed))
        assert (seen.labels == labels).all()
        assert (seen.picture[:215] == picture[:215]).all()
        red, green = seen.picture[lawn].mean(0)[:2]
        assert red - green > -45, "greener before: 60"
    assert dried(front, [soil], np.random.default_rng(1)) is front, "no lawn, nothing to dry"


def test_paving_sown_with_grass_is_lawn_and_nothing_else_changes(front: Source) -> None:
    grass = np.full((64, 64, 3), (60, 140, 40), np.uint8)
    sown = on_other_ground(front, {"lawn": [grass]}, np.random.default_rng(1))
    assert (sown.labels[230:] == LAWN).all()
    assert (sown.labels[:220] == front.labels[:220]).all()
    lower = sown.picture[250:].reshape(-1, 3).mean(0)
    assert lower[1] > lower[0]
    assert lower[1] > lower[2]
    assert (sown.picture[:200] == front.picture[:200]).all()


def test_a_room_without_ground_keeps_its_floor(front: Source) -> None:
    room = replace(front, labels=np.full_like(front.labels, NUMBER[Label.FLOOR]))
    assert on_other_ground(room, {"lawn": [front.picture[:64, :64]]}, np.random.default_rng(1)) is room


def test_another_sky_shows_where_the_sky_was_and_the_house_stays(front: Source) -> None:
    gray = np.full((40, 60, 3), 90, np.uint8)
    other = under_other_sky(front, [gray], np.random.default_rng(1))
    assert (other.picture[:90] == 90).all()
    assert (other.picture[110:] == front.picture[110:]).all()
    assert (other.labels == front.labels).all()


def test_a_pasted_thing_brings_its_label(front: Source) -> None:
    labels = front.labels.copy()
    labels[200:260, 150:250] = NUMBER[Label.CAR]
    picture = front.picture.copy()
    picture[200:260, 150:250] = (200, 0, 0)
    mixed = with_things(front, replace(front, picture=picture, labels=labels), np.random.default_rng(4))
    car = mixed.labels == NUMBER[Label.CAR]
    assert car.sum() > 400
    assert np.abs(mixed.picture[car].mean(0) - (200, 0, 0)).max() < 25


def test_batches_are_of_one_size_and_say_what_is_known_of_each_picture(front: Source) -> None:
    pools = Pools(([front], []), (0.5, 0.5), [np.full((40, 60, 3), 90, np.uint8)], {})
    pictures, labels, facts = next(batches(pools, 3, np.random.default_rng(0)))
    assert pictures.shape[0] == labels.shape[0] == 3
    assert pictures.shape[1:3] in SIZES
    assert labels.shape[1:] == (pictures.shape[1] // SCALE, pictures.shape[2] // SCALE)
    assert (facts[:, list(FACTS).index("place")] == 1).all()


def test_a_source_that_shows_what_few_do_is_taken_more_often(front: Source) -> None:
    labels = front.labels.copy()
    labels[220:] = NUMBER[Label.WATER]
    often = how_often([front] * 9 + [replace(front, labels=labels)])
    assert often.sum() == pytest.approx(1)
    assert often[9] > 2 * often[0]


def test_a_fact_that_nobody_told_is_unknown() -> None:
    assert fact_numbers({"place": "indoors"}).tolist() == [0] + [UNKNOWN] * (len(FACTS) - 1)


def test_what_is_held_out_hangs_on_the_photos_name_alone() -> None:
    names = [f"photos/interior/oi_{number}.jpg" for number in range(600)]
    held = [held_out(name) for name in names]
    assert held == [held_out(name) for name in names]
    assert 60 <= sum(held) <= 140


def test_groups_hold_labels_that_exist_under_numbers_no_label_has() -> None:
    assert all(number >= len(Label) and number != IGNORED for number in GROUPS)
    assert all(among <= set(Label) and among for among in GROUPS.values())
