"""Database, Redis, the store and single processes away for a while, as customers order: one retry heals what they
meet, once the part is back.
"""

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from redis import Redis
from sqlalchemy import make_url

from app.settings import load_settings
from bench.soak import books, clock, cluster, command, disk, processes
from bench.soak.books import Line
from bench.soak.clock import Clock
from bench.soak.cluster import Cluster
from bench.soak.customers import Unhealed, ordering
from bench.soak.disk import Disk
from tests.journeys.service import Service

CUSTOMERS = 4
CUT_SECONDS = 2.0
"""So often are all connections to the database cut."""
LOOK_SECONDS = 0.2
CUT = """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
NOT_PAUSED = (processes.SUPERVISOR, processes.UP, "redis")
OWN = "own"
"""In place of the address of a PostgreSQL server: a cluster of the soak's own, which is restarted, too."""
JUMPS = (-90, 90)
"""Seconds: longer than every lease, shorter than a customer's patience."""
MODES = ("fast", "fast", "immediate")
"""How PostgreSQL is stopped: at times as if it had crashed."""


@dataclass(frozen=True, slots=True)
class Pace:
    """For how many seconds something is away, and for how many, between two figures, it is there again."""

    redis: float = 10.0
    process: float = 60.0
    store: float = 10.0
    slow: float = 20.0
    clock: float = 20.0
    between_restarts: tuple[float, float] = (20.0, 40.0)
    between_stores: tuple[float, float] = (8.0, 16.0)


@dataclass(slots=True)
class Parts:
    """What the soak has in hand besides the service: PostgreSQL, the store's disk and the clock, where they are its
    own.
    """

    cluster: Cluster | None = None
    disk: Disk | None = None
    clock: Clock | None = None


@dataclass(slots=True)
class Away:
    """When a part that requests cannot do without was away, by the monotonic clock."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    @contextlib.contextmanager
    def now(self) -> Iterator[None]:
        """The part is away until the block is left."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.spans.append((began, time.monotonic()))

    def at(self, each: Unhealed) -> bool:
        """Whether the second answer said no more than that the part was still, or again, away: 503."""
        met = any(began <= each.answered_at and each.sent_at <= ended for began, ended in self.spans)
        return met and each.status == 503


class Outages:
    """One run: what was done how often."""

    def __init__(self, service: Service, seed: int, pace: Pace, parts: Parts) -> None:
        self.done: Counter[str] = Counter()
        self.broken: list[str] = []
        self.away = Away()
        self.cuts = Away()
        self.longest_restart = 0.0
        self.over = threading.Event()
        self._service = service
        self._chance = random.Random(seed)
        self._pace = pace
        self._parts = parts

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """All outages, each after its own clock, until the block is left."""
        acts: list[Callable[[], None]] = [self._redis, self._workers]
        if self._service.environ.get("DATABASE_URL", "").startswith("postgresql"):
            acts.append(self._connections)
        if self._parts.cluster is not None:
            acts.append(self._restarts)
        if self._parts.disk is not None:
            acts.append(self._stores)
        if self._parts.clock is not None:
            acts.append(self._clock)
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
        try:
            while not self.over.is_set():
                act()
        except Exception as error:
            self.broken.append(repr(error))

    def _connections(self) -> None:
        url = make_url(self._service.environ["DATABASE_URL"]).set(drivername="postgresql")
        # PostgreSQL itself may be away at this moment.
        with (
            contextlib.suppress(psycopg.OperationalError),
            psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection,
        ):
            with self.cuts.now():
                cut = connection.execute(CUT).fetchone()
            self.done["connections to the database cut"] += cut[0] if cut else 0
        self.over.wait(CUT_SECONDS)

    def _restarts(self) -> None:
        assert self._parts.cluster is not None
        if self.over.wait(self._chance.uniform(*self._pace.between_restarts)):
            return
        mode, began = self._chance.choice(MODES), time.monotonic()
        with self.away.now():
            self._parts.cluster.restart(mode)
        self.longest_restart = max(self.longest_restart, time.monotonic() - began)
        self.done[f"PostgreSQL restarted: {mode}"] += 1

    def _stores(self) -> None:
        assert self._parts.disk is not None
        for what, act in (("full", self._parts.disk.fill), ("read-only", self._parts.disk.refuse)):
            if self.over.wait(self._chance.uniform(*self._pace.between_stores)):
                return
            with self.away.now():
                was = act(self._pace.store, self.over.wait)
            self.done[f"the store's disk {what} for a while"] += was is not False
        if self._pace.slow and not self.over.wait(self._chance.uniform(*self._pace.between_stores)):
            self._parts.disk.slow_down(self._pace.slow, self.over.wait)
            self.done["the store's disk slow for a while"] += 1

    def _clock(self) -> None:
        assert self._parts.clock is not None
        if self.over.wait(self._chance.uniform(*self._pace.between_stores)):
            return
        jump = self._chance.choice(JUMPS)
        self._parts.clock.set(jump)
        self.over.wait(self._pace.clock)
        self._parts.clock.set(0)
        self.done[f"clock set by {jump:+d} s, and back"] += 1

    def _redis(self) -> None:
        self.over.wait(self._chance.uniform(1, 4))
        Redis.from_url(self._service.redis_url()).flushdb()
        self.done["Redis wiped"] += 1
        self.over.wait(self._chance.uniform(1, 4))
        with contextlib.suppress(KeyError):
            self._pause(processes.by_kind(self._service)["redis"][0].pid, self._pace.redis)
            self.done["Redis stopped for a while"] += 1

    def _workers(self) -> None:
        there = processes.by_kind(self._service)
        kind = self._chance.choice(sorted(there.keys() - set(NOT_PAUSED)))
        self._pause(self._chance.choice(there[kind]).pid, self._pace.process)
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


