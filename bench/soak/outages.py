"""Database, Redis and single processes away for a while, as customers order: one retry heals what they meet."""

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import psycopg
from redis import Redis
from sqlalchemy import make_url

from bench.soak import books, command, processes
from bench.soak.books import Line
from bench.soak.customers import ordering
from tests.journeys.service import Service

CUSTOMERS = 4
CUT_SECONDS = 2.0
"""So often are all connections to the database cut."""
REDIS_SECONDS = 10.0
WORKER_SECONDS = 60.0
LOOK_SECONDS = 0.2
CUT = """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
NOT_PAUSED = (processes.SUPERVISOR, processes.UP, "redis")


class Outages:
    """One run: what was done how often."""

    def __init__(self, service: Service, seed: int, paused_seconds: float) -> None:
        self.done: Counter[str] = Counter()
        self.over = threading.Event()
        self._service = service
        self._chance = random.Random(seed)
        self._paused_seconds = paused_seconds

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """All outages, each after its own clock, until the block is left."""
        acts: list[Callable[[], None]] = [self._redis, self._workers]
        if self._service.environ.get("DATABASE_URL", "").startswith("postgresql"):
            acts.append(self._connections)
        threads = [threading.Thread(target=self._again, args=(act,)) for act in acts]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def _again(self, act: Callable[[], None]) -> None:
        while not self.over.is_set():
            act()

    def _connections(self) -> None:
        url = make_url(self._service.environ["DATABASE_URL"]).set(drivername="postgresql")
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
            cut = connection.execute(CUT).fetchone()
        self.done["connections to the database cut"] += cut[0] if cut else 0
        self.over.wait(CUT_SECONDS)

    def _redis(self) -> None:
        self.over.wait(self._chance.uniform(1, 4))
        Redis.from_url(self._service.redis_url()).flushdb()
        self.done["Redis wiped"] += 1
        self.over.wait(self._chance.uniform(1, 4))
        with contextlib.suppress(KeyError):
            self._pause(processes.by_kind(self._service)["redis"][0].pid, min(REDIS_SECONDS, self._paused_seconds))
            self.done["Redis stopped for a while"] += 1

    def _workers(self) -> None:
        there = processes.by_kind(self._service)
        kind = self._chance.choice(sorted(there.keys() - set(NOT_PAUSED)))
        self._pause(self._chance.choice(there[kind]).pid, self._paused_seconds)
        self.done[f"stopped for a while: {kind}"] += 1
        self.over.wait(self._chance.uniform(1, 5))

    def _pause(self, pid: int, seconds: float) -> None:
        # A server that finds its worker silent may end it meanwhile.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            try:
                self.over.wait(seconds)
            finally:
                os.kill(pid, signal.SIGCONT)


def run(service: Service, seconds: float, seed: int, paused_seconds: float = WORKER_SECONDS) -> list[Line]:
    """Let things go away for so long while customers order; then audit. The service is up before and after."""
    outages = Outages(service, seed, paused_seconds)
    with ordering(service, CUSTOMERS, seed) as (figures, customers), outages.going_on():
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not figures.broken:
            time.sleep(LOOK_SECONDS)
    with service.books() as here:
        found = list(books.audited(here, customers, figures))
    done = [Line(what, count) for what, count in sorted(outages.done.items())]
    unhealed = Line("answers of 5xx that one retry did not heal", len(figures.unhealed), not figures.unhealed)
    faults = Line("answers cut off or 5xx, retried", f"{dict(figures.faults)} of {figures.requests} requests")
    longest = Line("longest until a request was answered well (s)", round(figures.longest_seconds, 1))
    return [*done, *found, unhealed, *(Line("  such as", each) for each in figures.unhealed[:5]), faults, longest]


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("outages", command.on_the_service(run), arguments)
