"""Requests that wait for a job or for files, kept without a thread: one look at the database each second finds all
whose wait is over.

A job stays settled, so a wait is for a state, not for a change: what happens between the answer of the database and
the next look is found by that look.
"""

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import Lock, Thread

from app.web.parking import MAX_KEPT_PER_ACCOUNT, Wait

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""The time between two looks at the database; without kept requests there are none."""
MAX_KEPT = 500
"""The most requests that one process keeps; further ones are answered at once."""

FindEnded = Callable[[Collection[str]], set[str]]
"""Returns those of the jobs and upload sessions for which nobody need wait any longer."""


@dataclass(eq=False, slots=True)
class Place:
    """The place of one kept request, which ends at `until` (monotonic). `wake` hands the request over again; None
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
    _places: set[Place] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _watcher: Thread | None = None

    def enter(self, wait: Wait) -> Place | None:
        """A place for a request; None when there are too many."""
        with self._lock:
            mine = sum(each.wait.account_id == wait.account_id for each in self._places)
            if len(self._places) >= self.max_kept or mine >= MAX_KEPT_PER_ACCOUNT:
                return None
            if self._watcher is None:
                watcher = Thread(target=self._watch, name="keeps requests", daemon=True)
                watcher.start()
                self._watcher = watcher
            place = Place(wait, time.monotonic() + wait.seconds)
            self._places.add(place)
            return place

    def leave(self, place: Place) -> None:
        """Free the place; harmless when repeated."""
        with self._lock:
            self._places.discard(place)

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            with self._lock:
                places = [*self._places]
                if not places:
                    self._watcher = None
                    return
            self._wake_ended([each for each in places if each.wake is not None])

    def _wake_ended(self, places: Collection[Place]) -> None:
        try:
            ended = self.find_ended({each.wait.subject_id for each in places}) if places else set()
        except Exception as error:
            # They are found later; at the end of its time each is answered in any case.
            log.warning("%d requests wait on without a look at what they wait for: %s", len(places), error)
            return
        for place in places:
            if place.wait.subject_id in ended and place.wake is not None:
                place.wake()


@dataclass(slots=True)
class Parking:
    """Implements app.web.parking.Parking for one request."""

    lot: Lot
    was_kept: bool
    place: Place | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the request has a place."""
        return self.place is not None

    def keep(self, wait: Wait) -> None:
        """Get a place for the request, unless it had one."""
        if self.place is None and not self.was_kept:
            self.place = self.lot.enter(wait)
