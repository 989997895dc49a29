"""What the net learns from: samples keep their labels right through every change, and chance is repeatable."""

from pathlib import Path

import numpy as np
import pytest

from app.engine.scene.kinds import INDOOR_KINDS, Kind
from training.augment import OUTSIDE, ROOM, Source, before, patched, photographed, repainted, seen, under, with_view
from training.dataset import SIZES, Pools, batches, quartered, rendered, sample
from training.drawn import SIZE, drawn_scene
from training.skies import computed_sky, drawn_sky

SIDE = 96


def chance(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def beside(left: Kind, right: Kind) -> Source:
    """A picture of two tones side by side: the left one bright."""
    labels = np.full((SIDE, SIDE), int(right), np.uint8)
    labels[:, : SIDE // 2] = int(left)
    picture = np.where(labels[..., None] == int(left), 200, 50).astype(np.uint8).repeat(3, -1)
    return Source(picture, labels, np.zeros_like(labels), None, False)


def split(upper: Kind, lower: Kind, colours: tuple[int, int], sky: int = 0, indoors: bool = False) -> Source:
    """A picture of two tones, one kind above the other."""
    labels = np.full((SIDE, SIDE), int(lower), np.uint8)
    labels[: SIDE // 2] = int(upper)
    picture = np.where(labels[..., None] == int(upper), colours[0], colours[1]).astype(np.uint8).repeat(3, -1)
    cover = np.where(labels == int(Kind.SKY), sky, 0).astype(np.uint8)
    return Source(picture, labels, cover, None, indoors)


def outside() -> Source:
    return split(Kind.SKY, Kind.BUILDING, (0, 90), sky=255)


def room() -> Source:
    return split(Kind.WINDOW, Kind.WALL, (250, 120), indoors=True)


def pools() -> Pools:
    skies = [drawn_sky(48, 72, chance(each)) for each in range(3)]
    return Pools([outside()], [room()], [outside()], [room()], [outside()], [], skies)


def test_labels_move_with_the_picture() -> None:
    for seed in range(12):
        for source in (split(Kind.TREES, Kind.LAWN, (200, 50)), beside(Kind.TREES, Kind.LAWN)):
            moved = seen(source, (64, 96), chance(seed))
            assert moved.labels.shape == (64, 96)
            bright = moved.picture[..., 0] > 125
            assert ((moved.labels == int(Kind.TREES)) == bright).mean() > 0.97


def test_another_sky_reaches_only_where_the_sky_was() -> None:
    sky = np.full((SIDE, SIDE, 3), (10, 20, 230), np.uint8)
    changed = under(outside(), sky)
    assert (changed.picture[: SIDE // 2] == (10, 20, 230)).all()
    assert (changed.picture[SIDE // 2 :] == 90).all()


def test_a_half_covered_pixel_of_a_photo_exchanges_the_light_of_the_skies() -> None:
    photo = outside()
    photo.sky[SIDE // 2] = 128
    photo.picture[SIDE // 2] = 150
    old = np.full((SIDE, SIDE, 3), 210, np.uint8)
    photo = Source(photo.picture, photo.labels, photo.sky, old, False)
    changed = under(photo, np.full((SIDE, SIDE, 3), 110, np.uint8))
    assert changed.picture[SIDE // 2].mean() == pytest.approx(100, abs=2)


def test_what_stands_behind_shows_where_the_sky_was() -> None:
    back = split(Kind.SKY, Kind.TREES, (200, 40), sky=255)
    back.labels[: SIDE // 4 * 3] = int(Kind.SKY)
    back.labels[10:20] = int(Kind.TREES)
    both = before(outside(), back)
    assert (both.labels[10:20] == int(Kind.TREES)).all()
    assert (both.labels[SIDE // 2 :] == int(Kind.BUILDING)).all()


def test_a_view_fills_the_windows_and_stays_a_window() -> None:
    changed = with_view(room(), np.full((SIDE, SIDE, 3), (0, 0, 255), np.uint8))
    assert (changed.picture[: SIDE // 2 - 3] == (0, 0, 255)).all()
    assert (changed.labels == room().labels).all()
    assert (changed.picture[SIDE // 2 + 3 :] == 120).all()


def test_paint_changes_one_kind_alone() -> None:
    changed = repainted(room(), Kind.WALL, chance(2))
    assert (changed.picture[: SIDE // 2 - 4] == 250).all()
    assert (changed.picture[SIDE // 2 + 4 :] != 120).any()


def test_a_patch_brings_its_labels_along() -> None:
    other = split(Kind.CEILING, Kind.FLOOR, (30, 30), indoors=True)
    both = patched(room(), other, chance(4))
    taken = both.picture[..., 0] == 30
    assert taken.any()
    assert np.isin(both.labels[taken], (int(Kind.CEILING), int(Kind.FLOOR))).all()
    assert not np.isin(both.labels[~taken], (int(Kind.CEILING), int(Kind.FLOOR))).any()


def test_drawn_scenes_know_all_their_pixels() -> None:
    kinds: set[int] = set()
    for seed in range(14):
        picture, labels, sky = drawn_scene(chance(seed))
        assert picture.shape == (*SIZE, 3)
        assert labels.max() < len(Kind)
        assert (sky[labels != int(Kind.SKY)] < 130).all()
        assert (sky[labels == int(Kind.SKY)] > 120).all()
        assert not (np.isin(labels, INDOOR_KINDS).any() and (labels == int(Kind.SKY)).any())
        kinds |= set(np.unique(labels).tolist())
    assert len(kinds) >= len(Kind) - 1


def test_a_view_of_a_panorama_keeps_its_own_sky_and_says_whether_it_is_a_room(tmp_path: Path) -> None:
    picture, sky = np.full((SIDE, SIDE, 3), 80, np.uint8), np.zeros((SIDE, SIDE), np.uint8)
    for name, label in (("hall", ROOM), ("square", OUTSIDE), ("render", int(Kind.LAWN))):
        np.savez(tmp_path / f"{name}.npz", picture=picture, labels=np.full((SIDE, SIDE), label, np.uint8), sky=sky)
    hall, render, square = rendered(tmp_path)
    assert (hall.indoors, render.indoors, square.indoors) == (True, False, False)
    assert render.behind is None
    assert (square.behind == picture).all()


def test_the_same_seed_gives_the_same_samples_and_another_does_not() -> None:
    first, again, other = (sample(pools(), (64, 96), chance(seed)) for seed in (5, 5, 6))
    assert np.array_equal(first.picture, again.picture)
    assert np.array_equal(first.labels, again.labels)
    assert not np.array_equal(first.picture, other.picture)


def test_a_batch_holds_pictures_of_one_size_and_labels_of_a_quarter() -> None:
    pictures, labels, indoors = next(batches(pools(), 6, chance(3)))
    assert pictures.shape[1:3] in SIZES
    assert labels.shape == (6, pictures.shape[1] // 4, pictures.shape[2] // 4)
    assert set(indoors.tolist()) <= {0, 1}
    rows = np.arange(16)[:, None].repeat(16, 1).astype(np.uint8)
    assert quartered(rows)[:, 0].tolist() == [2, 6, 10, 14]


def test_another_camera_keeps_bytes_and_size() -> None:
    picture = drawn_sky(40, 60, chance(8))
    for seed in range(20):
        taken = photographed(picture, chance(seed))
        assert taken.dtype == np.uint8
        assert taken.shape == picture.shape


def test_computed_skies_are_of_many_weathers_and_the_same_for_a_seed() -> None:
    skies = [computed_sky(32, 48, chance(seed)) for seed in range(4)]
    assert all(sky.shape == (32, 48, 3) and sky.dtype == np.uint8 for sky in skies)
    assert len({round(float(sky.mean())) for sky in skies}) > 2
    assert (skies[1] == computed_sky(32, 48, chance(1))).all()
