"""What is put on a photo for training: lamps on walls, fog, white paint."""

from pathlib import Path

import numpy as np

from app.engine.scene.kinds import Kind
from training.augment import Source, fogged, whitewashed
from training.lamps import lamps, with_lamps

SHAPE = (96, 144)


def wall_and_sky() -> Source:
    """Sky above, a wall below it, lawn at the foot."""
    labels = np.full(SHAPE, int(Kind.BUILDING), np.uint8)
    labels[:30], labels[80:] = int(Kind.SKY), int(Kind.LAWN)
    sky = np.where(labels == int(Kind.SKY), 255, 0).astype(np.uint8)
    return Source(np.full((*SHAPE, 3), 130, np.uint8), labels, sky, None, False)


def a_lamp(folder: Path) -> list[Source]:
    """One rendered lamp with empty space around it, as the renderer writes it, and a house that is none."""
    picture, sky = np.full((64, 64, 3), 240, np.uint8), np.full((64, 64), 255, np.uint8)
    sky[20:50, 25:40] = 0
    labels = np.where(sky == 0, int(Kind.LAMP), int(Kind.SKY)).astype(np.uint8)
    for name in ("lamp_1_00000", "house_1_00000"):
        np.savez_compressed(folder / f"{name}.npz", picture=picture, labels=labels, sky=sky)
    return lamps(folder)


def test_a_rendered_lamp_is_cut_to_its_own_box(tmp_path: Path) -> None:
    found = a_lamp(tmp_path)
    assert [each.labels.shape for each in found] == [(30, 15)]
    assert (found[0].labels == int(Kind.LAMP)).all()


def test_lamps_hang_on_walls_and_look_and_label_agree(tmp_path: Path) -> None:
    known, source = a_lamp(tmp_path), wall_and_sky()
    lit = 0
    for seed in range(40):
        hung = with_lamps(source, known, np.random.default_rng(seed))
        changed = (hung.picture != source.picture).any(-1)
        lamp = hung.labels == int(Kind.LAMP)
        lit += lamp.any()
        assert (hung.picture[lamp] > 180).all()
        assert changed[lamp].all()
        assert (hung.labels[~changed] == source.labels[~changed]).all()
    assert lit > 20


def test_other_things_on_a_wall_are_no_lamps(tmp_path: Path) -> None:
    known = a_lamp(tmp_path)
    plain = 0
    for seed in range(40):
        hung = with_lamps(wall_and_sky(), known, np.random.default_rng(seed))
        other = (hung.picture != 130).any(-1) & (hung.labels != int(Kind.LAMP))
        plain += other.any()
    assert plain > 5


def test_a_picture_without_a_house_stays_as_it_is(tmp_path: Path) -> None:
    source = wall_and_sky()
    lawn = Source(source.picture, np.full(SHAPE, int(Kind.LAWN), np.uint8), source.sky, None, False)
    assert with_lamps(lawn, a_lamp(tmp_path), np.random.default_rng(1)) is lawn


def test_fog_takes_what_is_far_before_what_is_near_and_all_of_the_sky() -> None:
    chance = np.random.default_rng(3)
    scene = wall_and_sky()
    scene.picture[::2, ::2] = 20
    thick = fogged(scene, chance).picture.astype(int)
    near, far = (np.ptp(thick[rows]) for rows in (slice(84, 96), slice(32, 44)))
    assert np.ptp(thick[:28]) < far < near


def test_whitewash_makes_houses_light_keeps_their_shade_and_leaves_the_rest() -> None:
    source = wall_and_sky()
    source.picture[:, :72], source.picture[:, 72:] = (90, 60, 50), (60, 40, 33)
    painted = whitewashed(source, np.random.default_rng(2)).picture.astype(int)
    wall = painted[40:70]
    assert wall[:, :70].min() > 180
    assert wall[:, 74:].mean() < wall[:, :70].mean() - 5
    assert np.ptp(wall.mean((0, 1))) < 15
    assert (painted[:28] == source.picture[:28]).all()
    assert (painted[82:] == source.picture[82:]).all()
