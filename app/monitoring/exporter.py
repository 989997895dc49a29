"""The process that answers Prometheus: adds up the metrics of this machine's processes, and queries the database.

It listens on its own port. A path of the web process would have to be blocked in every proxy or protected by a
token, and could not report that the web processes are down.
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
"""How often the ledger is checked; a check reads all jobs and all ledger lines."""
RETRY_SECONDS = 60.0
"""After how long a check that failed, for example without the database, is repeated."""
PURCHASES = "purchases"


@dataclass(eq=False)
class ServiceCollector(Collector):
    """Metrics of the whole service, read from the database and Redis at each scrape: the same on every machine."""

    database: Database
    queue: Queue
    clock: Callable[[], datetime]
    ledger: tuple[float, float, float] | None = None
    """The result of the last check of the ledger: number of mismatches, Unix time, and duration in seconds."""

    def check_ledger(self) -> None:
        """Check credits against the ledger, log each mismatch, and keep the result for the next scrapes."""
        begun = time.monotonic()
        with self.database.read_session() as session:
            if session.get_bind().dialect.name == "postgresql":
                # All statements must see the same state: else an order placed during the check is a mismatch.
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            mismatches = list(audit.ledger_mismatches(session))
        for each in mismatches:
            log.error("the ledger does not agree: %s", each)
        self.ledger = len(mismatches), self.clock().timestamp(), time.monotonic() - begun

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All metrics; for an unavailable database or Redis, only that it is unavailable."""
        now = self.clock()
        health = self._health(now)
        yield metrics.DATABASE_UP.family([((), float(health is not None))])
        if health is not None:
            yield from _database_metrics(health, now)
        yield from self._worker_metrics(now)
        if self.ledger is not None:
            families = (metrics.LEDGER_MISMATCHES, metrics.LEDGER_CHECKED, metrics.LEDGER_SECONDS)
            yield from (metric.family([((), value)]) for metric, value in zip(families, self.ledger, strict=True))

    def _health(self, now: datetime) -> ServiceHealth | None:
        try:
            with self.database.read_session() as session:
                return staff_queue.health(session, now)
        except UNAVAILABLE as error:
            log.warning("the database is away: %s", error)
            return None

    def _worker_metrics(self, now: datetime) -> Iterator[GaugeMetricFamily]:
        state = staff_queue.read_state(self.queue)
        yield metrics.REDIS_UP.family([((), float(state is not None))])
        if state is not None:
            living = Counter(
                name for sign in state.workers if now - sign.seen_at < SILENT_AFTER for name in sign.queue_names
            )
            yield metrics.WORKERS.family([((name.value,), living[name]) for name in QueueName])


def _database_metrics(health: ServiceHealth, now: datetime) -> Iterator[GaugeMetricFamily]:
    due = {**{name.value: each for name, each in health.queues.items()}, PURCHASES: health.purchases}
    yield metrics.QUEUE_DUE.family([((name,), each.count) for name, each in due.items()])
    yield metrics.QUEUE_AGE.family([((name,), _age_seconds(each, now)) for name, each in due.items()])
    yield metrics.ORIGINALS_LOST.family([((), float(sum(len(each.numbers) for each in health.lost)))])
    if health.sweeper_at is not None:
        yield metrics.SWEEPER_SEEN.family([((), health.sweeper_at.timestamp())])


def _age_seconds(due: Due, now: datetime) -> float:
    return max(now - due.since, timedelta(0)).total_seconds() if due.since else 0.0


def make_registry(settings: Settings, collector: Collector | None) -> CollectorRegistry:
    """The metrics of a scrape: from the files of this machine's processes and, if given, from `collector`."""
    registry = CollectorRegistry()
    settings.metrics_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    MultiProcessCollector(registry, str(settings.metrics_folder))
    if collector is not None:
        registry.register(collector)
    return registry


def run_forever(settings: Settings, collector: ServiceCollector | None) -> None:
    """Serve METRICS_HOST:METRICS_PORT until SIGTERM or SIGINT, and check the ledger every LEDGER_CHECK_SECONDS.

    Without a `collector`, serves only the metrics of this machine's processes and checks no ledger. Raises OSError
    if it cannot listen.
    """
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    registry = make_registry(settings, collector)
    server, thread = start_http_server(settings.metrics_port or 0, settings.metrics_host, registry)
    pause = 0.0
    while not stop.wait(pause):
        pause = LEDGER_CHECK_SECONDS if collector is None or _try_to_check(collector) else RETRY_SECONDS
    server.shutdown()
    thread.join()


def _try_to_check(collector: ServiceCollector) -> bool:
    try:
        collector.check_ledger()
    except Exception:
        log.exception("the ledger could not be checked")
        return False
    return True
