"""Signatures tell one view from others, and a view from the same taken beside it."""

from hypothesis import given
from hypothesis import strategies as st

from engine.grouping.view_signatures import ViewSignature, measure_likeness, measure_moved_likeness
from engine.types.file_facts import SIGNATURE_BITS

ALL = (1 << SIGNATURE_BITS) - 1
BITS = st.integers(0, ALL)


@given(BITS)
def test_a_view_is_like_itself_and_unlike_its_opposite(rises: int) -> None:
    assert measure_likeness(ViewSignature(rises, ALL), ViewSignature(rises, ALL)) > 0.96
    assert measure_likeness(ViewSignature(rises, ALL), ViewSignature(~rises & ALL, ALL)) < 0


@given(BITS, st.integers(-2, 2), st.integers(-2, 2))
def test_a_view_is_found_again_where_the_camera_moved(rises: int, down: int, right: int) -> None:
    seen = ViewSignature(rises, ALL)
    assert measure_moved_likeness(seen, seen.shift(down, right)) > 0.96


@given(BITS, BITS, BITS, BITS)
def test_likeness_is_the_same_from_either_side(one: int, shown: int, other: int, seen: int) -> None:
    first, second = ViewSignature(one, shown), ViewSignature(other, seen)
    assert measure_likeness(first, second) == measure_likeness(second, first)


def test_nothing_is_said_of_pictures_with_too_little_in_common() -> None:
    half = ALL >> (SIGNATURE_BITS // 2)
    assert measure_likeness(ViewSignature(0, half), ViewSignature(0, ALL ^ half)) is None
    assert ViewSignature.read("no signature") == ViewSignature(0, 0)


@given(BITS, BITS)
def test_a_signature_is_read_as_it_was_written(rises: int, telling: int) -> None:
    assert ViewSignature.read(f"{rises:064x}{telling:064x}") == ViewSignature(rises, telling)
