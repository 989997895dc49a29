"""A service on several hosts whose servers go away, and whose worker hosts are cut off, as customers order: how
long until all that was accepted before is done.
"""

import random
import signal
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import psutil
from sqlalchemy import select

from app.domain.lifecycle import WorkState
from app.models import Photo
from bench.soak import books, command, kills
from bench.soak.books import Line
from bench.soak.customers import ordering, undelivered
from tests import scenes
from tests.conftest import order_body
from tests.journeys.host import Host
from tests.journeys.servers import SharedServers, shared_servers
from tests.journeys.service import Service

CUSTOMERS = 4
AIM_SECONDS = 35
"""The lease of a photo in the hands of a host that is away, and the sweep that finds it."""
WORK_SECONDS = 10
"""What a busy machine may take to work on what was found again."""
STUCK_SECONDS = 180
LOOK_SECONDS = 0.1
BETWEEN_SECONDS = (2.0, 5.0)
SLOW = ("--bwlimit", "20k")
"""Of rclone: bytes a second, all requests together."""
TAKEN_UP = "a worker host cut off: what it had in hand taken up by another"
ONE_LESS = "all accepted before that, by one host less"
"""Its own work included, which has no aim."""
PHOTOS = 4
ROOM = scenes.encoded(scenes.room(1500, 1000))
"""It takes long enough to be cut off from."""


@contextmanager
def store_stopped(shared: SharedServers) -> Iterator[None]:
    """The store is away."""
    shared.store.kill()
    try:
        yield
    finally:
        shared.store.start()


@contextmanager
def store_slow(shared: SharedServers) -> Iterator[None]:
    """The store takes its time."""
    shared.store.kill()
    shared.store.start(*SLOW)
    try:
        yield
    finally:
        shared.store.kill()
        shared.store.start()


@contextmanager
def redis_stopped(shared: SharedServers) -> Iterator[None]:
    """Redis is away, and has forgotten everything when it is back."""
    shared.redis.kill()
    try:
        yield
    finally:
        shared.redis.start()


@contextmanager
def database_stopped(shared: SharedServers) -> Iterator[None]:
    """PostgreSQL has ended its connections, and is away."""
    shared.cluster.stop("fast")
    try:
        yield
    finally:
        shared.cluster.start()


@contextmanager
def database_crashed(shared: SharedServers) -> Iterator[None]:
    """PostgreSQL has crashed; it reads its log when it is back."""
    shared.cluster.stop("immediate")
    try:
        yield
    finally:
        shared.cluster.start()


OUTAGES: dict[str, Callable[[SharedServers], AbstractContextManager[None]]] = {
    "the store stopped": store_stopped,
    "the store slow": store_slow,
    "Redis stopped, and empty again": redis_stopped,
    "PostgreSQL stopped": database_stopped,
    "PostgreSQL crashed": database_crashed,
}
"""What may go away until a block is left."""


def claims(service: Service) -> set[str]:
    """Those of the photos in the hands of workers, alive or dead."""
    working = select(Photo.claim_id).where(Photo.state == WorkState.WORKING)
    with service.books() as here, here.database.read_session() as session:
        return {each for each in session.scalars(working) if each}


def cut_off_at_work(service: Service, host: Host) -> bool:
    """Cut the host off while it holds a photo; False, with nothing done, where it may be between two photos.

    Every host has one worker. All are stopped for the look, so that none lets go of its photo meanwhile.
    """
    assert host.namespace is not None
    at_work = [each.at_photos() for each in service.hosts[1:]]
    stopped = list(chain.from_iterable(at_work))
    try:
        for process in stopped:
            _tell(process, signal.SIGSTOP)
        if not all(at_work) or len(claims(service)) != len(at_work):
            return False
        host.namespace.cut()
        return True
    finally:
        for process in stopped:
            _tell(process, signal.SIGCONT)


def _tell(process: psutil.Process, number: int) -> None:
    with suppress(psutil.NoSuchProcess):
        process.send_signal(number)


