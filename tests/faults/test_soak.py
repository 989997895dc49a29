"""Small versions of the soaks: `python -m bench.soak` runs them for as long as one likes."""

from collections.abc import Iterator, Sequence

import pytest

from app.container import Container
from bench.soak import cluster, command, disk, kills, outages, processes, spending
from bench.soak.books import Line, store
from tests.journeys.service import Service

pytestmark = pytest.mark.long
SHORT = outages.Pace(redis=2, process=2, store=2, slow=0, clock=0, between_restarts=(2, 4), between_stores=(1, 2))
SECONDS = 8
"""Longer than the longest that SHORT puts off a restart or a full disk, and then has it last."""
OF_THE_MACHINE = ("killed: ", "stopped for a while: ")
"""Lines that judge seconds: on a machine that is busy with other tests they say nothing."""


@pytest.fixture(scope="module")
def _own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("soak"), ALLOW_PRIVATE_WEBHOOKS="1").running() as service:
        yield service


@pytest.fixture
def own_service(_own: Service) -> Service:
    """A whole service of these tests' own, up: the audit wants its store for itself."""
    _own.start()
    return _own


@pytest.fixture(autouse=True)
def _few_customers(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in (kills, outages):
        monkeypatch.setattr(each, "CUSTOMERS", 2)


def assert_good(found: Sequence[Line]) -> None:
    """Every figure that does not depend on how busy the machine is is as it must be."""
    bad = [line for line in found if not line.good and not line.name.startswith(OF_THE_MACHINE)]
    assert bad == []


def figure(found: Sequence[Line], name: str) -> object:
    return next(line.value for line in found if line.name == name)


def test_every_kind_of_process_is_found_by_the_supervisors_table(own_service: Service) -> None:
    there = processes.by_kind(own_service)
    roots = {"redis", "web", "worker", "hooks-fast", "hooks-slow", "mail", "previews", "sweeper"}
    assert there.keys() >= {*roots, "web, its children", processes.SUPERVISOR, processes.UP}
    assert len(there["worker"]) == 2
    assert processes.missing(own_service) == set()
    assert len({process.pid for each in there.values() for process in each}) == sum(map(len, there.values()))


def test_redis_wiped_and_stopped_and_a_process_stopped_lose_and_double_nothing(own_service: Service) -> None:
    found = outages.run(own_service, seconds=SECONDS, seed=2, pace=SHORT)
    assert figure(found, "orders that customers believe placed")
    assert_good(found)


def test_after_two_kills_nothing_is_lost_doubled_or_left(own_service: Service) -> None:
    found = kills.run(own_service, seconds=600, seed=5, most=2)
    assert figure(found, "orders that customers believe placed")
    assert own_service.stop() == 0
    with own_service.books() as here:
        assert_good([*found, *store(here)])


@pytest.fixture
def parts() -> Iterator[outages.Parts]:
    """PostgreSQL and a disk for the store, of the test's own."""
    for reason in (cluster.missing(), disk.missing()):
        if reason:
            pytest.skip(reason)
    with cluster.own_cluster() as own:
        yield outages.Parts(own)


def test_postgresql_restarted_and_a_store_full_and_read_only_lose_and_double_nothing(parts: outages.Parts) -> None:
    with command.service(parts.cluster.url, outages.around(parts, SHORT)) as service:
        found = outages.run(service, seconds=SECONDS, seed=4, parts=parts, pace=SHORT)
        assert figure(found, "orders that customers believe placed")
        assert figure(found, "the store's disk full for a while")
        assert any(line.name.startswith("PostgreSQL restarted") for line in found)
        assert service.stop() == 0
        with service.books() as here:
            assert_good([*found, *store(here)])


@pytest.fixture
def affordable(monkeypatch: pytest.MonkeyPatch) -> int:
    """So many orders can be paid for."""
    monkeypatch.setattr(spending, "AFFORDABLE", 30)
    return spending.AFFORDABLE


def test_orders_at_once_spend_a_balance_for_a_third_of_them_to_the_last_credit(affordable: int) -> None:
    with spending.parts("") as here:
        account_id, bodies = spending.uploaded(here, 3 * affordable)
        went = spending.spend(here, account_id, bodies, threads=16)
        assert_good(spending.judged(here, account_id, went, len(bodies)))


def test_a_charge_too_many_is_found(container: Container, affordable: int) -> None:
    account_id, bodies = spending.uploaded(container, affordable - 1)
    went = spending.spend(container, account_id, bodies, threads=4)
    found = spending.judged(container, account_id, went, len(bodies))
    assert [line.name for line in found if not line.good] == ["orders placed", "credits charged", "credits left"]
