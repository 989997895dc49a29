"""The client of the mcp package over HTTP, on our web server: both generations of the protocol, and waits."""

import contextlib
import json
import threading
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.container import Container
from app.services.security import api_keys
from app.serving import parking
from tests.agents import HEADERS, ORDER
from tests.api.test_fetches_api import FakeSource, fetch, source
from tests.conftest import PHOTO, Api, work
from tests.serving.conftest import THREADS, Site
from tests.serving.test_kept_requests import kept
from tests.waiting import eventually

__all__ = ["source"]


@pytest.fixture(autouse=True)
def _quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parking, "LOOK_SECONDS", 0.02)


@pytest.fixture
def budget(api: Api, container: Container) -> None:
    """The key may spend 2 credits."""
    with container.database.unit_of_work() as session:
        key_id = api_keys.paginate(session, api.account_id).rows[0].id
        api_keys.set_budget(session, api.account_id, key_id, Decimal(2), container.clock())


@pytest.fixture
def workers(container: Container, source: FakeSource) -> Iterator[None]:
    """Fetch photos and work on them all the time."""
    ended = threading.Event()

    def work_on() -> None:
        while not ended.wait(0.05):
            fetch(container)
            work(container)

    worker = threading.Thread(target=work_on)
    worker.start()
    yield
    ended.set()
    worker.join()


def read(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    return dict(result.structured_content)


async def journey(url: str, secret: str, mode: str) -> tuple[set[str], dict[str, Any]]:
    """From the first message to the links, as an agent goes."""
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as agent,
    ):
        names = {each.name for each in (await agent.list_tools()).tools}
        price = read(await agent.call_tool("quote", ORDER))["creditCost"]
        wanted = {**ORDER, "most_credits": price, "idempotency_key": "order-0001"}
        # One call: the server keeps it until the photos have come.
        placed = read(await agent.call_tool("order", wanted))
        job = read(await agent.call_tool("status", {"job_id": placed["jobId"]}))
        assert job["status"] == "approved"
        return names, read(await agent.call_tool("results", {"job_id": placed["jobId"]}))


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
@pytest.mark.usefixtures("budget", "workers")
def test_an_agent_orders_and_waits_without_asking_again(site: Site, api: Api, mode: str) -> None:
    url = f"http://127.0.0.1:{site.listening.getsockname()[1]}/mcp"
    names, results = anyio.run(journey, url, api.secret, mode)
    assert "order" in names
    assert results["images"][0]["fileName"] == "living room.jpg"
    assert api.credits() == 99.5


def test_waiting_statuses_take_no_thread_and_end_with_their_job(site: Site, api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    call = {"name": "status", "arguments": {"job_id": job_id}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    head = [f"{name}: {value}" for name, value in {**HEADERS, "Authorization": f"Bearer {api.secret}"}.items()]
    request = ("POST /mcp HTTP/1.1", *head, f"Content-Length: {len(body)}")
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(site.line()) for _ in range(2 * THREADS)]
        for line in lines:
            line.send(*request, body=body)
        eventually("all are kept", lambda: kept(site) == len(lines))
        with site.line() as other:
            assert other.ask("GET /api/v1/user/credits HTTP/1.1", head[-1]).status == 200
        work(container)
        for line in lines:
            told = line.answer().json["result"]["structuredContent"]
            assert (told["jobId"], told["status"]) == (job_id, "approved")
