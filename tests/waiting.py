"""Waiting for what must come: tests await an event by name, with a limit that a busy laptop meets."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_SECONDS = 120.0
"""For what a busy machine does in a second when it is idle; it costs only where the event never comes."""
ORDER_SECONDS = 300.0
"""For the pictures of an order: workers are nice, and beside other tests they get a tenth of the cores."""
STEP_SECONDS = 0.02
Found = TypeVar("Found")


def eventually(what: str, look: Callable[[], Found], seconds: float = PATIENCE_SECONDS) -> Found:
    """The first truthy thing that `look` sees; fails by the name of `what` was awaited."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not seen within {seconds:g} s: {what}"
        time.sleep(STEP_SECONDS)
    return found
