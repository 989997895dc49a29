"""What several hosts of one service share: a network, PostgreSQL, Redis and a store that speaks S3, for one run."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

from redis import Redis, RedisError

from app.adapters import redis_embedded
from bench.soak import cluster
from bench.soak.cluster import Cluster
from tests import databases, networks, s3_servers
from tests.journeys.host import Place
from tests.journeys.service import Service
from tests.ports import KeptPort
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import eventually

WANTED = os.environ.get("TEST_HOSTS", "") not in {"", "0"}
"""Whether the whole services of this run are on several hosts: `make test-hosts`."""
LOOPBACK = "127.0.0.1"
DATABASES = 64
"""Of Redis: each service has one."""
WEB_PROGRAMS = "web,sweeper,hooks-fast,hooks-slow,mail"
"""Receivers of webhooks are programs of the tests on this machine, so their senders are here, too."""
WORK_PROGRAMS = "photos,previews"


class RedisServer:
    """A Redis that keeps nothing when it ends."""

    def __init__(self, address: str) -> None:
        self._port = KeptPort(address)
        self._address = address
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, number: int) -> str:
        """The address of one of its databases."""
        return f"redis://{self._address}:{self._port.number}/{number}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = {
            "bind": self._address,
            "port": str(self._port.number),
            "databases": str(DATABASES),
            "protected-mode": "no",
            "save": "",
            "appendonly": "no",
            "maxmemory-policy": "noeviction",
        }
        given = (word for name, value in options.items() for word in (f"--{name}", value))
        self._process = subprocess.Popen((str(redis_embedded.binary()), *given), stdout=subprocess.DEVNULL)
        eventually("Redis answers", self._answers)

    def kill(self) -> None:
        """End it at once, with all that it knows."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def end(self) -> None:
        """End it for good."""
        self.kill()
        self._port.let_go()

    def _answers(self) -> bool:
        try:
            return bool(Redis.from_url(self.url(0)).ping())
        except RedisError:
            return False


class SharedServers:
    """The servers, and the places of hosts that reach them. `address`: where hosts reach this machine."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._numbers = count(1)
        self.missing_network = networks.missing()
        self._network = None if self.missing_network else stack.enter_context(networks.network())
        self.address = self._network.address if self._network else LOOPBACK
        self.cluster: Cluster = stack.enter_context(cluster.own_cluster(self.address))
        self.redis = RedisServer(self.address)
        stack.callback(self.redis.end)
        self.redis.start()
        self.store: S3Server = stack.enter_context(s3_servers.rclone(folder / "store", self.address))

    @contextmanager
    def settings(self) -> Iterator[dict[str, str]]:
        """For one service: a database, a number of Redis and a prefix of the store of its own."""
        number = next(self._numbers)
        with databases.server_database(f"hosts_{number}", server=self.cluster.url) as url:
            shared = {"DATABASE_URL": url, "REDIS_URL": self.redis.url(number), "SECRET_KEY": "k" * 32}
            yield {**shared, **self.store.settings(f"service/{number}")}

    def files(self, settings: Mapping[str, str]) -> list[str]:
        """Everything that lies in the store of the service with these settings."""
        prefix = settings["STORAGE_URL"].removeprefix(f"s3://{BUCKET}/")
        return [each for each in self.store.names() if each.startswith(f"{prefix}/")]

    @contextmanager
    def service(self, folder: Path, workers: Sequence[int] = (1, 1), **settings: str) -> Iterator[Service]:
        """A service on a host for web and one for each of these numbers of workers, ready."""
        with (
            self.settings() as own,
            self.places(workers) as places,
            Service(folder, places=places, **{**own, **settings}).running() as made,
        ):
            yield made

    @contextmanager
    def places(self, workers: Sequence[int]) -> Iterator[list[Place]]:
        """A host for web on this machine, and one for each of these numbers of workers, in networks of their own
        where there can be such.
        """
        with ExitStack() as stack:
            made = [Place("web", {"PROGRAMS": WEB_PROGRAMS})]
            for number, processes in enumerate(workers, 1):
                namespace = stack.enter_context(self._network.host()) if self._network else None
                own = {"PROGRAMS": WORK_PROGRAMS, "WORKERS": str(processes)}
                made.append(Place(f"worker-{number}", own, namespace))
            yield made


def missing() -> str:
    """Why there can be no such servers here; nothing where there can."""
    return cluster.missing()


@contextmanager
def shared_servers(folder: Path) -> Iterator[SharedServers]:
    """The servers, running until the block is left."""
    with ExitStack() as stack:
        yield SharedServers(stack, folder)