def run(service: Service, seconds: float, seed: int, parts: Parts | None = None, pace: Pace = Pace()) -> list[Line]:
    """Let things go away for so long while customers order; then audit. The service is up before and after."""
    outages = Outages(service, seed, pace, parts or Parts())
    with ordering(service, CUSTOMERS, seed) as (figures, customers), outages.going_on():
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not figures.broken:
            time.sleep(LOOK_SECONDS)
    with service.books() as here:
        found = list(books.audited(here, customers, figures))
    faults = Line("answers cut off or 5xx, retried", f"{dict(figures.faults)} of {figures.requests} requests")
    longest = Line("longest until a request was answered well (s)", round(figures.longest_seconds, 1))
    return [*_done(outages), *found, *_unhealed(outages, figures.unhealed), faults, longest]


def _done(outages: Outages) -> Iterator[Line]:
    for what, count in sorted(outages.done.items()):
        yield Line(what, count)
    if outages.longest_restart:
        yield Line("longest that PostgreSQL took to restart (s)", round(outages.longest_restart, 1))
    yield Line("outages that could not be made", str(outages.broken or 0), not outages.broken)


def _unhealed(outages: Outages, met: Sequence[Unhealed]) -> Iterator[Line]:
    """A retry that comes while a part is away heals nothing, and says so: that is counted by itself."""
    bad = [each for each in met if not outages.away.at(each)]
    yield Line("answers of 5xx that one retry did not heal", len(bad), not bad)
    cut = sum(outages.cuts.at(each) for each in bad)
    yield Line("  of these, retries that the next cut of all connections met", cut)
    for each in bad[:5]:
        yield Line("  such as", each.what)
    yield Line("retries answered 503 while PostgreSQL or the store was away", len(met) - len(bad))


def around(parts: Parts, pace: Pace = Pace()) -> command.Around:
    """The store on a disk of its own, and a clock of the service's own, where there can be such."""

    @contextlib.contextmanager
    def with_parts(service: Service) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            slows = pace.slow > 0
            if reason := disk.missing(slows):
                print(f"the store has no disk of its own: {reason}", flush=True)
            else:
                place = load_settings(service.environ).storage_path
                parts.disk = stack.enter_context(disk.mounted(Path(place), slows))
            if pace.clock and not (reason := clock.missing()):
                parts.clock = Clock(service.data_dir.parent)
                service.environ.update(parts.clock.environ())
            elif pace.clock:
                print(f"the clock is not set: {reason}", flush=True)
            yield

    return with_parts


def soak(seconds: float, seed: int, server: str) -> list[Line]:
    """The soak of a whole service with all that can be taken away here."""
    with contextlib.ExitStack() as stack:
        parts = Parts()
        if server == OWN:
            parts.cluster = stack.enter_context(cluster.own_cluster())
            server = parts.cluster.url

        def on_parts(service: Service, seconds: float, seed: int) -> list[Line]:
            return run(service, seconds, seed, parts)

        return command.on_the_service(on_parts, around(parts))(seconds, seed, server)


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("outages", soak, arguments)
