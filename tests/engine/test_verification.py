"""What two files tell of each other: which regions changed, and whether anything fixed moved."""

import io

import cv2
import numpy as np
import pytest

from engine.color.profiles import ColorProfile
from engine.io.photo import decode
from engine.quality.alignment import Fit, NotComparable
from engine.quality.verification import Verification, VerificationFault, verify_pictures
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.engine_runs import after

pytestmark = pytest.mark.usefixtures("seen_roughly")

BIG = (960, 640)
SRGB = ColorProfile()


def verified(one: scenes.Picture, other: scenes.Picture, *declared: Enhancement) -> Verification:
    return verify_pictures(one, other, (SRGB, SRGB), declared)


def copied(picture: scenes.Picture, width: int, quality: int = 75) -> scenes.Picture:
    """What is left of a picture after a listing service made it so wide."""
    height = round(picture.shape[0] * width / picture.shape[1])
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return scenes.decoded(scenes.encoded(small, quality=quality))


def covered(picture: scenes.Picture, box: tuple[float, float, float, float]) -> scenes.Picture:
    """The picture with a box (shares of the size) painted in the color to the left of it."""
    done = picture.copy()
    height, width = picture.shape[:2]
    left, top, right, bottom = (round(each * side) for each, side in zip(box, (width, height) * 2, strict=True))
    beside = picture[top:bottom, max(0, left - 12) : left - 4].reshape(-1, 3).mean(0)
    done[top:bottom, left:right] = beside.astype(np.uint8)
    return done


@pytest.fixture(scope="module")
def house() -> scenes.Picture:
    return scenes.house(*BIG)


@pytest.fixture(scope="module")
def blue(house: scenes.Picture) -> scenes.Picture:
    """The house under the engine's sky."""
    return after(house, Enhancement.SKY)


def test_a_file_beside_itself_has_no_changed_region(house: scenes.Picture) -> None:
    found = verified(house, house)
    assert (found.passed, found.fit, found.regions, found.global_light) == (True, Fit.SAME, (), False)
    assert found.outside is not None
    assert found.outside.maximum == 0


def test_a_new_sky_is_the_one_region_that_changed_and_all_else_holds(
    house: scenes.Picture, blue: scenes.Picture
) -> None:
    found = verified(house, blue, Enhancement.SKY)
    assert found.passed, found
    assert found.regions[0].shows == "sky"
    assert found.regions[0].box[1] == 0, "it begins at the top"
    assert found.changed_share > 0.2
    assert found.outside is not None
    assert found.outside.median <= 1


@pytest.mark.parametrize("width", [pytest.param(960, marks=pytest.mark.long), 480])
def test_a_copy_compressed_or_half_as_large_tells_the_same(
    house: scenes.Picture, blue: scenes.Picture, width: int
) -> None:
    found = verified(house, copied(blue, width), Enhancement.SKY)
    assert found.passed, found
    assert found.fit is (Fit.SAME if width == BIG[0] else Fit.RESIZED)
    assert [each.shows for each in found.regions if each.share > 0.01] == ["sky"]


@pytest.mark.long
def test_a_cropped_copy_is_laid_over_the_part_that_it_shows(house: scenes.Picture, blue: scenes.Picture) -> None:
    found = verified(house, copied(blue[20:600, 30:900], 700), Enhancement.SKY)
    assert found.fit is Fit.CROPPED
    assert found.shared == pytest.approx(870 * 580 / (960 * 640), abs=0.02)
    assert found.passed, found


def test_a_thing_added_beside_what_is_said_to_be_altered_is_noticed(
    house: scenes.Picture, blue: scenes.Picture
) -> None:
    height, width = blue.shape[:2]
    forged = blue.copy()
    forged[round(0.8 * height) : round(0.95 * height), round(0.1 * width) : round(0.25 * width)] = (200, 30, 30)
    assert VerificationFault.UNDECLARED_CHANGE in verified(house, forged, Enhancement.SKY).faults
    told = verified(house, forged)
    assert any(each.box[1] > 0.7 for each in told.regions), "a region of its own, whatever is declared"


def test_a_window_that_is_painted_away_is_noticed() -> None:
    room = scenes.room(*BIG)
    assert verified(room, room).openings == 1
    left, top, right, bottom = _window_of(room)
    found = verified(room, covered(room, (left - 0.01, top - 0.01, right + 0.01, bottom + 0.01)))
    assert VerificationFault.OPENING_GONE in found.faults
    back = verified(covered(room, (left - 0.01, top - 0.01, right + 0.01, bottom + 0.01)), room)
    assert VerificationFault.OPENING_ADDED in back.faults


def _window_of(room: scenes.Picture) -> tuple[float, float, float, float]:
    """Where the bright window of the drawn room is, in shares."""
    rows, columns = np.nonzero(room.min(-1) > 225)
    height, width = room.shape[:2]
    return columns.min() / width, rows.min() / height, columns.max() / width, rows.max() / height


@pytest.mark.long
def test_a_window_moved_by_hand_is_noticed() -> None:
    room = scenes.room(*BIG)
    left, top, right, bottom = (round(share * side) for share, side in zip(_window_of(room), BIG * 2, strict=True))
    frame = 10
    cut = room[top - frame : bottom + frame, left - frame : right + frame].copy()
    forged = covered(
        room,
        ((left - frame) / BIG[0], (top - frame) / BIG[1], (right + frame) / BIG[0], (bottom + frame) / BIG[1]),
    )
    forged[top - frame : bottom + frame, left - frame - 40 : right + frame - 40] = cut
    found = verified(room, forged)
    assert set(found.faults) & {
        VerificationFault.OPENING_MOVED,
        VerificationFault.OPENING_ADDED,
        VerificationFault.OPENING_GONE,
    }, found


def test_another_light_over_all_is_judged_by_shapes_alone(house: scenes.Picture) -> None:
    found = verified(house, after(house, Enhancement.GOLDEN_HOUR))
    assert found.global_light
    assert found.outside is None, "no figure is told that means nothing"
    assert found.passed, found


@pytest.mark.long
def test_a_wall_that_lost_its_windows_fails_under_other_light_too(house: scenes.Picture) -> None:
    late = after(house, Enhancement.GOLDEN_HOUR)
    left, top, right, bottom = scenes.HOUSE
    forged = covered(late, (left + 0.02, top + 0.02, right - 0.02, bottom - 0.02))
    assert {VerificationFault.WALLS_CHANGED, VerificationFault.OPENING_GONE} & set(verified(house, forged).faults)


def test_pictures_of_different_places_cannot_be_compared(house: scenes.Picture) -> None:
    with pytest.raises(NotComparable, match="do not show the same place"):
        verified(house, scenes.room(*BIG))
    with pytest.raises(NotComparable, match="proportions"):
        verified(house, scenes.room(640, 640))
    with pytest.raises(NotComparable, match="too small"):
        verified(house, scenes.house(90, 60))


@pytest.mark.long
def test_every_answer_is_the_same_each_time(house: scenes.Picture, blue: scenes.Picture) -> None:
    photo = decode(io.BytesIO(scenes.encoded(house)))
    cropped = copied(blue[20:600, 30:900], 700)
    assert verified(photo.pixels, cropped) == verified(photo.pixels, cropped)
