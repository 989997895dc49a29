"""What is unsure stays as it is: doubtful panes, floor before kitchens, what is before patterns, torn walls."""

import numpy as np
import pytest

from app.domain.catalogue import ChangeType
from app.domain.quality import Reason
from app.engine.arrays import Plane
from app.engine.outside.grass import _like_turf
from app.engine.outside.reflections import mirrored_change
from app.engine.removal.plain_places import check_places
from app.engine.removal.removing import CLUTTER, FURNITURE
from app.engine.removal.things import things_in
from app.engine.renovation.regions import check_told
from app.engine.room.surface import PLACE, Surface
from app.engine.scene.kinds import Kind
from app.engine.scene.window_mask import surely_panes, whole_windows, with_seen_panes
from app.engine.staging.ground import Ground
from app.engine.step import Declined
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


@pytest.mark.parametrize("which", [CLUTTER, FURNITURE])
def test_a_thing_on_a_plain_floor_may_go(which: frozenset[Surface]) -> None:
    labels = room_with(Surface.CLUTTER)
    assert things_in(shares(labels), which).any()
    check_places(plain(labels), shares(labels), which)


def test_a_thing_before_a_pattern_stays() -> None:
    labels = room_with(Surface.CLUTTER)
    picture = plain(labels)
    picture[:, ::6] *= 0.6
    picture[:, 1::6] *= 0.6
    with pytest.raises(Declined) as declined:
        check_places(picture, shares(labels), CLUTTER)
    assert declined.value.reason is Reason.TOO_MUCH_HIDDEN


def test_a_thing_on_a_counter_stays() -> None:
    labels = room_with(Surface.CLUTTER)
    labels[90:][labels[90:] == PLACE[Surface.FLOOR]] = PLACE[Surface.COUNTERTOP]
    with pytest.raises(Declined):
        check_places(plain(labels), shares(labels), CLUTTER)


def test_furniture_that_fills_a_good_part_of_the_photo_stays() -> None:
    labels = room_with(Surface.FURNITURE)
    labels[80:140, 40:160] = PLACE[Surface.FURNITURE]
    with pytest.raises(Declined):
        check_places(plain(labels), shares(labels), FURNITURE)


def test_a_wall_that_is_torn_from_what_is_beside_it_is_not_painted() -> None:
    surfaces = shares(room_with(Surface.CLUTTER))
    check_told(ChangeType.WALLS, surfaces)
    surfaces[:, 150:] = 0
    surfaces[:, 150:, PLACE[Surface.WALL]] = surfaces[:, 150:, PLACE[Surface.CEILING]] = 0.5
    with pytest.raises(Declined) as declined:
        check_told(ChangeType.WALLS, surfaces)
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_a_backsplash_needs_a_countertop_that_is_surely_told() -> None:
    labels = room_with(Surface.CLUTTER)
    labels[60:70, 40:160] = PLACE[Surface.COUNTERTOP]
    surfaces = shares(labels)
    check_told(ChangeType.BACKSPLASH, surfaces)
    surfaces[60:70, 90:160] *= 0.5
    surfaces[60:70, 90:160, PLACE[Surface.CABINET]] = 0.5
    check_told(ChangeType.WALLS, surfaces)
    with pytest.raises(Declined, match="countertop") as declined:
        check_told(ChangeType.BACKSPLASH, surfaces)
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_a_pane_that_is_rather_a_door_or_hardly_one_is_not_lit() -> None:
    found, panes, others = (np.zeros((60, 90), np.float32) for _ in range(3))
    found[10:30, 5:20] = found[10:30, 35:50] = found[10:30, 65:80] = 1
    panes[:, :30], others[:, :30] = 0.6, 0.1
    panes[:, 30:60], others[:, 30:60] = 0.4, 0.5
    panes[:, 60:], others[:, 60:] = 0.1, 0.0
    lit = surely_panes(found, panes, others)
    assert lit[10:30, 5:20].all()
    assert not lit[:, 30:].any()


def test_glass_that_both_looks_are_sure_of_is_lit_without_a_box_where_it_is_whole_and_in_a_house() -> None:
    found, panes, glass, house = (np.zeros((200, 300), np.float32) for _ in range(4))
    house[:, :200] = 1
    found[100:120, 10:30] = 1
    sure, unsure, ragged, away = (np.s_[90:120, left : left + 24] for left in (50, 90, 130, 240))
    for place in (sure, ragged, away, np.s_[100:120, 10:30]):
        panes[place] = glass[place] = 0.9
    panes[unsure], glass[unsure] = 0.9, 0.2
    panes[92:118, 133:154] = glass[92:118, 133:154] = 0
    seen = with_seen_panes(found, panes, glass, house)
    assert (seen >= found).all()
    assert seen[sure].all()
    for place in (unsure, ragged, away):
        assert not seen[place].any()


def test_a_window_is_lit_as_a_whole_or_not_at_all() -> None:
    found, panes, glass = (np.zeros((100, 200), np.float32) for _ in range(3))
    sure, mostly, doubted = (np.s_[20:60, left : left + 40] for left in (10, 70, 130))
    panes[sure] = glass[sure] = 0.7
    panes[mostly] = glass[mostly] = panes[doubted] = glass[doubted] = 0.35
    found[20:60, 10:20] = found[20:60, 70:102] = found[20:60, 130:140] = 1
    lit = whole_windows(found, panes, glass)
    assert lit[sure].all() and lit[mostly].all()
    assert not lit[doubted].any()
    assert not lit[60:].any()


def test_the_floor_before_a_kitchen_stays_free_and_rugs_may_lie_there() -> None:
    box = BoxRoom(things=())
    _, labels = box.drawn(furnished=False)
    used = np.zeros(labels.shape, np.float32)
    used[np.isin(labels, [PLACE[Surface.WALL]])] = 1
    near, far = np.array([[0.0, box.far - 0.4]]), np.array([[0.0, box.far - 1.8]])
    bare, kitchen = Ground(box.room, shares(labels)), Ground(box.room, shares(labels), used)
    assert bare.free(near)[0].all() and bare.free(far)[0].all()
    assert not kitchen.free(near)[0].any()
    assert kitchen.free(far)[0].all()
    assert kitchen.free(near, flat=True)[0].all()


def test_what_is_greyer_than_the_turf_around_gets_none_of_its_green() -> None:
    luma, turf = np.full((40, 40), 120, np.float32), np.full((40, 40), -0.2, np.float32)
    blue = 128 + luma * turf
    blue[:, 20:] = 128 - 4
    share = _like_turf(luma, blue, turf, 1.0)
    assert share[:, :15].min() == 1
    assert share[:, 25:].max() == 0


class Pond:
    """A scene that is water below the sky, as light as it is told."""

    def __init__(self, light: float) -> None:
        self.sky = np.zeros((60, 80), np.float32)
        self.sky[:25] = 1
        self.small = np.full((60, 80, 3), light, np.float32)

    def share(self, kind: Kind) -> Plane:
        water = np.zeros_like(self.sky)
        water[30:] = kind is Kind.WATER
        return water


@pytest.mark.parametrize(("light", "mirrors"), [(0.3, True), (0.9, False)])
def test_what_outshines_the_sky_mirrors_none_of_it(light: float, mirrors: bool) -> None:
    old, new = np.full((60, 80, 3), 110, np.float32), np.full((60, 80, 3), 200, np.float32)
    assert (mirrored_change(Pond(light), 0.42, old, new) is not None) is mirrors  # type: ignore[arg-type]
