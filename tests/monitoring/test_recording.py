"""What is counted while the service works, and that what did not commit is not."""

import json
import logging
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from prometheus_client.registry import Collector
from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from app import metrics
from app.container import Container
from app.domain.ports import StorageUnavailableError
from app.models import Job
from app.monitoring import recording
from app.services import security_log
from app.services.billing import credits
from tests.architecture.source import ROOT
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.sandboxes import enter_test_mode
from tests.services.hooks import FakeTransport, answered, deliver_all, register


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    recording.listen("tests")
    yield
    event.remove(Session, "after_flush", recording._count_after_commit)
    event.remove(Session, "do_orm_execute", recording._count_ledger_after_commit)
    event.remove(Engine, "handle_error", recording._count_fault)
    for each in list(security_log.log.filters):
        security_log.log.removeFilter(each)


def value(metric: Collector, suffix: str, **labels: str) -> float:
    """The sum of all values whose labels are these."""
    return sum(
        sample.value
        for family in metric.collect()
        for sample in family.samples
        if sample.name.endswith(suffix) and labels.items() <= sample.labels.items()
    )


def test_an_order_is_counted_from_its_request_to_its_result_and_its_delivery(
    api: Api, container: Container
) -> None:
    container.transport = FakeTransport([answered(200)])
    register(container, api.account_id, "job.created")

    def seen() -> dict[str, float]:
        route = "/api/v1/orders/from-uploads"
        return {
            "requests": value(metrics.HTTP_REQUESTS, "_total", route=route, status="200", method="POST"),
            "seconds": value(metrics.HTTP_SECONDS, "_count", route=route),
            "orders": value(metrics.LEDGER_LINES, "_total", kind="order"),
            "jobs": value(metrics.JOBS, "_total", status="approved"),
            "settled": value(metrics.JOB_SECONDS, "_count", status="approved"),
            "results": value(metrics.RESULTS, "_total", verdict="approved"),
            "steps": value(metrics.STEPS, "_total", step="hdr_enhancement", outcome="made"),
            "deliveries": value(metrics.DELIVERIES, "_total", state="succeeded"),
        }

    before = seen()
    api.order(interior=[PHOTO])
    work(container)
    deliver_all(container)
    assert {name: now - before[name] for name, now in seen().items()} == dict.fromkeys(before, 1.0)


def test_what_comes_back_is_counted_in_credits_and_why_by_its_reason(api: Api, container: Container) -> None:
    rejected, back = {"verdict": "rejected", "reason": "undecodable"}, {"kind": "refund"}
    before = value(metrics.RESULTS, "_total", **rejected), value(metrics.LEDGER_CREDITS, "_total", **back)
    cost = api.order(interior=[photo("BROKEN")])["creditCost"]
    work(container)
    assert value(metrics.RESULTS, "_total", **rejected) == before[0] + 1
    assert value(metrics.LEDGER_CREDITS, "_total", **back) == before[1] + cost


def test_a_decline_is_counted_by_its_reason(api: Api, container: Container) -> None:
    declined = {"step": "hdr_enhancement", "outcome": "not_available"}
    before = value(metrics.STEPS, "_total", **declined)
    api.order(interior=[photo("DECLINE")])
    work(container)
    assert value(metrics.STEPS, "_total", **declined) == before + 1


def test_what_did_not_commit_is_not_counted(api: Api, container: Container) -> None:
    before = value(metrics.LEDGER_LINES, "_total")
    with pytest.raises(ZeroDivisionError), container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, 1, "More", container.clock())
        raise ZeroDivisionError
    assert value(metrics.LEDGER_LINES, "_total") == before


def test_no_address_or_method_of_a_stranger_becomes_a_label(app: Flask) -> None:
    client = app.test_client()
    client.get("/nowhere-of-mine")
    client.open("/", method="BREW")
    told = {
        text
        for family in metrics.HTTP_REQUESTS.collect()
        for each in family.samples
        for text in each.labels.values()
    }
    assert {"unknown", "other"} <= told
    assert not any("nowhere" in text or "BREW" in text for text in told)


def test_security_events_are_counted_by_kind_and_their_lines_stay_as_they_are(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, security_log.NAME)
    before = value(metrics.SECURITY_EVENTS, "_total", event="key.refused")
    client = app.test_client()
    client.get("/api/v1/webhooks", headers={"Authorization": "Bearer ims_live_wrong"})
    assert value(metrics.SECURITY_EVENTS, "_total", event="key.refused") == before + 1
    assert json.loads(caplog.messages[-1])["event"] == "key.refused"


def test_a_store_that_is_away_is_counted(container: Container) -> None:
    before = value(metrics.FAULTS, "_total", part="storage")
    container.settings.storage_path.parent.mkdir(parents=True, exist_ok=True)
    container.settings.storage_path.write_text("a file where the folder should be")
    with pytest.raises(StorageUnavailableError):
        container.storage.ping()
    container.settings.storage_path.unlink()
    assert value(metrics.FAULTS, "_total", part="storage") > before


def test_the_time_from_order_to_settlement_is_that_of_the_clock(
    api: Api, container: Container, clock: FakeClock
) -> None:
    before = value(metrics.JOB_SECONDS, "_sum", status="approved")
    job_id = api.order(interior=[PHOTO])["jobId"]
    clock.pass_(seconds=45)
    work(container)
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
        assert (job.settled_at - job.created_at).total_seconds() == 45
    assert value(metrics.JOB_SECONDS, "_sum", status="approved") == before + 45


def test_the_docs_list_every_metric_and_no_other() -> None:
    declared = {family.name for family in metrics.REGISTRY.collect()}
    collected = (each for each in vars(metrics).values() if isinstance(each, metrics.ScrapedMetric))
    declared |= {f"brightlist_{each.name}" for each in collected}
    rows = re.findall(r"^\| `(brightlist_\w+)`", (ROOT / "docs" / "operation.md").read_text(), re.MULTILINE)
    assert {row.removesuffix("_total") for row in rows} == declared


def test_what_is_tried_in_test_mode_counts_for_no_figures_of_orders_and_money(
    api: Api, container: Container
) -> None:
    def seen() -> tuple[float, ...]:
        return tuple(value(each, "_total") for each in (metrics.LEDGER_LINES, metrics.LEDGER_CREDITS, metrics.JOBS))

    before = seen()
    enter_test_mode(api, container).order([PHOTO])
    work(container)
    assert seen() == before
    api.order([PHOTO])
    assert seen() > before
