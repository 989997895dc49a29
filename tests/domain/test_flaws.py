"""What can be said to be wrong with a result fits what was done to it."""

import pytest

from app.domain.errors import InvalidRequest
from app.domain.flaws import LABELS, MAX_NOTE, Flaw, SendBackDetails, SendBackInput, check_send_back, list_flaws
from engine.types.enhancements import Enhancement

ALWAYS = [Flaw.HALO, Flaw.NOTHING_DONE, Flaw.OTHER]


@pytest.mark.parametrize("enhancement", Enhancement)
def test_every_enhancement_has_a_short_list_that_ends_with_something_else(enhancement: Enhancement) -> None:
    offered = list_flaws([enhancement])
    assert 6 <= len(offered) <= 9
    assert offered[-3:] == ALWAYS


def test_every_kind_is_in_words_and_can_be_said_of_some_result() -> None:
    assert set(LABELS) == set(Flaw) == set(list_flaws(Enhancement))
    assert len(set(LABELS.values())) == len(Flaw)


def test_of_what_was_not_done_nothing_is_asked() -> None:
    assert Flaw.SKY_ON_WALL not in list_flaws([Enhancement.GRASS])
    assert list_flaws([]) == ALWAYS


def test_what_is_said_is_put_on_one_line() -> None:
    heard = check_send_back(SendBackInput("sky_on_wall", " At the\r\nchimney\x00 "), [Enhancement.SKY])
    assert heard == SendBackDetails(Flaw.SKY_ON_WALL, "At the chimney", None)


@pytest.mark.parametrize("wrong", ["pane_dark", "sky", "SKY_ON_WALL"])
def test_what_is_not_on_the_list_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput(wrong), [Enhancement.SKY])
    assert refused.value.details == {"reason": "Choose from the list."}


@pytest.mark.parametrize("wrong", [Enhancement.STAGING, "nonsense"])
def test_only_steps_that_were_done_can_be_left_out(wrong: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("other", "", wrong), [Enhancement.SKY, Enhancement.GRASS])
    assert (refused.value.details or {}).keys() == {"without"}


def test_the_only_step_cannot_be_left_out() -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("other", "", Enhancement.SKY), [Enhancement.SKY])
    assert (refused.value.details or {}).keys() == {"without"}
    both = [Enhancement.GRASS, Enhancement.SKY]
    assert check_send_back(SendBackInput("other", "", Enhancement.SKY), both).without is Enhancement.SKY


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("", "x" * (MAX_NOTE + 1), "x"), [Enhancement.SKY])
    assert (refused.value.details or {}).keys() == {"reason", "message", "without"}
    assert check_send_back(SendBackInput("other", "x" * MAX_NOTE), []).words == "x" * MAX_NOTE
