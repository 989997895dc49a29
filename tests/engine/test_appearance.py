"""What the photos of an order agree on: no single photo decides, and their order does not matter."""

import json
import math
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from engine.types.appearance import LightEstimate, SharedAppearance, find_shared_appearance

NEUTRAL, WARM = (1.0, 1.0, 1.0), (1.2, 1.0, 0.8)
shares = st.floats(0, 1)


@st.composite
def casts(draw: st.DrawFn) -> tuple[float, float, float]:
    parts = [draw(st.floats(0.5, 1.5)) for _ in range(3)]
    red, green, blue = (3 * part / sum(parts) for part in parts)
    return (red, green, blue)


estimates = st.builds(
    LightEstimate,
    outdoors=st.booleans(),
    cast=casts(),
    certainty=shares,
    brightness=shares,
    sun_side=st.floats(-1, 1),
)


def room(cast=NEUTRAL, certainty=1.0, brightness=0.5) -> LightEstimate:
    return LightEstimate(outdoors=False, cast=cast, certainty=certainty, brightness=brightness)


def outside(sun_side: float, cast=NEUTRAL) -> LightEstimate:
    return LightEstimate(outdoors=True, cast=cast, certainty=1.0, brightness=0.5, sun_side=sun_side)


def test_of_no_photos_nothing_is_known() -> None:
    assert find_shared_appearance([]) == SharedAppearance()


@given(estimates)
def test_a_single_photo_is_its_orders_look(photo: LightEstimate) -> None:
    look = find_shared_appearance([photo])
    told = look.cast_outdoors if photo.outdoors else look.cast_indoors
    if photo.certainty >= 0.1:
        assert told == pytest.approx(photo.cast)
    else:
        assert told is None
    assert (look.cast_indoors if photo.outdoors else look.cast_outdoors) is None
    assert look.brightness_indoors == (None if photo.outdoors else photo.brightness)
    assert look.sun_side == (photo.sun_side or None if photo.outdoors else None)


@given(st.lists(estimates, max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_the_photos_does_not_matter(photos: list[LightEstimate], chance) -> None:
    mixed = list(photos)
    chance.shuffle(mixed)
    assert find_shared_appearance(mixed) == find_shared_appearance(photos)


@given(st.lists(estimates, min_size=1, max_size=9))
def test_the_look_lies_within_what_the_photos_say(photos: list[LightEstimate]) -> None:
    look = find_shared_appearance(photos)
    for cast in (look.cast_indoors, look.cast_outdoors):
        if cast is not None:
            assert math.fsum(cast) == pytest.approx(3)
            assert all(0.3 < part < 2.2 for part in cast)
    rooms = [each.brightness for each in photos if not each.outdoors]
    assert look.brightness_indoors is None or min(rooms) <= look.brightness_indoors <= max(rooms)
    assert look.sun_side is None or -1 <= look.sun_side <= 1


@given(st.lists(st.floats(-0.02, 0.02), min_size=3, max_size=8), casts(), shares)
def test_one_strange_photo_among_four_hardly_moves_the_look(shifts: list[float], cast, brightness: float) -> None:
    photos = [room((1.1 + shift, 1.0, 0.9 - shift), brightness=0.5 + shift) for shift in shifts]
    look = find_shared_appearance([*photos, room(cast, brightness=brightness)])
    assert look.cast_indoors == pytest.approx((1.1, 1.0, 0.9), abs=0.06)
    assert look.brightness_indoors == pytest.approx(0.5, abs=0.0201)


def test_rooms_and_outsides_do_not_mix() -> None:
    look = find_shared_appearance([room(WARM, brightness=0.3), outside(0.0)])
    assert look.cast_indoors == pytest.approx(WARM)
    assert look.cast_outdoors == pytest.approx(NEUTRAL)
    assert look.brightness_indoors == 0.3


def test_a_photo_that_is_unsure_of_its_white_weighs_less() -> None:
    sure, unsure = room(NEUTRAL), room(WARM, certainty=0.3)
    assert find_shared_appearance([sure, unsure, unsure]).cast_indoors == pytest.approx(NEUTRAL)
    assert find_shared_appearance([sure, *[unsure] * 4]).cast_indoors == pytest.approx(WARM)


def test_a_photo_that_hardly_tells_its_white_is_not_asked() -> None:
    assert find_shared_appearance([room(WARM, certainty=0.05)] * 5).cast_indoors is None


def test_two_equal_photos_meet_half_way() -> None:
    assert find_shared_appearance([room(brightness=0.4), room(brightness=0.6)]).brightness_indoors == pytest.approx(
        0.5
    )


@given(st.lists(st.floats(-1, 1), max_size=7))
def test_a_mirrored_order_has_the_sun_on_the_other_side(sides: list[float]) -> None:
    look, mirrored = (find_shared_appearance([outside(sign * side) for side in sides]).sun_side for sign in (1, -1))
    assert (look is None) == (mirrored is None)
    assert look is None or look == pytest.approx(-(mirrored or 0.0))


def test_photos_that_do_not_tell_leave_the_sun_to_those_that_do() -> None:
    assert find_shared_appearance([outside(0.0), outside(0.8), outside(0.0)]).sun_side == 0.8


def test_front_and_back_of_a_house_have_no_side_of_the_sun_in_common() -> None:
    assert find_shared_appearance([outside(0.8), outside(-0.8)]).sun_side is None
    assert find_shared_appearance(
        [outside(0.8), outside(0.7), outside(0.9), outside(-0.2)]
    ).sun_side == pytest.approx(0.75)


def test_a_look_survives_being_kept() -> None:
    look = find_shared_appearance([room(WARM, 0.7, 1 / 3), outside(0.1)])
    assert TypeAdapter(SharedAppearance).validate_json(json.dumps(asdict(look))) == look
