"""The loop that runs the timers of the sweep in its process."""

import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.services.retention.sweep import Sweep

log = logging.getLogger(__name__)


@dataclass
class Timer:
    """Something to do every so many seconds."""

    name: str
    seconds: float
    act: Callable[[], None]
    asks_store: bool = False
    due_at: float = field(default=0.0)


def timers(sweep: Sweep) -> list[Timer]:
    """All timers there are, as the sweep declares them."""
    return [Timer(*each) for each in sweep.timers()]


def run_forever(sweep: Sweep) -> None:
    """Run the timers until SIGTERM or SIGINT; a timer that breaks is logged and tried again.

    Those that ask the store have a thread of their own: one that is silent holds up none of the others.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    every = timers(sweep)
    at_store = [timer for timer in every if timer.asks_store]
    # Left behind at the end: whatever it does may be cut off at any moment.
    threading.Thread(target=run, args=(at_store, stop), name="timers at the store", daemon=True).start()
    run([timer for timer in every if not timer.asks_store], stop)


def run(every: Sequence[Timer], stop: threading.Event) -> None:
    """Run these timers, one at a time, until told to stop."""
    while not stop.wait(0.5):
        for timer in every:
            if timer.due_at <= time.monotonic() and not stop.is_set():
                _act(timer)


def _act(timer: Timer) -> None:
    try:
        timer.act()
    except Exception:
        log.exception("timer %s broke", timer.name)
    timer.due_at = time.monotonic() + timer.seconds
