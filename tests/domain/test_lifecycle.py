"""The states of a job and the moves between them."""

from datetime import UTC, datetime
from itertools import product
from types import SimpleNamespace

import pytest

from app.domain.events import OPT_IN, EventName
from app.domain.lifecycle import FINAL, MOVES, SETTLED, UNSETTLED, IllegalMoveError, Status, advance

NOW = datetime(2026, 11, 20, tzinfo=UTC)
EVERY_PAIR = list(product([None, *Status], Status))


@pytest.mark.parametrize(("before", "to"), EVERY_PAIR)
def test_a_job_moves_only_along_the_moves_there_are(before: Status | None, to: Status) -> None:
    job = SimpleNamespace(status=before)
    if (before, to) in MOVES:
        assert advance(job, to, NOW) is MOVES[before, to]
        assert job.status is to
    else:
        with pytest.raises(IllegalMoveError):
            advance(job, to, NOW)
        assert job.status is before


def test_every_state_can_be_reached_and_final_ones_are_never_left() -> None:
    assert {to for _, to in MOVES} == set(Status)
    assert not {before for before, _ in MOVES} & FINAL


def test_every_state_is_final_timed_or_waits_for_its_download() -> None:
    assert set(Status) == FINAL | UNSETTLED | {Status.APPROVED}
    assert not FINAL & UNSETTLED


def test_every_timed_state_can_fail() -> None:
    assert all(MOVES[state, Status.FAILED] is EventName.JOB_FAILED for state in UNSETTLED)


def test_every_move_emits_an_event_and_every_event_of_a_job_belongs_to_a_move() -> None:
    assert set(MOVES.values()) == set(EventName) - OPT_IN - {EventName.PHOTO_REVISED, EventName.WEBHOOK_TEST}


@pytest.mark.parametrize("state", sorted(SETTLED))
def test_settling_starts_the_retention_clock(state: Status) -> None:
    before = next(one for one, to in MOVES if to is state)
    job = SimpleNamespace(status=before)
    advance(job, state, NOW)
    assert job.settled_at == NOW
