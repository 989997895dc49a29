"""What Prometheus is told: of the whole service by the database, of a machine's processes by what they counted."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.ports import QueueName, QueueUnavailableError
from app.models import Organization
from app.monitoring.exporter import ServiceCollector, make_registry
from app.services import audit
from tests.architecture.source import ROOT
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.ports import kept_port
from tests.services.hooks import register
from tests.waiting import PATIENCE_SECONDS, eventually

COUNTING = """
import os, sys
from pathlib import Path
from app import metrics, monitoring
from app.settings import Settings
monitoring.start(Settings(data_dir=Path(sys.argv[1]), metrics_port=1), "tests")
metrics.JOBS.labels("pending").inc()
for number in range(2):
    child = os.fork()
    if not child:
        metrics.enter_work_horse()
        metrics.STEPS.labels("sky_enhancement", "made").inc()
        metrics.STEPS.labels(f"step-{number}", "made").inc()
        metrics.STEP_SECONDS.labels("sky_enhancement").observe(1)
        os._exit(0)
    os.waitpid(child, 0)
"""
Found = dict[tuple[str, frozenset[tuple[str, str]]], float]


def parsed(told: str) -> Found:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(told)
        for sample in family.samples
    }


def of(found: Found, name: str, **labels: str) -> float:
    return found[f"brightlist_{name}", frozenset(labels.items())]


def collector(container: Container) -> ServiceCollector:
    return ServiceCollector(container.database, container.queue, container.clock)


def scrape(container: Container, service: ServiceCollector) -> Found:
    return parsed(generate_latest(make_registry(container.settings, service)).decode())


def test_queues_are_measured_by_what_is_due_in_the_database(
    api: Api, container: Container, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    api.order(interior=[PHOTO])
    clock.pass_(seconds=90)
    found = scrape(container, collector(container))
    assert of(found, "queue_due", queue="photos") == 2
    assert of(found, "queue_oldest_due_seconds", queue="photos") == 90
    assert of(found, "queue_oldest_due_seconds", queue="hooks-fast") == 90
    assert of(found, "queue_due", queue="purchases") == 0
    assert {dict(labels).get("queue") for name, labels in found if name == "brightlist_queue_due"} >= set(QueueName)


def test_a_balance_that_is_not_its_ledgers_is_told(api: Api, container: Container) -> None:
    service = collector(container)
    assert "brightlist_ledger_mismatches" not in dict(scrape(container, service)), "nothing before the first check"
    service.check_ledger()
    assert of(scrape(container, service), "ledger_mismatches") == 0
    change = update(Organization).where(Organization.id == api.account_id)
    with container.database.unit_of_work() as session:
        session.execute(change.values(credits=Organization.credits + 1))
    service.check_ledger()
    found = scrape(container, service)
    assert of(found, "ledger_mismatches") == 1
    assert of(found, "ledger_check_timestamp_seconds") == container.clock().timestamp()
    with container.database.unit_of_work() as session:
        session.execute(change.values(credits=Organization.credits - 1))


def test_a_ledger_check_sees_one_moment_however_long_it_takes(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = audit._check_monthly_sums

    def order_meanwhile(session: Session) -> Iterator[str]:
        api.order(interior=[PHOTO])
        yield from whole(session)

    monkeypatch.setattr(audit, "_check_monthly_sums", order_meanwhile)
    service = collector(container)
    service.check_ledger()
    assert service.ledger is not None
    assert service.ledger[0] == 0


def test_of_a_database_or_redis_that_is_away_only_that_is_told(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("SELECT", {}, OSError("no connection"))

    def silent(*_: object) -> None:
        raise QueueUnavailableError("away")

    monkeypatch.setattr("app.services.staff.queue.health", away)
    monkeypatch.setattr(container.queue, "workers", silent)
    found = scrape(container, collector(container))
    assert (of(found, "database_up"), of(found, "redis_up")) == (0, 0)
    assert not [name for name, _ in found if name.startswith("brightlist_queue")]


@pytest.mark.long
def test_what_processes_and_their_work_horses_count_is_added_up_in_few_files(container: Container) -> None:
    folder = container.settings.metrics_folder
    for _ in range(2):
        command = [sys.executable, "-c", COUNTING, str(container.settings.data_dir)]
        subprocess.run(command, cwd=ROOT, check=True)
    found = parsed(generate_latest(make_registry(container.settings, None)).decode())
    assert of(found, "jobs_total", status="pending") == 2
    assert of(found, "steps_total", step="sky_enhancement", outcome="made") == 4
    assert [of(found, "steps_total", step=f"step-{number}", outcome="made") for number in (0, 1)] == [2, 2]
    assert of(found, "engine_step_duration_seconds_count", step="sky_enhancement") == 4
    assert len(list(folder.glob("counter_*-horse.db"))) == 2, "one of each worker, not one of each photo"


@pytest.mark.long
def test_the_command_serves_metrics_on_their_own_port_and_ends_when_told(container: Container, api: Api) -> None:
    settings = container.settings
    container.database.engine.dispose()
    with kept_port() as port:
        environ = {
            **os.environ,
            "DATA_DIR": str(settings.data_dir),
            "DATABASE_URL": settings.database_url,
            "SECRET_KEY": "s" * 32,
            "METRICS_PORT": str(port),
            "REDIS_URL": f"unix://{settings.data_dir}/nobody.sock",
        }
        command = [sys.executable, "-m", "app.cli.processes", "metrics"]
        with subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True) as process:

            def ask() -> Found | None:
                assert process.poll() is None, process.stderr and process.stderr.read()
                try:
                    found = parsed(requests.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_SECONDS).text)
                except requests.ConnectionError:
                    return None
                return found if ("brightlist_ledger_mismatches", frozenset()) in found else None

            found = eventually("the ledger was checked", ask)
            assert (of(found, "database_up"), of(found, "redis_up")) == (1, 0)
            process.terminate()
            assert process.wait() == 0


@pytest.mark.long
def test_without_a_port_the_command_says_what_is_missing(tmp_path: Path) -> None:
    environ = {"DATA_DIR": str(tmp_path), "PATH": ""}
    command = [sys.executable, "-m", "app.cli.processes", "metrics"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, "METRICS_PORT" in done.stderr) == (1, True)
