"""Every timer of the service, and the loop that runs them in the sweeper process."""

import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

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
    """All timers there are."""
    return [
        Timer("heartbeat", 5, sweep.beat),
        Timer("notify due photos", 5, sweep.notify_due_photos),
        Timer("fail overdue jobs", 5, sweep.fail_overdue_jobs),
        Timer("notify due deliveries", 5, sweep.notify_due_deliveries),
        Timer("notify due mail", 5, sweep.notify_due_mail),
        Timer("notify due previews", 5, sweep.notify_due_previews),
        Timer("ask about payments", 60, sweep.ask_about_payments),
        Timer("expire jobs", 60, sweep.expire_jobs),
        Timer("purge files", 60, sweep.purge_files),
        Timer("forget old drafts", 3600, sweep.forget_old_drafts),
        Timer("forget unused uploads", 300, sweep.forget_unused_uploads),
        Timer("forget old deliveries", 300, sweep.forget_old_deliveries),
        Timer("forget old mail", 3600, sweep.forget_old_mail),
        Timer("forget kept answers", 300, sweep.forget_kept_answers),
        Timer("forget sign-ins", 3600, sweep.forget_sign_ins),
        Timer("forget known browsers", 3600, sweep.forget_known_browsers),
        Timer("forget mailed links", 3600, sweep.forget_mailed_links),
        Timer("forget unconfirmed", 3600, sweep.forget_unconfirmed),
        Timer("recount uses", 3600, sweep.recount_uses),
        Timer("tidy storage", 3600, sweep.tidy_storage),
    ]


def run_forever(sweep: Sweep) -> None:
    """Run the timers until SIGTERM or SIGINT; a timer that breaks is logged and tried again."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    every = timers(sweep)
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
