"""Processes killed at random while customers order: what was accepted goes through, once, and soon."""

import os
import random
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

import psutil
from sqlalchemy import func, select

from app.domain.lifecycle import WorkState
from app.models import Job, Photo
from bench.soak import books, command, processes
from bench.soak.books import Line
from bench.soak.customers import ordering, undelivered
from tests.journeys.host import Host
from tests.journeys.service import Service

CUSTOMERS = 4
RECOVERY_SECONDS = 35
"""The lease of a photo in a dead worker's hands, and the sweep that finds it."""
WORK_SECONDS = 10
"""What a busy machine may take to work on what was found again."""
STUCK_SECONDS = 180
LOOK_SECONDS = 0.25
SETTLED_EVERY = 10
"""After so many kills what was accepted before is waited for; else the next follows once all run again."""
APPEAR_SECONDS = 5
"""So long a process of the kind whose turn it is may take to appear: work-horses come with photos, and go."""
OFTEN = 4
"""So many times each kind dies for every new start by an operator, which takes most of the time."""
BY_OPERATORS = (processes.UP, processes.SUPERVISOR)


class Kills:
    """One run: who was killed how often, and how long everything accepted before took to come to its end."""

    def __init__(self, service: Service, seed: int) -> None:
        self.service = service
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.back: dict[str, list[float]] = defaultdict(list)
        self._chance = random.Random(seed)
        self._deck: list[str] = []

    def next_kind(self) -> str:
        """Every kind OFTEN times, and once those that an operator starts again, in random order; and then again."""
        if not self._deck:
            kinds = [each for each in processes.kinds(self.service) if each not in BY_OPERATORS]
            cards = [*kinds * OFTEN, *BY_OPERATORS]
            self._deck = self._chance.sample(cards, len(cards))
        return self._deck.pop()

    def kill_one(self) -> None:
        """Kill one process, at a random moment, and see everything run again; now and then all orders done, too."""
        time.sleep(self._chance.uniform(0.1, 1.5))
        kind = self.next_kind()
        there = self._victims(kind)
        if not there:
            return
        with self.service.books() as here:
            before = here.clock()
        victim, began = self._chance.choice(there), time.monotonic()
        host = self._started_by(victim) if kind in BY_OPERATORS else None
        with suppress(ProcessLookupError):
            os.kill(victim.pid, signal.SIGKILL)
        if host is not None:
            # Its command ends with its supervisor.
            host.status()
            self.service.start()
        self.back[kind].append(self._seconds_until(lambda: self._runs(kind, len(there)), began))
        if sum(map(len, self.back.values())) % SETTLED_EVERY == 0 or kind in BY_OPERATORS:
            self.seconds[kind].append(self._seconds_until(lambda: done(self.service, before), began))

    def _victims(self, kind: str) -> list[psutil.Process]:
        deadline = time.monotonic() + APPEAR_SECONDS
        while not (there := processes.by_kind(self.service).get(kind)) and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS / 10)
        return there or []

    def _started_by(self, victim: psutil.Process) -> Host:
        commands = {victim.pid, victim.ppid()}
        return next(each for each in self.service.hosts if each.up is not None and each.up.pid in commands)

    def _runs(self, kind: str, count: int) -> bool:
        # Work-horses are forked for one photo each: there is none to come back.
        lasting = kind != processes.CHILD.format("worker")
        there = processes.by_kind(self.service)
        back = not processes.missing(self.service) and (not lasting or len(there.get(kind, ())) >= count)
        return back and self.service.ready()

    def _seconds_until(self, look: Callable[[], bool], began: float) -> float:
        while not look() and time.monotonic() - began < STUCK_SECONDS:
            time.sleep(LOOK_SECONDS)
        return time.monotonic() - began

    def lines(self) -> list[Line]:
        """Kills and recovery per kind."""
        limit = RECOVERY_SECONDS + WORK_SECONDS
        return [Line("kills", sum(map(len, self.back.values())))] + [
            Line(
                f"killed: {kind}",
                f"{len(back)} times; running again after {max(back):.1f} s; {len(times)} times waited until all "
                f"accepted before was done: {max(times, default=0):.1f} s at most",
                max(back) <= RECOVERY_SECONDS and max(times, default=0) <= limit,
            )
            for kind, back in sorted(self.back.items())
            for times in [self.seconds[kind]]
        ]


def done(service: Service, before: datetime) -> bool:
    """Whether all that was accepted before then is done."""
    return not unfinished(service, before) and not undelivered(service, before)


def unfinished(service: Service, until: datetime) -> int:
    """How many photos of orders placed until then are not done."""
    open_ = select(func.count()).select_from(Photo).join(Job, Job.id == Photo.job_id)
    with service.books() as here, here.database.read_session() as session:
        return session.scalar(open_.where(Photo.state != WorkState.DONE, Job.created_at <= until)) or 0


def run(service: Service, seconds: float, seed: int, most: int = 1_000_000) -> list[Line]:
    """Kill for so long, or so often, while customers order; then audit. The service is up before and after."""
    kills = Kills(service, seed)
    deadline = time.monotonic() + seconds
    with ordering(service, CUSTOMERS, seed) as (figures, customers):
        while time.monotonic() < deadline and sum(map(len, kills.back.values())) < most:
            kills.kill_one()
    with service.books() as here:
        found = list(books.audited(here, customers, figures))
    healed = Line("longest until a request was answered well (s)", round(figures.longest_seconds, 1))
    settled = Line(
        "longest from an order's answer until it had settled (s)", round(figures.longest_order_seconds, 1)
    )
    return [*kills.lines(), *found, settled, healed, Line("answers cut off or 5xx, retried", dict(figures.faults))]


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("kills", command.on_the_service(run), arguments)
