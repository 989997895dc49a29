"""One account orders ten thousand photos, others one each: how long the others wait, beside what they wait alone.

Usage: python -m bench.soak flood [--photos 10000] [--workers 2] [--orders 20] [--seconds 0.1] [--database URL]

Rings, turns and rows are real, on SQLite or the given database; the engine only takes its time for each photo.
"""

import argparse
import tempfile
import threading
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import func, select

from app.container import Container
from app.domain.budgets import Payer
from app.domain.lifecycle import Status, WorkState
from app.domain.order_files import MAX_PHOTOS
from app.domain.order_rules import read_order
from app.domain.ports import FileStat, QueueName
from app.migrations import migrate
from app.models import Job, Photo
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.orders import orders
from app.services.uploads import uploads
from app.settings import Settings
from bench.tables import say_where, show, spread
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import WorkSize
from engine.types.pictures import Enhanced
from tests.conftest import PHOTO, photo_worker
from tests.fakes import FakeEngine, FakeQueue

PAUSE_SECONDS = 0.002
ADDRESS = "12 Garden Lane, Springfield, IL 62704"


class SlowEngine(FakeEngine):
    """Takes so many seconds for each photo."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """The photo as it came, after a while."""
        time.sleep(self._seconds)
        return super().enhance(photo, request, context)


def customer(container: Container, email: str, amount: int) -> str:
    """An account with so many credits; its id."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock())
        credits.adjust(session, member.organization_id, Decimal(amount), "Opening balance", container.clock())
        return member.organization_id


def order(container: Container, account_id: str, photos: int) -> list[str]:
    """Place orders for so many photos, as few as that takes; the ids of their jobs."""
    counts = [MAX_PHOTOS] * (photos // MAX_PHOTOS) + [photos % MAX_PHOTOS] * (photos % MAX_PHOTOS > 0)
    return [_order(container, account_id, count) for count in counts]


def _order(container: Container, account_id: str, count: int) -> str:
    now, storage = container.clock(), container.storage
    with container.database.unit_of_work() as session:
        upload_session = uploads.open_session(
            session, account_id, container.upload_quota, now, interior_count=count
        )
    keys = [slot.key for slot in uploads.list_slots(upload_session)]
    with uploads.PhotoUpload(storage, keys[0]) as reception:
        reception.take(PHOTO)
        reception.end()
    for key in keys[1:]:
        storage.copy(keys[0], key)
    fields = {
        "address": ADDRESS,
        "serviceType": "interior",
        "uploadSessionId": upload_session.id,
        "interiorFiles": [{"filePath": key} for key in keys],
        "interiorEnhancements": ["hdr_enhancement"],
    }
    placed = read_order(fields, False)
    found = {key: FileStat(len(PHOTO), "") for key in keys}
    with container.database.unit_of_work() as session:
        payer, now = Payer(account_id), container.clock()
        return orders.place(session, payer, placed, found, now, container.time_limit).job.id


def run(container: Container, stop: threading.Event) -> None:
    """Answer wake-ups as a worker does, until told to stop."""
    while not stop.is_set():
        try:
            photo_id = container.queue.queues[QueueName.PHOTOS].pop(0)
        except IndexError:
            stop.wait(PAUSE_SECONDS)
            continue
        photo_worker(container).answer(photo_id, WorkSize.LIGHT)


def waits(container: Container, account_id: str, count: int) -> list[float]:
    """Seconds from each of so many orders of one photo, one after the other, to its result."""
    return [_wait(container, account_id) for _ in range(count)]


def _wait(container: Container, account_id: str) -> float:
    (job_id,), started = order(container, account_id, 1), time.perf_counter()
    while True:
        with container.database.read_session() as session:
            if session.get_one(Job, job_id).status not in (Status.PENDING, Status.PROCESSING):
                return time.perf_counter() - started
        time.sleep(PAUSE_SECONDS)


def measured(container: Container, photos: int, workers: int, count: int) -> tuple[list[float], list[float], int]:
    """The waits alone, the waits during the flood, and how many photos of the flood were done by then."""
    flooding = customer(container, "flood@example.com", photos)
    other = customer(container, "one@example.com", 4 * count)
    stop = threading.Event()
    threads = [threading.Thread(target=run, args=(container, stop)) for _ in range(workers)]
    for thread in threads:
        thread.start()
    try:
        alone = waits(container, other, count)
        placed = order(container, flooding, photos)
        beside = waits(container, other, count)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    with container.database.read_session() as session:
        made = select(func.count()).where(Photo.job_id.in_(placed), Photo.state == WorkState.DONE)
        done = session.scalar(made) or 0
    return alone, beside, done


def main(arguments: Sequence[str]) -> int:
    """Run the flood and print the waits; 1 when the median of the others' is more than twice that alone."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak flood", description=__doc__)
    parser.add_argument("--photos", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--orders", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.1, help="what the engine takes for a photo")
    parser.add_argument("--database", default="", help="an empty database; SQLite in a temporary folder without it")
    asked = parser.parse_args(arguments)
    say_where()
    with tempfile.TemporaryDirectory() as folder:
        given = {"database_url": asked.database} if asked.database else {}
        settings = Settings(data_dir=Path(folder), secret_key="s" * 32, **given)
        container = Container(settings)
        container.queue, container.engine = FakeQueue(), SlowEngine(asked.seconds)
        migrate(container.database)
        alone, beside, done = measured(container, asked.photos, asked.workers, asked.orders)
    rows = [(name, *(f"{1000 * each:.0f}" for each in spread(found))) for name, found in _named(alone, beside)]
    show(f"{done} of {asked.photos} photos of the flood were done", ("milliseconds", "median", "p90", "max"), rows)
    ratio = spread(beside)[0] / spread(alone)[0]
    print(f"\nthe others wait {ratio:.2f} times as long as alone")
    return int(ratio > 2)


def _named(alone: list[float], beside: list[float]) -> list[tuple[str, list[float]]]:
    return [("alone", alone), ("beside the flood", beside)]
