"""What is unsure stays as it is: doubtful panes, floor before kitchens, what is before patterns, torn walls."""

import numpy as np
import pytest

from engine.arrays import Plane
from engine.canvas import Declined
from engine.effects.grass_enhancement import _measure_turf_likeness
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.things import FURNITURE, check_backgrounds, find_things
from engine.materials.regions import check_certainty
from engine.rendering.layout.ground import Ground
from engine.segmentation.labels import Kind
from engine.segmentation.window_boxes import propose_boxes
from engine.segmentation.window_mask import GlassMaps, add_agreed_panes
from engine.sky.reflections import compute_mirrored_change
from engine.types.enhancements import ChangeType
from engine.types.report import Reason
from tests.engine.box_rooms import BoxRoom

WIDE, TALL = 200, 150


def shares(labels: np.ndarray) -> Plane:
    return np.eye(len(Surface), dtype=np.float32)[labels]


def room_with(thing: Surface) -> np.ndarray:
    labels = np.full((TALL, WIDE), PLACE[Surface.WALL])
    labels[90:] = PLACE[Surface.FLOOR]
    labels[115:128, 80:110] = PLACE[thing]
    return labels


def plain(labels: np.ndarray) -> Plane:
    picture = np.full((TALL, WIDE, 3), 0.8, np.float32)
    picture[labels == PLACE[Surface.FLOOR]] = 0.5
    return picture


def test_a_thing_on_a_plain_floor_may_go() -> None:
    labels = room_with(Surface.CLUTTER)
    assert find_things(shares(labels), FURNITURE).any()
    check_backgrounds(plain(labels), shares(labels))


def test_a_thing_before_a_pattern_stays() -> None:
    labels = room_with(Surface.CLUTTER)
    picture = plain(labels)
    picture[:, ::6] *= 0.6
    picture[:, 1::6] *= 0.6
    with pytest.raises(Declined) as declined:
        check_backgrounds(picture, shares(labels))
    assert declined.value.reason is Reason.TOO_MUCH_HIDDEN


def test_a_thing_on_a_counter_stays() -> None:
    labels = room_with(Surface.CLUTTER)
    labels[90:][labels[90:] == PLACE[Surface.FLOOR]] = PLACE[Surface.COUNTERTOP]
    with pytest.raises(Declined):
        check_backgrounds(plain(labels), shares(labels))


def test_furniture_that_fills_a_good_part_of_the_photo_stays() -> None:
    labels = room_with(Surface.FURNITURE)
    labels[80:140, 40:160] = PLACE[Surface.FURNITURE]
    with pytest.raises(Declined):
        check_backgrounds(plain(labels), shares(labels))


def test_a_wall_that_is_torn_from_what_is_beside_it_is_not_painted() -> None:
    surfaces = shares(room_with(Surface.CLUTTER))
    check_certainty(ChangeType.WALLS, surfaces)
    surfaces[:, 150:] = 0
    surfaces[:, 150:, PLACE[Surface.WALL]] = surfaces[:, 150:, PLACE[Surface.CEILING]] = 0.5
    with pytest.raises(Declined) as declined:
        check_certainty(ChangeType.WALLS, surfaces)
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_a_backsplash_needs_a_countertop_that_is_surely_told() -> None:
    labels = room_with(Surface.CLUTTER)
    labels[60:70, 40:160] = PLACE[Surface.COUNTERTOP]
    surfaces = shares(labels)
    check_certainty(ChangeType.BACKSPLASH, surfaces)
    surfaces[60:70, 90:160] *= 0.5
    surfaces[60:70, 90:160, PLACE[Surface.CABINET]] = 0.5
    check_certainty(ChangeType.WALLS, surfaces)
    with pytest.raises(Declined, match="countertop") as declined:
        check_certainty(ChangeType.BACKSPLASH, surfaces)
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_glass_that_both_looks_are_sure_of_is_lit_where_a_box_fits_it_in_a_house() -> None:
    small = np.full((200, 300, 3), 0.7, np.float32)
    found, panes, glass, house = (np.zeros((200, 300), np.float32) for _ in range(4))
    house[:, :200] = 1
    sure, unsure, away = (np.s_[90:120, left : left + 24] for left in (50, 90, 240))
    for place in (sure, away):
        small[place], panes[place], glass[place] = 0.2, 0.9, 0.9
    small[unsure], panes[unsure], glass[unsure] = 0.2, 0.58, 0.58
    boxes, looks = propose_boxes(small, glass), GlassMaps(panes, glass, house)
    seen = add_agreed_panes(found, small, boxes, looks)
    assert seen[sure].mean() > 0.9
    assert not seen[unsure].any()
    assert not seen[away].any()
    assert seen[:85].max() == 0
    taken = add_agreed_panes(seen * 0.5, small, boxes, looks)
    assert np.array_equal(taken, seen * 0.5)


def test_the_floor_before_a_kitchen_stays_free_and_rugs_may_lie_there() -> None:
    box = BoxRoom(things=())
    _, labels = box.drawn(furnished=False)
    used = np.zeros(labels.shape, np.float32)
    used[np.isin(labels, [PLACE[Surface.WALL]])] = 1
    near, far = np.array([[0.0, box.far - 0.4]]), np.array([[0.0, box.far - 1.8]])
    bare, kitchen = Ground(box.room, shares(labels)), Ground(box.room, shares(labels), used)
    assert bare.find_free(near)[0].all() and bare.find_free(far)[0].all()
    assert not kitchen.find_free(near)[0].any()
    assert kitchen.find_free(far)[0].all()
    assert kitchen.find_free(near, flat=True)[0].all()


def test_what_is_grayer_than_the_turf_around_gets_none_of_its_green() -> None:
    luma, turf = np.full((40, 40), 120, np.float32), np.full((40, 40), -0.2, np.float32)
    blue = 128 + luma * turf
    blue[:, 20:] = 128 - 4
    share = _measure_turf_likeness(luma, blue, turf, 1.0)
    assert share[:, :15].min() == 1
    assert share[:, 25:].max() == 0


class Mirror:
    """A scene that is water or glass below the sky, as light as it is told."""

    def __init__(self, made_of: Kind, light: float) -> None:
        self.made_of = made_of
        self.sky = np.zeros((60, 80), np.float32)
        self.sky[:25] = 1
        self.small = np.full((60, 80, 3), light, np.float32)

    def share(self, kind: Kind) -> Plane:
        share = np.zeros_like(self.sky)
        share[30:] = kind is self.made_of
        return share


@pytest.mark.parametrize("made_of", [Kind.WATER, Kind.GLASS])
@pytest.mark.parametrize(("light", "mirrors"), [(0.4, True), (0.9, False)])
def test_what_outshines_the_sky_mirrors_none_of_it(made_of: Kind, light: float, mirrors: bool) -> None:
    old, new = np.full((60, 80, 3), 110, np.float32), np.full((60, 80, 3), 200, np.float32)
    assert (compute_mirrored_change(Mirror(made_of, light), 0.42, old, new) is not None) is mirrors  # type: ignore[arg-type]
