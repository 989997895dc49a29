"""All metrics, each declared here once. docs/operation.md lists them, with the code that records each.

A label has few possible values: words of ours, never an id or anything that a customer sent. Units are seconds and
credits. start_sharing() must be called before the first value is recorded.
"""

import os
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.core import GaugeMetricFamily

REGISTRY = CollectorRegistry()
# The upper limits of the buckets of histograms, in seconds.
_ANSWER_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_STEP_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 300)
_JOB_BUCKETS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200)


def _counter(name: str, documentation: str, *labels: str) -> Counter:
    return Counter(f"brightlist_{name}", documentation, labels, registry=REGISTRY)


def _histogram(name: str, documentation: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(f"brightlist_{name}", documentation, labels, buckets=buckets, registry=REGISTRY)


def _gauge(name: str, documentation: str, *labels: str) -> Gauge:
    return Gauge(f"brightlist_{name}", documentation, labels, multiprocess_mode="mostrecent", registry=REGISTRY)


HTTP_REQUESTS = _counter("http_requests_total", "Requests answered", "method", "route", "status")
HTTP_SECONDS = _histogram(
    "http_request_duration_seconds",
    "From the request's arrival at the application to the start of its answer",
    _ANSWER_BUCKETS,
    *("method", "route"),
)
JOBS = _counter("jobs_total", "Jobs that came to a status", "status")
JOB_SECONDS = _histogram("job_duration_seconds", "From the order to its settlement", _JOB_BUCKETS, "status")
RESULTS = _counter("results_total", "Results decided, with the reason where one was rejected", "verdict", "reason")
STEPS = _counter("steps_total", "Enhancements ordered: made, or the reason of the decline", "step", "outcome")
STEP_SECONDS = _histogram(
    "engine_step_duration_seconds", "The engine's work on one photo, by enhancement", _STEP_BUCKETS, "step"
)
DELIVERIES = _counter("webhook_deliveries_total", "Webhook deliveries that ended", "state")
ATTEMPT_SECONDS = _histogram(
    "webhook_attempt_duration_seconds", "Attempts at webhook deliveries", _ANSWER_BUCKETS, "outcome"
)
LEDGER_LINES = _counter("ledger_lines_total", "Movements of credits", "kind")
LEDGER_CREDITS = _counter("ledger_credits_total", "Credits moved, whichever way", "kind")
FAULTS = _counter("faults_total", "Calls that database, storage or Redis did not answer", "part")
UNHANDLED = _counter("unhandled_errors_total", "Errors that nothing handled: faults of the program", "program")
CREDENTIALS = _counter(
    "content_credentials_total",
    "Pictures signed, signed without the time stamp they should bear, or not",
    "outcome",
)
CREDENTIALS_END = _gauge(
    "content_credentials_expiry_timestamp_seconds", "When the certificate that signs pictures ends"
)
SECURITY_EVENTS = _counter("security_events_total", "Lines of the security log", "event")
PROCESS_SEEN = _gauge(
    "process_seen_timestamp_seconds", "When a process of this program last showed a sign of life", "program"
)
PART_WORKS = _gauge("part_works", "Whether the part worked when /readyz was last asked: 1 or 0", "part")


@dataclass(frozen=True, slots=True)
class ScrapedMetric:
    """A metric of the whole service, whose values the exporter looks up at each scrape."""

    name: str
    documentation: str
    labels: tuple[str, ...] = ()

    def family(self, found: Iterable[tuple[Sequence[str], float]]) -> GaugeMetricFamily:
        """The metric with its values: `found` has a pair (label values, value) for each time series."""
        family = GaugeMetricFamily(f"brightlist_{self.name}", self.documentation, labels=self.labels)
        for label_values, value in found:
            family.add_metric(label_values, value)
        return family


DATABASE_UP = ScrapedMetric("database_up", "Whether the database answered the exporter: 1 or 0")
REDIS_UP = ScrapedMetric("redis_up", "Whether Redis answered the exporter: 1 or 0")
QUEUE_DUE = ScrapedMetric("queue_due", "Due work by the database, counted up to 1000 a state", ("queue",))
QUEUE_AGE = ScrapedMetric("queue_oldest_due_seconds", "For how long the oldest due work has been due", ("queue",))
WORKERS = ScrapedMetric("workers", "Worker processes that gave a sign of life lately", ("queue",))
SWEEPER_SEEN = ScrapedMetric("sweeper_heartbeat_timestamp_seconds", "When a sweeper last wrote its sign of life")
ORIGINALS_LOST = ScrapedMetric("originals_lost", "Published originals that are missing from the store")
LEDGER_MISMATCHES = ScrapedMetric("ledger_mismatches", "What the last check of the ledger found wrong")
LEDGER_CHECKED = ScrapedMetric("ledger_check_timestamp_seconds", "When the ledger was last checked")
LEDGER_SECONDS = ScrapedMetric("ledger_check_duration_seconds", "How long that took")

# Each list has at most one value; functions set it without `global`.
_sharing: list[bool] = []
_parent_of_work_horse: list[int] = []
_process: list[str] = []


def start_sharing(choose_folder: Callable[[], object]) -> None:
    """Keep all values of this process, and of the processes it forks, in files that the exporter adds up.

    `choose_folder` sets the folder for prometheus_client. Without this call, values stay in the process's memory.
    """
    if _sharing:
        return
    choose_folder()
    _sharing.append(True)
    # prometheus_client calls this at every new value, so it must be fast: it only reads the name.
    values.ValueClass = values.MultiProcessValue(lambda: _process[0])


def enter_work_horse() -> None:
    """In a work-horse (the process that RQ forks for one job): write to files shared by all work-horses of the
    worker.

    A worker has one work-horse at a time, and a new one for each photo. If each work-horse had files of its own,
    there would be thousands of files a day.
    """
    _parent_of_work_horse[:] = [os.getppid()]
    _process[:] = [f"{_process[0].rpartition('-')[0]}-{os.getppid()}-horse"]


def is_work_horse() -> bool:
    """Whether this process is a work-horse, which ends after one job."""
    return bool(_parent_of_work_horse)


def _name_process() -> None:
    # With the host's name, because containers that share the folder have the same process ids. Without underscores,
    # because prometheus_client takes the file's name apart at them.
    _process[:] = [f"{socket.gethostname().replace('_', '-')}-{os.getpid()}"]


_name_process()
os.register_at_fork(after_in_child=_name_process)
