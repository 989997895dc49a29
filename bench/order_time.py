"""What a photo takes beside the engine: from its order's commit to its result, less the engine's own seconds.

Usage: python -m bench.order_time [--orders 50] [--large 5] [--servers postgresql://… redis://…/N]

The whole service on SQLite with its embedded Redis, then on the given servers; its workers on photos are those of
the service, with an engine that notes how long it took. Orders of one photo, each placed when the workers are idle,
then orders of ten. From the job's creation, which is before its commit, until this process has seen the result. How
many times longer the engine takes than it has of a processor says how far other work slows everything down.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import select

from app import monitoring
from app.connections import WORK
from app.container import Container
from app.domain.lifecycle import UNSETTLED
from app.domain.ports import Engine, QueueName
from app.models import Job
from app.settings import load_settings
from app.supervision.programs import list_programs
from app.tasks.worker import work
from bench.customers import Customer
from bench.serving import Place, place
from bench.tables import say_where, show
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced
from tests import databases, scenes

WORKERS = 2
LARGE = 10
END_SECONDS = 900
POLL_SECONDS = 0.005


class NotingEngine:
    """The engine given, which adds a line to a file after each piece of work: seconds, and processor seconds."""

    def __init__(self, engine: Engine, notes: Path) -> None:
        self._engine, self._notes = engine, notes

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """As the engine does."""
        with self._noted():
            return self._engine.enhance(photo, request, context)

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """As the engine does."""
        with self._noted():
            return self._engine.estimate_light(photo)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        began, used = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            with self._notes.open("a") as notes:
                notes.write(f"{time.perf_counter() - began} {time.process_time() - used}\n")


def work_and_note(notes: Path) -> None:
    """One of the service's workers on photos, whose engine notes its seconds."""
    settings = load_settings()
    monitoring.start(settings, QueueName.PHOTOS)
    container = Container(settings, connections=WORK)
    container.engine = NotingEngine(container.engine, notes)
    work(container, QueueName.PHOTOS)


@contextmanager
def service(**settings: Any) -> Iterator[tuple[Place, Customer, Path]]:
    """The service with such workers, a customer, and the file of the notes."""
    with place(workers=WORKERS, **settings) as here:
        notes = here.output.with_name("notes")
        notes.touch()
        customer = Customer(here.url, here.account())
        own = (sys.executable, "-m", "bench.order_time", "--work", str(notes))
        for program in list_programs(here.settings):
            here.start(*(own if program.name.startswith("worker-") else program.command))
        here.wait_for(f"{here.url}/readyz")
        yield here, customer, notes


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds from an order's creation to its end, those of the engine among them, and its processor seconds."""

    whole: float
    engine: float
    processor: float


def measured(container: Container, customer: Customer, notes: Path, photo: bytes, count: int) -> Taken:
    """What one order of so many photos takes."""
    before = len(notes.read_text())
    job_id = customer.order(photo, count)
    ended_at = _end_of(container, job_id)
    with container.database.read_session() as session:
        created_at = session.get_one(Job, job_id).created_at
    figures = [float(each) for each in notes.read_text()[before:].split()]
    return Taken((ended_at - created_at).total_seconds(), sum(figures[::2]), sum(figures[1::2]))


def _end_of(container: Container, job_id: str) -> datetime:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        with container.database.read_session() as session:
            if session.scalar(select(Job.status).where(Job.id == job_id)) not in UNSETTLED:
                return datetime.now(UTC)
        time.sleep(POLL_SECONDS)
    raise TimeoutError(f"{job_id} did not end")


def rows(name: str, given: argparse.Namespace, **settings: Any) -> Iterator[tuple[str, ...]]:
    """Both series on one database."""
    photo = scenes.encoded(scenes.room(640, 427))
    with service(**settings) as (here, customer, notes):
        container = Container(here.settings)
        try:
            for count in (1, LARGE):
                measured(container, customer, notes, photo, count)  # the first of all loads and compiles
            ones = [measured(container, customer, notes, photo, 1) for _ in range(given.orders)]
            larges = [measured(container, customer, notes, photo, LARGE) for _ in range(given.large)]
        finally:
            container.database.engine.dispose()
    yield _row(f"{name}: order of 1 photo", ones, [each.whole - each.engine for each in ones], 1)
    beside = [(WORKERS * each.whole - each.engine) / LARGE for each in larges]
    yield _row(f"{name}: order of {LARGE}, a photo's share of {WORKERS} workers", larges, beside, LARGE)


def _row(name: str, found: list[Taken], beside: list[float], count: int) -> tuple[str, ...]:
    ordered = sorted(beside)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    engine = statistics.median(each.engine / count for each in found)
    processor = statistics.median(each.processor / count for each in found)
    figures = (statistics.median(ordered), late, ordered[-1], engine, processor)
    return (name, str(len(found)), *(f"{1000 * each:.0f}" for each in figures))


def main() -> None:
    """Print what a photo takes beside the engine; or, as a process of the service, work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders", type=int, default=50)
    parser.add_argument("--large", type=int, default=5)
    parser.add_argument("--servers", nargs=2, metavar=("DATABASE", "REDIS"))
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work is not None:
        work_and_note(given.work)
        return
    say_where()
    lines = list(rows("SQLite", given))
    if given.servers is not None:
        server, redis_url = given.servers
        with databases.server_database("brightlist_bench_order_time", server=server) as url:
            lines += rows("PostgreSQL", given, database_url=url, redis_url=redis_url, secret_key="b" * 32)
    head = ("milliseconds beside the engine", "orders", "median", "p99", "max", "engine", "its processor")
    show("From the creation of an order to its result, less the engine's time", head, lines)


if __name__ == "__main__":
    main()
