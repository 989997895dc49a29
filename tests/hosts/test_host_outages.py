"""On several hosts, too, servers that go away and processes that are killed lose and double nothing."""

import uuid

import pytest

from bench.soak import hosts, kills, outages
from tests.conftest import order_body
from tests.faults.test_soak import SHORT, assert_good, figure
from tests.hosts.test_several_hosts import ROOM, approved, order
from tests.journeys.servers import SharedServers
from tests.journeys.service import START_SECONDS, Client, Service, seldom
from tests.waiting import ORDER_SECONDS, PATIENCE_SECONDS, eventually

PHOTOS = 4


@pytest.mark.parametrize("what", hosts.OUTAGES)
def test_orders_of_before_during_and_after_an_outage_are_done_once(
    what: str, hosts_service: Service, servers: SharedServers
) -> None:
    client = hosts_service.client()
    during = {**client.upload({"interior": [ROOM]}), **order_body()}
    jobs = {order(client, PHOTOS): PHOTOS}
    eventually("a worker has begun with the order", lambda: hosts.claims(hosts_service), ORDER_SECONDS)
    with hosts.OUTAGES[what](servers):
        key = str(uuid.uuid4())
        told = place(client, during, key)
    # A customer who is told to come back does so under the same key.
    jobs[told or place(client, during, key, patient=True)] = 1
    jobs[order(client, 1)] = 1
    for job_id, photos in jobs.items():
        approved(client, job_id, photos)
    assert hosts_service.mismatches() == []
    assert client.call("GET", "/user/credits")["credits"] == 100 - 0.5 * sum(jobs.values())


def place(client: Client, body: dict[str, object], key: str, patient: bool = False) -> str:
    """The job of an order under this key; none where the service asks to come back, unless one is patient."""
    headers = {"Idempotency-Key": key}
    if patient:
        return str(client.call("POST", "/orders/from-uploads", json=body, headers=headers)["jobId"])
    url = f"{client.url}/orders/from-uploads"
    answer = client.session.post(url, json=body, headers=headers, timeout=PATIENCE_SECONDS)
    assert answer.status_code in (200, 503), answer.text
    return str(answer.json()["jobId"]) if answer.ok else ""


def test_a_host_that_starts_while_postgresql_is_away_waits_for_it(
    hosts_service: Service, servers: SharedServers
) -> None:
    worker = hosts_service.hosts[-1]
    worker.kill_everything()
    said = len(worker.log.read_text())
    with hosts.database_stopped(servers):
        worker.start()
        eventually("it has asked for PostgreSQL", lambda: "cannot be reached yet" in worker.log.read_text()[said:])
    eventually("all of it works", seldom(hosts_service.ready), START_SECONDS)
    client = hosts_service.client()
    approved(client, order(client, 1), 1)


def test_after_kills_on_every_host_nothing_is_lost_or_doubled(hosts_service: Service) -> None:
    found = kills.run(hosts_service, seconds=600, seed=6, most=4)
    assert figure(found, "orders that customers believe placed")
    assert_good(found)


def test_connections_cut_redis_wiped_and_processes_stopped_lose_and_double_nothing(hosts_service: Service) -> None:
    found = outages.run(hosts_service, seconds=12, seed=2, pace=SHORT)
    assert figure(found, "orders that customers believe placed")
    assert_good(found)
