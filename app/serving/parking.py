"""Requests that wait for a job or for files, kept without a thread: one query each second finds those whose wait is
over.

A job stays settled, so a wait is for a state, not for a change: a change after one query is found by the next
query.
"""

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import Lock, Thread

from app.web.parking import MAX_KEPT_PER_ACCOUNT, Wait

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""The time between two queries; without kept requests there are none."""
MAX_KEPT = 500
"""The most requests that one process keeps; further ones are answered at once."""

FindEnded = Callable[[Collection[str]], set[str]]
"""The function that returns which of the jobs and upload sessions have ended, so that nobody needs to wait for them
any longer.
"""


@dataclass(eq=False, slots=True)
class Stay:
    """The stay of one kept request, which ends at `until` (monotonic). `wake` hands the request over again; None
    until its thread is free.
    """

    wait: Wait
    until: float
    wake: Callable[[], None] | None = None


@dataclass(slots=True)
class Lot:
    """The kept requests of one process. `max_kept`: of all accounts together."""

    find_ended: FindEnded
    max_kept: int = MAX_KEPT
    _stays: set[Stay] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _watcher: Thread | None = None

    def enter(self, wait: Wait) -> Stay | None:
        """Begin the stay of a request; None when there are too many."""
        with self._lock:
            mine = sum(each.wait.account_id == wait.account_id for each in self._stays)
            if len(self._stays) >= self.max_kept or mine >= MAX_KEPT_PER_ACCOUNT:
                return None
            if self._watcher is None:
                watcher = Thread(target=self._watch, name="keeps requests", daemon=True)
                watcher.start()
                self._watcher = watcher
            stay = Stay(wait, time.monotonic() + wait.seconds)
            self._stays.add(stay)
            return stay

    def leave(self, stay: Stay) -> None:
        """End the stay; harmless when repeated."""
        with self._lock:
            self._stays.discard(stay)

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            with self._lock:
                stays = [*self._stays]
                if not stays:
                    self._watcher = None
                    return
            self._wake_ended([each for each in stays if each.wake is not None])

    def _wake_ended(self, stays: Collection[Stay]) -> None:
        try:
            ended = self.find_ended({each.wait.subject_id for each in stays}) if stays else set()
        except Exception as error:
            # The next query finds them; each request is answered at the end of its time in any case.
            log.warning("%d requests wait on without a look at what they wait for: %s", len(stays), error)
            return
        for stay in stays:
            if stay.wait.subject_id in ended and stay.wake is not None:
                stay.wake()


@dataclass(slots=True)
class StayParking:
    """Implements app.web.parking.Parking for one request."""

    lot: Lot
    was_kept: bool
    stay: Stay | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the request will stay."""
        return self.stay is not None

    def keep(self, wait: Wait) -> None:
        """Let the request stay, unless it has stayed."""
        if self.stay is None and not self.was_kept:
            self.stay = self.lot.enter(wait)
