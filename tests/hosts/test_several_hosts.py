"""A service on several hosts: they share database, Redis and store, and one may be cut off from all of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import func, select

from app.models import Photo, Result
from bench.soak.hosts import cut_off_at_work
from tests import scenes
from tests.journeys.host import Host
from tests.journeys.servers import SharedServers
from tests.journeys.service import Client, Service, seldom
from tests.journeys.test_killed import run_out
from tests.journeys.whole import lacking
from tests.waiting import ORDER_SECONDS, eventually

PHOTOS = 6
ROOM = scenes.encoded(scenes.room(1500, 1000))


def order(client: Client, photos: int) -> str:
    files = client.upload({"interior": [ROOM] * photos})
    placed = client.order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
    return str(placed["jobId"])


def approved(client: Client, job_id: str, photos: int) -> None:
    status = client.settled(job_id)
    assert status["status"] == "approved", status
    assert status["progress"] == {"total": photos, "completed": photos, "percentage": 100}
    (pictures,) = client.pictures(job_id).values()
    assert len(pictures) == photos
    assert all(each.startswith(b"\xff\xd8\xff") for each in pictures)


def orders_until(what: str, client: Client, look: Callable[[], object]) -> list[str]:
    """Orders, one after the other, until this is seen while one of them is worked on: on a busy machine a host may
    have done the first before another has loaded what it needs.
    """
    placed = [order(client, PHOTOS)]

    def seen() -> object:
        if not (found := look()) and client.call("GET", f"/jobs/{placed[-1]}/status")["status"] == "approved":
            placed.append(order(client, PHOTOS))
        return found

    eventually(what, seldom(seen), ORDER_SECONDS)
    return placed


@contextmanager
def cut_off(host: Host) -> Iterator[None]:
    host.namespace.cut()
    try:
        yield
    finally:
        host.namespace.join()


def test_hosts_that_share_nothing_but_their_servers_do_an_order_together(
    hosts_service: Service, servers: SharedServers
) -> None:
    client = hosts_service.client()
    workers = hosts_service.hosts[1:]
    placed = orders_until(
        "both hosts have a photo in hand", client, lambda: all(host.at_photos() for host in workers)
    )
    for job_id in placed:
        approved(client, job_id, PHOTOS)
    assert hosts_service.mismatches() == []
    kept = [each for host in workers for each in host.data_dir.rglob("*") if each.is_file()]
    assert {each.suffix for each in kept} <= {"", ".conf", ".pid"}, "no photo lies on a worker's own disk"
    assert [name for name in servers.files(hosts_service.environ) if placed[-1] in name]


def test_what_a_host_had_in_hand_when_it_was_cut_off_another_does_once_and_it_goes_on_when_it_is_back(
    hosts_service: Service, servers: SharedServers
) -> None:
    if servers.missing_network:
        lacking(servers.missing_network)
    client = hosts_service.client()
    _, first, second = hosts_service.hosts
    placed = orders_until(
        "it is cut off in the midst of a photo", client, lambda: cut_off_at_work(hosts_service, first)
    )
    try:
        run_out(hosts_service, placed[-1])
        for job_id in placed:
            approved(client, job_id, PHOTOS)
    finally:
        first.namespace.join()
    with cut_off(second):
        approved(client, order(client, 1), 1)
    eventually("all of it works", seldom(hosts_service.ready))
    with hosts_service.books() as here, here.database.read_session() as session:
        attempts = session.scalars(select(Photo.attempts).where(Photo.job_id == placed[-1])).all()
        results = session.scalar(select(func.count()).where(Result.job_id.in_(placed)))
    assert max(attempts) > 1, "the photo in its hands was taken up again"
    assert results == PHOTOS * len(placed)
    assert hosts_service.mismatches() == []
    assert client.call("GET", "/user/credits")["credits"] == 100 - 0.5 * (PHOTOS * len(placed) + 1)
