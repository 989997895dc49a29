"""What tests of workers share: RQ's workers take over the signals of the process they run in, for good."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """SIGINT and SIGTERM mean afterwards what they meant before: a run that is asked to end, ends."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)
