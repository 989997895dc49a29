"""Which files may be frames of one view, by the settings of the camera alone; and what no camera writes."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from app.domain.capture import Capture, CapturedFile, find_brackets

NOON = datetime.fromisoformat("2026-06-01T12:00:00")


def shot(number: int, at: float, ev: float, name: str = "IMG_{:04}.jpg", **more: Any) -> CapturedFile:
    """A file of this number, taken `at` seconds after noon, lighter by `ev` than a usual exposure."""
    settings = {"seconds": 2**ev / 60, "stop": 8.0, "speed": 200.0, **more}
    taken = Capture(taken_at=NOON + timedelta(seconds=at), **settings)
    return CapturedFile(str(number), name.format(number), taken)


NO_TIME = {"taken_at": "noon"}
ZONED = {"taken_at": "2026-06-01T12:00:00+02:00"}
"""Cameras write their local time; one with a zone could not be compared with it."""

ROOM = [shot(1, 0, 0), shot(2, 1, -2), shot(3, 2, 2)]
CASES = {
    "a bracket": (ROOM, ["123"]),
    "in any order of sending": (ROOM[::-1], ["123"]),
    "two of one view, one directly after the other": (
        [*ROOM, shot(4, 3, 0), shot(5, 4, -2), shot(6, 5, 2)],
        ["123", "456"],
    ),
    "a longer pause than its exposure": ([shot(1, 0, 4), shot(2, 1, 6), shot(3, 9, 8)], []),
    "within its own length": ([shot(1, 0, 4), shot(2, 1, 6), shot(3, 4, 8)], ["123"]),
    "two exposures are no bracket": (ROOM[:2], []),
    "the same exposure thrice": ([shot(1, 0, 0), shot(2, 1, 0), shot(3, 2, 0)], []),
    "a pause": ([*ROOM[:2], shot(3, 20, 2)], []),
    "another camera's file between them": ([*ROOM[:2], shot(3, 2, 2, "DSC_{:04}.jpg")], []),
    "numbers that do not follow": ([*ROOM[:2], shot(7, 2, 2)], []),
    "flash": ([*ROOM[:2], shot(3, 2, 2, flash=True)], []),
    "another light": ([*ROOM[:2], shot(3, 2, 9)], []),
    "names without a number": ([shot(n, n, 2 * n, "room.jpg") for n in range(3)], []),
}


@pytest.mark.parametrize("shots, groups", CASES.values(), ids=CASES.keys())
def test_frames_are_found_by_number_time_and_exposure(shots: list[CapturedFile], groups: list[str]) -> None:
    assert ["".join(each) for each in find_brackets(shots)] == groups


@pytest.mark.parametrize(
    "wrong",
    [{"seconds": 0}, {"stop": float("nan")}, {"speed": 1e300}, {"seconds": "inf"}, NO_TIME, ZONED],
)
def test_what_no_camera_writes_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Capture.model_validate({"taken_at": NOON, "seconds": 0.01, "stop": 8, "speed": 100, **wrong})
