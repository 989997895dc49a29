"""What many orders a day take of each part, told from what one order takes here: which part ends first.

Usage: python -m bench.capacity [--orders-a-day 1000000] [--photos 10] [--engine-seconds 2.0] [--server URL]

Orders are placed over the API, uploaded, worked on (by an engine that takes no time), delivered to webhooks and
downloaded, on PostgreSQL and Redis, in one process. Processor seconds of this process and of PostgreSQL, bytes of
its log, commits and Redis commands are counted, so other work on the machine tells little. What RQ's workers send
to Redis beside is not in it, nor what clients of pages read.
"""

import argparse
import io
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from redis import Redis
from sqlalchemy import make_url, select

from app.application import create_app
from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import DeliveryState
from app.models import Delivery
from app.settings import Settings
from bench.tables import say_where, show
from tests import redis_server, scenes
from tests.conftest import Api, new_api, work
from tests.databases import server_database
from tests.fakes import FakeClock, FakeEngine
from tests.services.hooks import FakeTransport

ORDERS = 30
STATUS_QUESTIONS = 10
"""How often a program asks for the status of one order."""
PEAK = 3.0
"""The busiest hour against the mean of the day."""
BUSY = 0.6
"""How busy a core may be at the peak, so that answers do not wait for each other."""
ONE_DATABASE = 32
"""Cores of the largest PostgreSQL that is counted on here."""
DAY_SECONDS = 86_400
KEPT_DAYS = 7
PHOTO_BYTES = 6_000_000
"""A photo as cameras make it; its result is about as large, its small pictures a tenth."""


@dataclass(slots=True)
class Used:
    """What all orders took: processor seconds of this process by kind, those of PostgreSQL, and counts."""

    seconds: dict[str, float]
    database_seconds: float = 0.0
    log_bytes: int = 0
    commits: int = 0
    table_bytes: int = 0
    redis_commands: int = 0


class Meter:
    """Reads the servers' own counters."""

    def __init__(self, url: str, redis_url: str) -> None:
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._database = psycopg.connect(plain, autocommit=True)
        self._redis = Redis.from_url(redis_url)

    def read(self) -> Used:
        """What was used since the servers were started."""
        told = self._database.execute(
            "SELECT pg_current_wal_lsn() - '0/0', xact_commit, pg_database_size(current_database())"
            " FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
        log, commits, size = map(int, told or (0, 0, 0))
        commands = int(self._redis.info("stats")["total_commands_processed"])
        return Used({}, _database_seconds(), log, commits, size, commands)


def _database_seconds() -> float:
    """Of all server processes, and of those that they waited for."""
    postgres = [each for each in psutil.process_iter(["name"]) if each.info["name"] == "postgres"]
    return sum(sum(each.cpu_times()[:2]) for each in postgres if each.is_running()) + sum(
        sum(each.cpu_times()[2:4]) for each in postgres if each.parent() not in postgres
    )


@contextmanager
def fresh(server: str) -> Iterator[tuple[Container, Api, Meter]]:
    """The application on a database of its own and a Redis of its own, with a customer who has a webhook."""
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_server.run_server(Path(folder) / "redis") as redis_url,
        server_database(f"capacity_{os.getpid()}", server=server) as url,
    ):
        given = {"database_url": url, "redis_url": redis_url, "secret_key": "s" * 32}
        container = Container(Settings(data_dir=Path(folder), base_url="http://localhost", **given), FakeClock())
        container.engine, container.transport = FakeEngine(), FakeTransport()
        api = new_api(create_app(container=container), container, "bench@example.com", "100000")
        answer = api.post("/webhooks", {"url": "https://hooks.example.com/"})
        if answer.status_code >= 300:
            raise RuntimeError(answer.text)
        try:
            yield container, api, Meter(url, redis_url)
        finally:
            container.database.engine.dispose()


def measure(container: Container, api: Api, meter: Meter, photo_count: int) -> Used:
    """What ORDERS orders of so many photos take."""
    photo, seconds = scenes.encoded(scenes.room(640, 427)), dict.fromkeys(("web", "workers", "webhooks"), 0.0)

    def count(kind: str, act: Callable[[], object]) -> None:
        begun = time.process_time()
        act()
        seconds[kind] += time.process_time() - begun

    _order(container, api, photo, 1, lambda _, act: act())
    before = meter.read()
    for _ in range(ORDERS):
        _order(container, api, photo, photo_count, count)
    # PostgreSQL adds up its figures a little later.
    time.sleep(1.5)
    after = meter.read()
    return Used(
        seconds,
        after.database_seconds - before.database_seconds,
        after.log_bytes - before.log_bytes,
        after.commits - before.commits,
        after.table_bytes - before.table_bytes,
        after.redis_commands - before.redis_commands,
    )


