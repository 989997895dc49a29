"""The process that Prometheus asks: adds up what this machine's processes counted, and looks into the database.

It listens on a port of its own. A path of the public listener would have to be kept shut in every proxy, or guarded
by a token that somebody must rotate; and it would fall silent with the web processes of which it is to tell.
"""

import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from app import metrics
from app.database import UNAVAILABLE, Database
from app.domain.ports import Queue, QueueName
from app.services import audit
from app.services.staff import queue as staff_queue
from app.services.staff.queue import SILENT_AFTER, Due, ServiceHealth
from app.settings import Settings

log = logging.getLogger(__name__)

LEDGER_CHECK_SECONDS = 3600.0
"""It reads all jobs and all lines of the ledger."""
RETRY_SECONDS = 60.0
PURCHASES = "purchases"


@dataclass(eq=False)
class ServiceCollector(Collector):
    """What the database and Redis say of the whole service, looked up at each scrape: the same on every machine."""

    database: Database
    queue: Queue
    clock: Callable[[], datetime]
    ledger: tuple[float, float, float] | None = None
    """What the last check of credits against their ledger found: mismatches, time, and seconds that it took."""

    def check_ledger(self) -> None:
        """Check now, for the scrapes to come; each mismatch is logged."""
        begun = time.monotonic()
        with self.database.read_session() as session:
            if session.get_bind().dialect.name == "postgresql":
                # One moment for all statements: else each order placed meanwhile would be a mismatch.
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            mismatches = list(audit.ledger_mismatches(session))
        for each in mismatches:
            log.error("the ledger does not agree: %s", each)
        self.ledger = len(mismatches), self.clock().timestamp(), time.monotonic() - begun

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All of it; of what is away only that it is."""
        now = self.clock()
        health = self._health(now)
        yield metrics.DATABASE_UP.family([((), float(health is not None))])
        if health is not None:
            yield from _of_database(health, now)
        yield from self._workers(now)
        if self.ledger is not None:
            each = (metrics.LEDGER_MISMATCHES, metrics.LEDGER_CHECKED, metrics.LEDGER_SECONDS)
            yield from (metric.family([((), value)]) for metric, value in zip(each, self.ledger, strict=True))

    def _health(self, now: datetime) -> ServiceHealth | None:
        try:
            with self.database.read_session() as session:
                return staff_queue.health(session, now)
        except UNAVAILABLE as away:
            log.warning("the database is away: %s", away)
            return None

    def _workers(self, now: datetime) -> Iterator[GaugeMetricFamily]:
        state = staff_queue.read_state(self.queue)
        yield metrics.REDIS_UP.family([((), float(state is not None))])
        if state is not None:
            living = Counter(
                name for sign in state.workers if now - sign.seen_at < SILENT_AFTER for name in sign.queue_names
            )
            yield metrics.WORKERS.family([((name.value,), living[name]) for name in QueueName])


def _of_database(health: ServiceHealth, now: datetime) -> Iterator[GaugeMetricFamily]:
    due = {**{name.value: each for name, each in health.queues.items()}, PURCHASES: health.purchases}
    yield metrics.QUEUE_DUE.family([((name,), each.count) for name, each in due.items()])
    yield metrics.QUEUE_AGE.family([((name,), _age(each, now)) for name, each in due.items()])
    yield metrics.ORIGINALS_LOST.family([((), float(sum(len(each.numbers) for each in health.lost)))])
    if health.sweeper_at is not None:
        yield metrics.SWEEPER_SEEN.family([((), health.sweeper_at.timestamp())])


def _age(due: Due, now: datetime) -> float:
    return max(now - due.since, timedelta(0)).total_seconds() if due.since else 0.0


def registry_of(settings: Settings, collector: Collector | None) -> CollectorRegistry:
    """What a scrape reads: the files of this machine's processes and, with a `collector`, the whole service."""
    registry = CollectorRegistry()
    settings.metrics_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    MultiProcessCollector(registry, str(settings.metrics_folder))
    if collector is not None:
        registry.register(collector)
    return registry


def run_forever(settings: Settings, collector: ServiceCollector | None) -> None:
    """Serve METRICS_HOST:METRICS_PORT until SIGTERM or SIGINT, and check the ledger now and then.

    Without a `collector` only what this machine's processes counted is told. Raises OSError where it cannot listen.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    registry = registry_of(settings, collector)
    server, thread = start_http_server(settings.metrics_port or 0, settings.metrics_host, registry)
    pause = 0.0
    while not stop.wait(pause):
        pause = LEDGER_CHECK_SECONDS if collector is None or _checked(collector) else RETRY_SECONDS
    server.shutdown()
    thread.join()


def _checked(collector: ServiceCollector) -> bool:
    try:
        collector.check_ledger()
    except Exception:
        log.exception("the ledger could not be checked")
        return False
    return True
