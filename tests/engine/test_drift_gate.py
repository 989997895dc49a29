"""The gate on real photos: edits made well pass, edits made badly do not."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.generative.drift import LIMITS, OBJECT_LIMITS, REMOVAL_LIMITS, Gate
from engine.generative.edit_comparison import compare_edit
from engine.quality.limits import Limit
from engine.types.figures import FigureCode
from engine.types.report import Reason, judge
from tests import scenes
from tests.engine import edits
from tests.engine.rooms import ROOMS

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the hand-out photos are not here")
INTERIORS = ("int01_living_hardwood", "int02_open_plan_white", "int06_utility_cabinets", "int07_bedroom")
DARK_AND_TALL = ("int13_galley_kitchen", "int14_dark_japanese")


@cache
def photo(name: str) -> scenes.Picture:
    picture = scenes.decoded((PHOTOS / f"{name}.jpg").read_bytes())
    scale = 768 / max(picture.shape)
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def fault(sent: scenes.Picture, edit: scenes.Picture, own: dict[str, Limit] | None = None) -> Reason | None:
    """The first limit that an edit breaks, the upper tenth being kept."""
    free = np.ones(sent.shape[:2], np.float32)
    free[: len(free) // 10] = 0
    return judge((), Gate(free, own or {}).measure(sent, edit, compare_edit(sent, edit, None))).reason


def whole(picture: scenes.Picture) -> edits.Free:
    return np.ones(picture.shape[:2], np.bool_)


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize(
    ("before", "after", "own"),
    [
        ("clutter_before", "clutter_after_gemini", OBJECT_LIMITS),
        ("clutter_before", "clutter_after_gemini", REMOVAL_LIMITS),
        ("clutter_after_gemini", "clutter_before", {}),
        ("empty_before", "staged_after_gemini", {}),
        ("staged_after_gemini", "empty_before", REMOVAL_LIMITS),
    ],
)
def test_what_a_model_really_made_of_a_room_passes(before: str, after: str, own: dict[str, Limit]) -> None:
    assert fault(photo(f"pairs/{before}"), photo(f"pairs/{after}"), own) is None


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize("name", INTERIORS + DARK_AND_TALL)
def test_good_edits_of_real_rooms_pass(name: str) -> None:
    picture = photo(f"interior/{name}")
    assert fault(picture, edits.furnished(picture, whole(picture))) is None
    assert (
        fault(edits.cluttered(picture), edits.tidied(edits.cluttered(picture), whole(picture)), dict(OBJECT_LIMITS))
        is None
    )
    assert fault(edits.with_sofa(picture), edits.emptied(edits.with_sofa(picture), whole(picture))) is None


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize("name", [INTERIORS[0], *DARK_AND_TALL])
@pytest.mark.parametrize(
    ("editor", "reason"),
    [
        (edits.shifted, Reason.DRIFTED),
        (edits.zoomed, Reason.DRIFTED),
        (edits.bent, Reason.DRIFTED),
        (edits.with_window, Reason.OPENING_ADDED),
    ],
)
def test_bad_edits_of_real_rooms_do_not_pass(name: str, editor: edits.Editor, reason: Reason) -> None:
    picture = photo(f"interior/{name}")
    assert fault(picture, editor(picture, whole(picture))) is reason


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize("name", ["int02_open_plan_white", "int06_utility_cabinets", "int07_bedroom"])
def test_a_door_on_a_bare_wall_does_not_pass(name: str) -> None:
    picture = photo(f"interior/{name}")
    assert fault(picture, edits.with_door(picture, whole(picture))) is Reason.OPENING_ADDED


def test_hardly_anything_of_a_room_is_found_in_another() -> None:
    one, other = ROOMS[0].drawn(), ROOMS[2].drawn()[:, ::-1]
    anything = {name: Limit(limit.fault) for name, limit in LIMITS.items() if name != FigureCode.PARTS_FOUND}
    assert fault(one, other, anything) is Reason.STRUCTURE_CHANGED
    assert fault(one, one, anything) is None


@pytest.mark.long
@needs_photos
def test_another_room_altogether_does_not_pass() -> None:
    one, other = photo("interior/int01_living_hardwood"), photo("interior/int05_dining_dark")
    edit = np.asarray(cv2.resize(other, one.shape[1::-1]), np.uint8)
    assert fault(one, edit) in {Reason.STRUCTURE_CHANGED, Reason.TOO_MUCH_CHANGED}


@pytest.mark.parametrize("share", [0.003, 0.006, 0.02])
def test_a_small_shift_is_seen(share: float) -> None:
    picture = ROOMS[0].drawn()
    moved = np.roll(edits.furnished(picture, whole(picture)), max(2, round(768 * share)), 1)
    assert fault(picture, moved) is Reason.DRIFTED


@pytest.mark.parametrize("percent", [1, 2, 8])
def test_a_small_zoom_is_seen(percent: int) -> None:
    picture = ROOMS[2].drawn()
    height, width = picture.shape[:2]
    up, back = round(height * percent / 200), round(width * percent / 200)
    inner = edits.furnished(picture, whole(picture))[up : height - up, back : width - back]
    assert fault(picture, np.asarray(cv2.resize(inner, (width, height)), np.uint8)) is Reason.DRIFTED


def test_other_light_and_grain_alone_are_no_edit() -> None:
    picture = ROOMS[0].drawn()
    assert fault(picture, edits.rendered(picture)) is Reason.NOT_CHANGED


def test_every_limit_says_what_breaking_it_means_and_has_a_bound() -> None:
    for limit in LIMITS.values():
        assert limit.fault
        assert (limit.minimum is None) != (limit.maximum is None)
