"""The loop of the sweeper process, which runs the timers of the sweep."""

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
    """A function `act` that is called again `seconds` after its last call ended. `asks_store`: it calls the store,
    which may take long.
    """

    name: str
    seconds: float
    act: Callable[[], None]
    asks_store: bool = False
    due_at: float = field(default=0.0)


def timers(sweep: Sweep) -> list[Timer]:
    """All timers, as the sweep declares them."""
    return [Timer(*each) for each in sweep.timers()]


def _run_store_timers(sweep: Sweep, stop: threading.Event) -> None:
    """Run the timers that ask the store until `stop` is set."""
    store_timers = [timer for timer in timers(sweep) if timer.asks_store]
    while not stop.wait(0.5):
        for each in store_timers:
            if each.due_at <= time.monotonic() and not stop.is_set():
                _run_timer(each)


def run_forever(sweep: Sweep) -> None:
    """Run the timers until SIGTERM or SIGINT. An exception in a timer is logged, and the timer is repeated.

    Timers that ask the store run in a separate thread, so that a store that does not answer delays no other timers.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    # A daemon thread, which ends with the process: its timers may be interrupted at any moment.
    threading.Thread(target=_run_store_timers, args=(sweep, stop), name="timers at the store", daemon=True).start()
    others = [timer for timer in timers(sweep) if not timer.asks_store]
    while not stop.is_set():
        metrics.PROCESS_SEEN.labels("sweeper").set_to_current_time()
        for timer in others:
            if timer.due_at <= time.monotonic() and not stop.is_set():
                _run_timer(timer)
        stop.wait(0.5)


def _run_timer(timer: Timer) -> None:
    try:
        timer.act()
    except Exception:
        log.exception("timer %s failed", timer.name)
    timer.due_at = time.monotonic() + timer.seconds