def _order(
    container: Container,
    api: Api,
    photo: bytes,
    photo_count: int,
    count: Callable[[str, Callable[[], object]], object],
) -> None:
    placed: list[str] = []
    count("web", lambda: placed.append(api.order(interior=[photo] * photo_count)["jobId"]))
    count("workers", lambda: work(container))
    for _ in range(STATUS_QUESTIONS):
        count("web", lambda: api.status(placed[0]))
    count("web", lambda: _download(api, placed[0]))
    count("webhooks", lambda: _deliver(container))


def _download(api: Api, job_id: str) -> None:
    for image in api.get(f"/downloads/{job_id}").get_json()["images"]:
        io.BytesIO(api.client.get(image["url"]).data).read()


def _deliver(container: Container) -> None:
    with container.database.read_session() as session:
        waiting = session.scalars(select(Delivery.id).where(Delivery.state == DeliveryState.WAITING)).all()
    for each in waiting:
        container.dispatch.deliver(each, QueueName.HOOKS_FAST)


def project(used: Used, orders_a_day: int, photo_count: int, engine_seconds: float) -> list[tuple[object, ...]]:
    """A line for each part: what one order takes, what the peak takes, and how much of what one machine has."""
    peak = PEAK * orders_a_day / DAY_SECONDS
    cores = {
        "web processes": used.seconds["web"] / ORDERS,
        "workers, beside the engine": used.seconds["workers"] / ORDERS,
        "workers, the engine": engine_seconds * photo_count,
        "senders of webhooks": used.seconds["webhooks"] / ORDERS,
    }
    lines: list[tuple[object, ...]] = [
        (name, f"{1000 * each:,.0f} ms", f"{each * peak / BUSY:,.0f} cores", "more machines")
        for name, each in cores.items()
    ]
    database = used.database_seconds / ORDERS
    needed = database * peak / BUSY
    lines.append(
        ("PostgreSQL", f"{1000 * database:,.0f} ms", f"{needed:,.0f} cores", f"{needed / ONE_DATABASE:.1f} of one")
    )
    for name, amount, unit, scale in (
        ("its log", used.log_bytes, "MB", 1e6),
        ("commits", used.commits, "", 1),
        ("Redis commands", used.redis_commands, "", 1),
    ):
        each = amount / ORDERS / scale
        lines.append((name, f"{each:,.2f} {unit}", f"{each * peak:,.0f} {unit}/s", ""))
    kept = used.table_bytes / ORDERS * orders_a_day * KEPT_DAYS / 1e9
    lines.append(
        (f"tables, after {KEPT_DAYS} days", f"{used.table_bytes / ORDERS / 1e3:,.0f} kB", f"{kept:,.0f} GB", "")
    )
    stored = photo_count * PHOTO_BYTES * 2.2
    moved = f"{stored * peak * 8 / 1e9:,.0f} Gbit/s"
    lines.append(
        (
            f"files, {KEPT_DAYS} days",
            f"{stored / 1e6:,.0f} MB",
            moved,
            f"{stored * orders_a_day * KEPT_DAYS / 1e15:,.1f} PB",
        )
    )
    return lines


def main() -> None:
    """Measure one order, print what a day of many takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders-a-day", type=int, default=1_000_000)
    parser.add_argument("--photos", type=int, default=10, help="of one order")
    parser.add_argument("--engine-seconds", type=float, default=2.0, help="of a core for one photo: bench.costs")
    parser.add_argument("--server", default="postgresql://postgres@127.0.0.1:5432")
    given = parser.parse_args()
    say_where()
    with fresh(given.server) as (container, api, meter):
        used = measure(container, api, meter, given.photos)
    title = (
        f"{given.orders_a_day:,} orders a day of {given.photos} photos, the busiest hour {PEAK:g} times the mean"
    )
    show(
        title,
        ("", "one order", "at the peak", ""),
        project(used, given.orders_a_day, given.photos, given.engine_seconds),
    )


if __name__ == "__main__":
    main()
