"""Until when results are kept, and until when they can be sent back."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.retention import TEST_RESULTS_KEPT, find_end, find_length
from app.domain.revisions import find_window_end

READY, DAY = datetime(2026, 11, 20, 12, tzinfo=UTC), timedelta(days=1)


@pytest.mark.parametrize(("kept", "usual", "days"), [(None, 7, 7), (365, 7, 365), (3, 7, 7), (30, 3650, 3650)])
def test_what_an_owner_keeps_is_never_removed_earlier_than_usual(kept: int | None, usual: int, days: int) -> None:
    kept_until = None if kept is None else READY + kept * DAY
    assert find_end(READY, kept_until, usual * DAY.total_seconds(), livemode=True) == READY + days * DAY


@pytest.mark.parametrize(("usual", "days"), [(1, 1), (3, 3), (7, 3), (90, 3)])
def test_results_of_test_orders_are_kept_shorter_and_never_longer_than_others(usual: int, days: int) -> None:
    assert find_length(usual * DAY.total_seconds(), livemode=False) == days * DAY
    assert find_end(READY, None, usual * DAY.total_seconds(), livemode=False) == READY + days * DAY
    assert TEST_RESULTS_KEPT == 3 * DAY


@pytest.mark.parametrize(("kept", "usual", "days"), [(None, 7, 7), (365, 7, 14), (None, 30, 14)])
def test_results_can_be_sent_back_while_they_are_kept_and_at_most_two_weeks(
    kept: int | None, usual: int, days: int
) -> None:
    kept_until = None if kept is None else READY + kept * DAY
    assert find_window_end(READY, kept_until, usual * DAY.total_seconds(), livemode=True) == READY + days * DAY
