"""What can be said to be wrong with a result fits what was done to it."""

import pytest

from app.domain.catalogue import Enhancement
from app.domain.complaints import LABELS, MAX_NOTE, Flaw, list_flaws, read_complaint
from app.domain.errors import InvalidRequest

ALWAYS = [Flaw.HALO, Flaw.NOTHING_DONE, Flaw.OTHER]


@pytest.mark.parametrize("enhancement", Enhancement)
def test_every_enhancement_has_a_short_list_that_ends_with_something_else(enhancement: Enhancement) -> None:
    offered = list_flaws([enhancement])
    assert 6 <= len(offered) <= 8
    assert offered[-3:] == ALWAYS


def test_every_kind_is_in_words_and_can_be_said_of_some_result() -> None:
    assert set(LABELS) == set(Flaw) == set(list_flaws(Enhancement))
    assert len(set(LABELS.values())) == len(Flaw)


def test_of_what_was_not_done_nothing_is_asked() -> None:
    assert Flaw.SKY_ON_WALL not in list_flaws([Enhancement.GRASS])
    assert list_flaws([]) == ALWAYS


def test_what_is_said_is_put_in_order_and_on_one_line() -> None:
    heard = read_complaint(["other", "sky_on_wall", "other"], " At the\r\nchimney\x00 ", [Enhancement.SKY])
    assert (heard.flaws, heard.note) == ([Flaw.SKY_ON_WALL, Flaw.OTHER], "At the chimney")


@pytest.mark.parametrize("wrong", ["pane_dark", "", "sky", "SKY_ON_WALL"])
def test_what_is_not_on_the_list_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_complaint(["other", wrong], "", [Enhancement.SKY])
    assert refused.value.details == {"flaws": "Choose from the list."}


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_complaint([], "x" * (MAX_NOTE + 1), [Enhancement.SKY])
    assert (refused.value.details or {}).keys() == {"flaws", "note"}
    assert read_complaint(["other"], "x" * MAX_NOTE, []).note == "x" * MAX_NOTE
