"""The loop that runs the timers of the sweep in its process."""

import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app import metrics
from app.services.retention.sweep import Sweep

log = logging.getLogger(__name__)


@dataclass
class Timer:
    """Something to do every so many seconds."""

    name: str
    seconds: float
    act: Callable[[], None]
    due_at: float = field(default=0.0)


def timers(sweep: Sweep) -> list[Timer]:
    """All timers there are, as the sweep declares them."""
    return [Timer(*each) for each in sweep.timers()]


def run_forever(sweep: Sweep) -> None:
    """Run the timers until SIGTERM or SIGINT; a timer that breaks is logged and tried again."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    every = timers(sweep)
    while not stop.wait(0.5):
        metrics.PROCESS_SEEN.labels("sweeper").set_to_current_time()
        for timer in every:
            if timer.due_at <= time.monotonic() and not stop.is_set():
                _act(timer)


def _act(timer: Timer) -> None:
    try:
        timer.act()
    except Exception:
        log.exception("timer %s broke", timer.name)
    timer.due_at = time.monotonic() + timer.seconds