@dataclass
class Hosts:
    """One run: seconds until all was done again, by what had been away."""

    service: Service
    shared: SharedServers
    chance: random.Random
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    over: threading.Event = field(default_factory=threading.Event)

    def meet(self, name: str, away_seconds: float) -> None:
        """Let it be away for so long, and count the seconds from its return until all accepted before is done."""
        with OUTAGES[name](self.shared):
            self.over.wait(away_seconds)
        self._count_all(name)

    def cut_off(self, host: Host) -> None:
        """Cut the host off at work; count until others have done what was accepted, then until it works again."""
        assert host.namespace is not None
        client = self.service.client()
        client.order(client.upload({"interior": [ROOM] * PHOTOS}), **order_body())
        if not self._waited(lambda: cut_off_at_work(self.service, host)):
            return
        before, began, in_hand = set(host.at_photos()), time.monotonic(), claims(self.service)
        try:
            self._count(TAKEN_UP, lambda: in_hand.isdisjoint(claims(self.service)), began)
            self._count_all(ONE_LESS, began)
        finally:
            host.namespace.join()
        self._count(
            "its link back, until it works again", lambda: not before.issuperset(host.at_photos()), time.monotonic()
        )

    def _count_all(self, name: str, began: float | None = None) -> None:
        with self.service.books() as here:
            before = here.clock()
        began = began or time.monotonic()
        self._count(f"{name}: photos", lambda: not kills.unfinished(self.service, before), began)
        self._count(f"{name}: deliveries", lambda: not undelivered(self.service, before), began)

    def _count(self, name: str, look: Callable[[], bool], began: float) -> None:
        self._waited(look)
        self.seconds[name].append(time.monotonic() - began)

    def _waited(self, look: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + STUCK_SECONDS
        while not (seen := look()) and time.monotonic() < deadline:
            self.over.wait(LOOK_SECONDS)
        return seen

    def lines(self) -> list[Line]:
        """Recovery by what had been away."""
        return [
            Line(
                f"away: {name}",
                f"{len(each)} times; done after {', '.join(f'{seconds:.1f}' for seconds in each)} s",
                name.startswith(ONE_LESS) or max(each) <= AIM_SECONDS + WORK_SECONDS,
            )
            for name, each in self.seconds.items()
        ]


def run(service: Service, shared: SharedServers, seconds: float, seed: int, away_seconds: float = 10) -> list[Line]:
    """Let one thing after the other go away for so long while customers order, each once at least; then audit."""
    hosts = Hosts(service, shared, random.Random(seed))
    began = time.monotonic()
    with ordering(service, CUSTOMERS, seed) as (figures, customers):
        while not hosts.seconds or time.monotonic() - began < seconds:
            for name in hosts.chance.sample(sorted(OUTAGES), len(OUTAGES)):
                hosts.over.wait(hosts.chance.uniform(*BETWEEN_SECONDS))
                hosts.meet(name, away_seconds)
            if not shared.missing_network:
                hosts.cut_off(hosts.chance.choice(service.hosts[1:]))
    with service.books() as here:
        found = list(books.audited(here, customers, figures))
    longest = Line(
        "longest from an order's answer until it had settled (s)", round(figures.longest_order_seconds, 1)
    )
    return [*hosts.lines(), *found, longest, Line("answers cut off or 5xx, retried", dict(figures.faults))]


def soak(seconds: float, seed: int, _server: str) -> list[Line]:
    """The soak, on servers of its own; the store is looked through afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="brightlist-soak-") as name,
        shared_servers(Path(name)) as shared,
    ):
        if shared.missing_network:
            print(f"hosts share this machine's network: {shared.missing_network}", flush=True)
        with shared.service(Path(name), ALLOW_PRIVATE_WEBHOOKS="1") as service:
            found = run(service, shared, seconds, seed)
            stopped = service.stop()
            with service.books() as here:
                left = list(books.store(here, lambda: shared.files(service.environ)))
    return [*found, Line("exit status of the service", stopped, stopped == 0), *left]


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("hosts", soak, arguments)
