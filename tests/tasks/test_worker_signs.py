"""Signs of life: a worker process gives them by itself, and one that was killed falls silent and is forgotten."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from redis import Redis

from app.adapters.queue_rq import RqQueue
from app.domain.ports import SIGN_SECONDS, QueueName
from app.services.staff.queue import SILENT_AFTER
from app.settings import Settings
from app.tasks import worker
from tests.waiting import PATIENCE_SECONDS, eventually

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from app.container import Container
from app.domain.ports import QueueName
from app.settings import Settings
from app.tasks import worker
settings = Settings(data_dir=sys.argv[1], database_url=sys.argv[2], redis_url=sys.argv[3])
worker.work(Container(settings), QueueName.MAIL)
"""


@pytest.fixture
def queue(redis_url: str) -> Iterator[RqQueue]:
    Redis.from_url(redis_url).flushdb()
    yield RqQueue(redis_url)
    Redis.from_url(redis_url).flushdb()


@pytest.fixture
def process(settings: Settings, redis_url: str, queue: RqQueue) -> Iterator[subprocess.Popen[bytes]]:
    """A worker of the mail queue."""
    command = [sys.executable, "-c", PROGRAM, str(settings.data_dir), settings.database_url, redis_url]
    with subprocess.Popen(command, cwd=ROOT) as started:
        eventually("the worker waits for a wake-up", lambda: any_waits(queue.connection))
        yield started
        started.kill()


def any_waits(connection: Redis) -> bool:
    """Whether a worker waits for a wake-up: before that it does not listen to signals yet."""
    return any(connection.hget(key, "state") == b"idle" for key in connection.keys("rq:worker:*"))


def test_a_worker_shows_that_it_lives_and_goes_when_it_is_told_to(
    process: subprocess.Popen[bytes], queue: RqQueue
) -> None:
    (sign,) = queue.workers()
    assert (sign.queue_names, sign.busy) == ((QueueName.MAIL,), False)
    assert sign.name.endswith(f", process {process.pid}")
    assert datetime.now(UTC) - sign.seen_at < SILENT_AFTER
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE_SECONDS)
    assert queue.workers() == []


def test_a_killed_worker_gives_no_sign_any_more_and_is_forgotten(
    process: subprocess.Popen[bytes], queue: RqQueue
) -> None:
    (before,) = queue.workers()
    process.kill()
    process.wait(PATIENCE_SECONDS)
    assert queue.workers() == [before], "nobody could say goodbye for it"
    (key,) = queue.connection.keys("rq:worker:*")
    assert 0 < queue.connection.ttl(key) <= 2 * 60, "in two minutes, as the page says"
    queue.connection.delete(key)
    assert queue.workers() == []


def test_a_waiting_worker_signs_three_times_before_it_counts_as_silent() -> None:
    made = worker._worker(worker.SimpleWorker, [worker.Queue(QueueName.MAIL, connection=Redis())])
    assert made.dequeue_timeout == made.job_monitoring_interval == SIGN_SECONDS
    assert timedelta(seconds=3 * SIGN_SECONDS) == SILENT_AFTER
