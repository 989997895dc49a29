"""Processes killed at random while customers order: what was accepted goes through, once, and soon."""

import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from sqlalchemy import func, select

from app.domain.lifecycle import WorkState
from app.models import Job, Photo
from bench.soak import books, command, processes
from bench.soak.books import Line
from bench.soak.customers import ordering, undelivered
from tests.journeys.service import Service

CUSTOMERS = 4
RECOVERY_SECONDS = 35
"""The lease of a photo in a dead worker's hands, and the sweep that finds it."""
WORK_SECONDS = 10
"""What a busy machine may take to work on what was found again."""
STUCK_SECONDS = 180
LOOK_SECONDS = 0.25


class Kills:
    """One run: who was killed how often, and how long everything accepted before took to come to its end."""

    def __init__(self, service: Service, seed: int) -> None:
        self.service = service
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.back: dict[str, list[float]] = defaultdict(list)
        self._chance = random.Random(seed)
        self._deck: list[str] = []

    def next_kind(self, kinds: list[str]) -> str:
        """Every kind once, in random order, and then again."""
        self._deck = [each for each in self._deck if each in kinds] or self._chance.sample(kinds, len(kinds))
        return self._deck.pop()

    def kill_one(self) -> None:
        """Kill one process, at a random moment, and see everything recover."""
        time.sleep(self._chance.uniform(0.1, 1.5))
        there = processes.by_kind(self.service)
        kind = self.next_kind(sorted(there))
        with self.service.books() as here:
            before = here.clock()
        began = time.monotonic()
        with suppress(ProcessLookupError):
            os.kill(self._chance.choice(there[kind]).pid, signal.SIGKILL)
        if kind in (processes.UP, processes.SUPERVISOR):
            assert self.service.up is not None
            if kind == processes.SUPERVISOR:
                self.service.up.wait(STUCK_SECONDS)
            self.service.up.wait()
            self.service.start()
        self.seconds[kind].append(self._until_done(before, began, kind))

    def _until_done(self, before: datetime, began: float, kind: str) -> float:
        back = 0.0
        while time.monotonic() - began < STUCK_SECONDS:
            if not back and not processes.missing(self.service) and self.service.ready():
                back = time.monotonic() - began
                self.back[kind].append(back)
            if back and not unfinished(self.service, before) and not undelivered(self.service, before):
                return time.monotonic() - began
            time.sleep(LOOK_SECONDS)
        return time.monotonic() - began

    def lines(self) -> list[Line]:
        """Kills and recovery per kind."""
        limit = RECOVERY_SECONDS + WORK_SECONDS
        return [
            Line(
                f"killed: {kind}",
                f"{len(times)} times; running again after {max(self.back[kind], default=-1):.1f} s, "
                f"all accepted before done after {max(times):.1f} s at most",
                max(times) <= limit and max(self.back[kind], default=limit + 1) <= RECOVERY_SECONDS,
            )
            for kind, times in sorted(self.seconds.items())
        ]


def unfinished(service: Service, until: datetime) -> int:
    """How many photos of orders placed until then are not done."""
    open_ = select(func.count()).select_from(Photo).join(Job, Job.id == Photo.job_id)
    with service.books() as here, here.database.reading() as session:
        return session.scalar(open_.where(Photo.state != WorkState.DONE, Job.created_at <= until)) or 0


def run(service: Service, seconds: float, seed: int, most: int = 1_000_000) -> list[Line]:
    """Kill for so long, or so often, while customers order; then audit. The service is up before and after."""
    kills = Kills(service, seed)
    deadline = time.monotonic() + seconds
    with ordering(service, CUSTOMERS, seed) as (figures, customers):
        while time.monotonic() < deadline and sum(map(len, kills.seconds.values())) < most:
            kills.kill_one()
    with service.books() as here:
        found = list(books.audited(here, customers, figures))
    healed = Line("longest until a request was answered well (s)", round(figures.longest_seconds, 1))
    return [*kills.lines(), *found, healed, Line("answers cut off or 5xx, retried", dict(figures.faults))]


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("kills", command.on_the_service(run), arguments)
