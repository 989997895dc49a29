"""A server process killed or paused in the middle of an order: sent again, the order is placed exactly once."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from app.container import Container
from app.domain.ledger import LedgerKind
from app.models import IdempotencyRecord, Job, LedgerLine
from app.secret_key import secret_key
from app.services.idempotency.idempotency_records import LEASE
from app.services.idempotency.renewals import RENEW_SECONDS
from app.settings import Settings, child_environment
from tests.conftest import PHOTO, Api, order_body
from tests.faults.held_server import HELD
from tests.journeys.service import ROOT, seldom
from tests.ports import KeptPort
from tests.waiting import PATIENCE_SECONDS, eventually

RETRY_WITHIN = timedelta(seconds=10)
"""So soon must the order sent again succeed, after the process that had it was killed or paused."""
KEY = {"Idempotency-Key": "3f1c9d2e-order-17"}
Start = Callable[[str], "Server"]


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """The real time: processes share no other."""
    return lambda: datetime.now(UTC)


@dataclass
class Server:
    """A server process, and the file that makes its requests wait."""

    process: subprocess.Popen[bytes]
    port: KeptPort
    holding: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port.number}"

    def answers(self) -> bool:
        with suppress(requests.ConnectionError):
            return requests.get(f"{self.url}/healthz", timeout=PATIENCE_SECONDS).ok
        return False

    def order(self, api: Api, body: dict[str, Any]) -> requests.Response:
        """The answer to the order."""
        headers = {"Authorization": f"Bearer {api.secret}", **KEY}
        path = f"{self.url}/api/v1/orders/from-uploads"
        return requests.post(path, json=body, headers=headers, timeout=PATIENCE_SECONDS)

    def has_one(self) -> bool:
        return self.holding.with_suffix(HELD).exists()

    def let_go(self) -> None:
        self.holding.unlink()


@pytest.fixture
def start(settings: Settings, tmp_path: Path) -> Iterator[Start]:
    """start("storage") -> a server whose orders wait there. This process is another one that works."""
    made: list[Server] = []

    def started(where: str) -> Server:
        holding = tmp_path / f"holding-{len(made)}"
        holding.touch()
        port = KeptPort()
        command = [sys.executable, "-m", "tests.faults.held_server", str(port.number), where, str(holding)]
        process = subprocess.Popen(command, cwd=ROOT, env=child_environment(settings, secret_key(settings)))
        made.append(Server(process, port, holding))
        eventually("the server answers", seldom(made[-1].answers))
        return made[-1]

    yield started
    for server in made:
        server.process.kill()
        server.process.wait()
        server.port.let_go()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Clients that wait for their answers."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.fixture
def body(api: Api) -> dict[str, Any]:
    """An order of one photo, which is uploaded."""
    return {**order_body(), **api.upload(interior=[PHOTO])}


def count(container: Container) -> tuple[int, int]:
    """How many jobs and charges there are."""
    charges = select(func.count()).select_from(LedgerLine).where(LedgerLine.kind == LedgerKind.ORDER)
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Job)) or 0, session.scalar(charges) or 0


def under_way(server: Server, pool: ThreadPoolExecutor, api: Api, body: dict[str, Any]) -> Future[Any]:
    """The answer to come of an order that waits in the server."""
    answer = pool.submit(server.order, api, body)
    eventually("the order waits in the server", server.has_one)
    return answer


def sent_here(api: Api, body: dict[str, Any]) -> TestResponse:
    """The answer of this process to the order."""
    return api.post("/orders/from-uploads", body, headers=KEY)


def placed_here(api: Api, body: dict[str, Any], container: Container) -> TestResponse:
    """The order sent here, where it must be placed once the lease of the process that had it is over."""
    assert LEASE < RETRY_WITHIN
    if (answer := sent_here(api, body)).status_code == 409:
        assert answer.headers["Retry-After"] == "1"
        with container.database.unit_of_work() as session:
            session.execute(update(IdempotencyRecord).values(lease_until=container.clock()))
        answer = sent_here(api, body)
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize(
    ("where", "replayed"), [pytest.param("storage", False, marks=pytest.mark.long), ("queue", True)]
)
def test_an_order_whose_process_is_killed_before_or_after_its_commit_is_placed_once_when_sent_again(
    start: Start,
    pool: ThreadPoolExecutor,
    api: Api,
    body: dict[str, Any],
    container: Container,
    where: str,
    replayed: bool,
) -> None:
    held = start(where)
    lost = under_way(held, pool, api, body)
    held.process.send_signal(signal.SIGKILL)
    with pytest.raises(requests.ConnectionError):
        lost.result(PATIENCE_SECONDS)
    assert count(container) == ((1, 1) if replayed else (0, 0))
    answer = placed_here(api, body, container)
    assert ("Idempotent-Replayed" in answer.headers) is replayed
    assert count(container) == (1, 1)
    assert sent_here(api, body).data == answer.data


@pytest.mark.long
def test_a_paused_process_whose_key_was_taken_over_cannot_place_the_order_when_it_wakes_up(
    start: Start, pool: ThreadPoolExecutor, api: Api, body: dict[str, Any], container: Container
) -> None:
    held = start("storage")
    paused = under_way(held, pool, api, body)
    held.process.send_signal(signal.SIGSTOP)
    answer = placed_here(api, body, container)
    assert "Idempotent-Replayed" not in answer.headers
    held.let_go()
    held.process.send_signal(signal.SIGCONT)
    late = paused.result(PATIENCE_SECONDS)
    assert (late.status_code, late.json()["code"]) == (409, "conflict")
    assert held.order(api, body).content == answer.data
    assert count(container) == (1, 1)


@pytest.mark.long
def test_an_order_that_takes_longer_than_a_lease_keeps_its_key_while_its_process_lives(
    start: Start, pool: ThreadPoolExecutor, api: Api, body: dict[str, Any], container: Container
) -> None:
    held = start("storage")
    began = time.monotonic()
    slow = under_way(held, pool, api, body)
    twins = set()

    def tried_long_enough() -> bool:
        twins.add(sent_here(api, body).status_code)
        return time.monotonic() - began > LEASE.total_seconds() + RENEW_SECONDS

    eventually("twins came for longer than a lease", seldom(tried_long_enough))
    assert twins == {409}
    held.let_go()
    assert slow.result(PATIENCE_SECONDS).status_code == 200
    assert sent_here(api, body).headers["Idempotent-Replayed"] == "true"
    assert count(container) == (1, 1)
