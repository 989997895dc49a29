"""Decluttering takes away what it can continue cleanly, thing by thing, and leaves the rest as it was."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.canvas import Canvas, Declined, EffectResult
from engine.color.profiles import ColorProfile
from engine.effect import Step
from engine.effects import declutter, furniture_removal
from engine.geometry.surface import PLACE, Surface
from engine.inpainting import decluttering, patch_match
from engine.inpainting.patch_match import fill_hole
from engine.io.photo import DecodedPhoto, decode
from engine.pipeline import apply_effects
from engine.segmentation.room_surfaces import segment_room
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hint_document import read_hints
from engine.types.hints import Polygon, SceneHints, ThingHint, ThingKind
from engine.types.report import Reason

ROOT = Path(__file__).parents[2]
Picture = NDArray[np.uint8]
HEIGHT, WIDTH = 240, 360
CUPS = [(60, 60), (60, 130), (60, 200), (60, 270)]
"""Rows and columns of cups on a wall; the last one hangs before a poster."""
CUP = 20
RED = (200, 40, 30)


def wall() -> Picture:
    """A plain wall, lit from the left, with grain, over a floor."""
    rng = np.random.default_rng(3)
    picture = np.tile(np.linspace(200, 170, WIDTH)[None, :, None], (HEIGHT, 1, 3))
    picture[180:] -= 60
    return np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)


def poster(picture: Picture) -> Picture:
    """The wall with a poster of shapes that are all different behind the last cup."""
    result, rng = picture.copy(), np.random.default_rng(5)
    for _ in range(60):
        row, column = rng.integers(30, 120), rng.integers(240, 330)
        color = tuple(int(each) for each in rng.integers(0, 255, 3))
        cv2.circle(result, (int(column), int(row)), int(rng.integers(4, 12)), color, -1)
    return result


def with_cups(picture: Picture, places: list[tuple[int, int]]) -> Picture:
    result = picture.copy()
    for row, column in places:
        result[row : row + CUP, column : column + CUP] = RED
    return result


def outline(place: tuple[int, int]) -> Polygon:
    top, left = place[0] - 2, place[1] - 2
    bottom, right = top + CUP + 4, left + CUP + 4
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple((x / WIDTH, y / HEIGHT) for x, y in corners)


def surfaces(thing: float = 0.0, places: list[tuple[int, int]] = CUPS) -> NDArray[np.float32]:
    """Wall and floor, with cups as clutter to this share."""
    shares = np.zeros((HEIGHT, WIDTH, len(Surface)), np.float32)
    shares[:180, :, PLACE[Surface.WALL]] = shares[180:, :, PLACE[Surface.FLOOR]] = 1
    for row, column in places:
        shares[row : row + CUP, column : column + CUP, PLACE[Surface.WALL]] = 1 - thing
        shares[row : row + CUP, column : column + CUP, PLACE[Surface.CLUTTER]] = thing
    return shares


def decluttered(picture: Picture, *polygons: Polygon, shares: NDArray[np.float32] | None = None) -> EffectResult:
    hints = SceneHints(things=tuple(ThingHint(ThingKind.CLUTTER, each) for each in polygons))
    request = EditRequest(enhancements=(), hints=hints if polygons else None)
    canvas = Canvas(picture, Scene(picture, ColorProfile(), "a room"), request)
    return decluttering.remove_clutter(canvas, surfaces() if shares is None else shares)


@pytest.fixture(autouse=True)
def net_that_sees_no_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decluttering, "segment_room", lambda _: surfaces())


def difference(one: Picture, other: Picture, place: tuple[int, int]) -> float:
    row, column = place
    where = np.s_[row : row + CUP, column : column + CUP]
    return float(np.abs(one[where].astype(int) - other[where]).mean())


def test_things_before_a_plain_wall_go_and_one_before_a_poster_stays() -> None:
    empty = poster(wall())
    photo = with_cups(empty, CUPS)
    done = decluttered(photo, *(outline(each) for each in CUPS))
    assert max(difference(done.pixels, empty, each) for each in CUPS[:3]) < 4
    assert difference(done.pixels, photo, CUPS[3]) == 0
    assert done.note.startswith("3 of 4 things were taken away")
    assert done.matte is not None
    assert np.array_equal(done.pixels[done.matte == 0], photo[done.matte == 0])


def test_a_photo_of_which_most_things_would_stay_is_declined() -> None:
    photo = with_cups(poster(wall()), CUPS[2:])
    places = [CUPS[2], CUPS[3], (90, 280)]
    with pytest.raises(Declined) as declined:
        decluttered(with_cups(photo, places), *(outline(each) for each in places))
    assert declined.value.reason is Reason.TOO_MUCH_HIDDEN


def test_a_thing_that_the_net_still_sees_once_it_is_filled_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = with_cups(wall(), CUPS)
    monkeypatch.setattr(decluttering, "segment_room", lambda _: surfaces(0.9, CUPS[:1]))
    done = decluttered(photo, *(outline(each) for each in CUPS))
    assert difference(done.pixels, photo, CUPS[0]) == 0
    assert difference(done.pixels, wall(), CUPS[1]) < 4


def test_things_that_touch_go_together_or_stay_together() -> None:
    empty = poster(wall())
    beside = [(60, 246), (60, 266)]
    photo = with_cups(empty, [*CUPS[:2], *beside])
    done = decluttered(photo, *(outline(each) for each in (*CUPS[:2], *beside)))
    assert all(difference(done.pixels, photo, each) == 0 for each in beside)
    assert difference(done.pixels, empty, CUPS[0]) < 4


def test_without_hints_things_that_the_net_is_sure_of_go_and_others_stay() -> None:
    photo = with_cups(wall(), CUPS)
    shares = surfaces(0.9, CUPS[:3])
    shares[60 : 60 + CUP, 270 : 270 + CUP] = surfaces(0.55)[60 : 60 + CUP, 270 : 270 + CUP]
    done = decluttered(photo, shares=shares)
    assert difference(done.pixels, wall(), CUPS[0]) < 4
    assert difference(done.pixels, photo, CUPS[3]) == 0


def test_a_photo_without_loose_things_is_declined() -> None:
    with pytest.raises(Declined) as declined:
        decluttered(wall())
    assert declined.value.reason is Reason.NOTHING_TO_REMOVE


def test_the_same_photo_gives_the_same_bytes() -> None:
    photo = with_cups(wall(), CUPS)
    one, other = (decluttered(photo, *(outline(each) for each in CUPS)) for _ in range(2))
    assert np.array_equal(one.pixels, other.pixels)


def test_nothing_of_another_thing_is_copied_into_a_hole() -> None:
    photo, hole, other = wall(), np.zeros((HEIGHT, WIDTH), bool), np.zeros((HEIGHT, WIDTH), bool)
    hole[60:90, 120:160] = True
    other[40:110, 60:140] = True
    other &= ~hole
    photo[other] = RED
    filling = fill_hole(photo, hole, other)
    assert np.array_equal(filling.pixels[~hole], photo[~hole])
    assert np.abs(filling.pixels[hole].astype(int) - RED).sum(1).min() > 100
    assert filling.disagreement[~hole].max() == 0


def test_fillings_disagree_before_unlike_shapes_and_agree_before_a_plain_wall() -> None:
    hole = np.zeros((HEIGHT, WIDTH), bool)
    hole[58 : 62 + CUP, 268 : 272 + CUP] = True
    plain, shapes = (fill_hole(each, hole, ~hole & False) for each in (wall(), poster(wall())))
    assert np.quantile(plain.disagreement[hole], 0.95) < 1
    assert np.quantile(shapes.disagreement[hole], 0.95) > 3


def test_a_filling_from_next_to_nothing_is_not_trusted() -> None:
    hole, others = np.zeros((HEIGHT, WIDTH), bool), np.ones((HEIGHT, WIDTH), bool)
    hole[60:90, 120:160] = True
    # A rim of 4 pixels around the hole is seen.
    others[56:94, 116:164] = False
    assert np.isinf(fill_hole(wall(), hole, others).disagreement[hole]).all()


@pytest.mark.parametrize("step", [declutter.remove_clutter_on_worker, furniture_removal.remove_furniture])
def test_a_removal_without_its_package_is_declined(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch_match, "find_spec", lambda _: None)
    canvas = Canvas(wall(), Scene(wall(), ColorProfile(), "a room"), EditRequest(enhancements=()))
    with pytest.raises(Declined, match="pypatchmatch") as declined:
        step(canvas)
    assert declined.value.reason is Reason.NOT_AVAILABLE


def rendered(name: str) -> DecodedPhoto:
    with (ROOT / "static" / "img" / "landing" / f"{name}-600.jpg").open("rb") as stream:
        return decode(stream)


def test_skirting_goes_on_behind_hinted_things_before_the_edge_of_a_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decluttering, "segment_room", segment_room)
    document = json.loads((ROOT / "bench" / "hints" / "own_things.json").read_bytes())
    request = EditRequest((Enhancement.DECLUTTER,), hints=read_hints(document["hints"]))
    done, empty = apply_effects(rendered("bags"), request).pixels, rendered("empty").pixels
    assert done is not None
    # The foot of the wall behind the bags: a row of each column is skirting, lighter than wall and floor.
    foot = np.s_[250:300, 365:430]
    apart = np.abs(
        cv2.GaussianBlur(done, (0, 0), 1.5)[foot].astype(int) - cv2.GaussianBlur(empty, (0, 0), 1.5)[foot]
    )
    assert apart.mean() < 5
    assert np.quantile(apart, 0.95) < 16
