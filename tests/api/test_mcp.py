"""The MCP server: what its protocol promises, and that its tools are the API with the same keys and limits."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.api.mcp import orders
from app.api.mcp.tools import TOOLS
from app.container import Container
from app.domain.actors import Scope
from app.domain.errors import InternalError, Refusal, Unavailable
from app.domain.fetches import FetchError, FetchFault
from app.domain.ports import StorageUnavailableError
from app.models import Organization
from app.services.security import api_keys
from app.settings import Settings
from tests.acts import at_once
from tests.agents import ORDER, Agent
from tests.api.test_fetches_api import FakeSource, fetch, source
from tests.conftest import PHOTO, Api, new_api, work
from tests.sandboxes import enter_test_mode

__all__ = ["source"]
BUDGET = Decimal(2)
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}'


@pytest.fixture
def agent(api: Api, container: Container, source: FakeSource) -> Agent:
    """An agent whose key has a budget of 2 credits."""
    with container.database.unit_of_work() as session:
        key_id = api_keys.paginate(session, api.account_id).rows[0].id
        api_keys.set_budget(session, api.account_id, key_id, BUDGET, container.clock())
    return Agent(api)


def with_key(api: Api, container: Container, *scopes: Scope, budget: Decimal | None = None) -> Agent:
    """An agent of the same account with a key of its own."""
    with container.database.unit_of_work() as session:
        key, secret = api_keys.create(session, api.account_id, container.clock(), scopes=scopes)
        api_keys.set_budget(session, api.account_id, key.id, budget, container.clock())
    return Agent(Api(api.client, api.account_id, secret))


def place(agent: Agent, container: Container, key: str = "order-0001", **fields: Any) -> dict[str, Any]:
    """An order as an agent places it: asked for, fetched, and asked for again."""
    wanted = {**ORDER, "most_credits": 1, "idempotency_key": key, **fields}
    assert agent.call("order", **wanted) == orders.FETCHING
    fetch(container)
    return agent.call("order", **wanted)


def test_an_agent_comes_from_the_price_to_the_links(agent: Agent, api: Api, container: Container) -> None:
    told = agent.ask(
        "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "a", "version": "1"}
    )
    assert told["result"]["serverInfo"]["name"] == "brightlist"
    assert told["result"]["protocolVersion"] == "2025-06-18"
    prices = {each["id"]: each["creditsPerPhoto"] for each in agent.call("enhancements")["enhancements"]}
    assert prices["hdr_enhancement"] == 0.5
    assert agent.call("quote", **ORDER)["creditCost"] == 0.5
    placed = place(agent, container, more={"externalId": "MLS-1"})
    assert placed["creditCost"] == 0.5
    assert placed["assets"][0]["fileName"] == "living room.jpg"
    assert agent.call("credits")["budget"]["left"] == 1.5
    work(container)
    job_id = placed["jobId"]
    assert agent.call("status", job_id=job_id)["photos"][0]["state"] == "approved"
    listed = agent.call("jobs", external_id="MLS-1", status=["approved"])["jobs"]
    assert [each["jobId"] for each in listed] == [job_id]
    (image,) = agent.call("results", job_id=job_id)["images"]
    assert (image["fileName"], image["index"]) == ("living room.jpg", 0)
    assert api.client.get(image["url"].removeprefix("http://localhost")).status_code == 200
    assert api.status(job_id)["status"] == "delivered"


def test_an_order_sent_again_is_charged_once_also_before_its_photos_came(
    agent: Agent, api: Api, container: Container
) -> None:
    first = place(agent, container)
    again = {**ORDER, "most_credits": 1, "idempotency_key": "order-0001"}
    assert [agent.call("order", **again) for _ in range(2)] == [first] * 2
    assert api.credits() == 99.5
    other = agent.refusal("order", **{**again, "photos": [{"type": "interior", "url": "https://a.example/b.jpg"}]})
    assert other["code"] == "idempotency_mismatch"


def test_an_agent_spends_no_more_than_its_budget_and_what_was_agreed(
    agent: Agent, api: Api, container: Container
) -> None:
    wanted = {**ORDER, "idempotency_key": "order-0001"}
    assert agent.call("order", **wanted, most_credits=0.4) == orders.FETCHING
    fetch(container)
    refused = agent.refusal("order", **wanted, most_credits=0.4)
    assert (refused["code"], refused["details"]) == ("price_too_high", {"required": 0.5, "mostCredits": 0.4})
    assert refused["docUrl"] == f"{container.settings.base_url}/docs/errors/price_too_high"
    assert api.credits() == 100
    # The same order goes through once more is agreed to.
    agent.call("order", **wanted, most_credits=0.5)
    for number in range(3):
        place(agent, container, f"order-{number}-more")
    over = {**ORDER, "most_credits": 1, "idempotency_key": "order-over"}
    agent.call("order", **over)
    fetch(container)
    assert agent.refusal("order", **over)["code"] == "budget_exceeded"
    assert api.credits() == 98


def test_two_orders_at_once_at_the_edge_of_a_budget_are_one(agent: Agent, api: Api, container: Container) -> None:
    key = Agent(with_key(api, container, *Scope, budget=Decimal("0.5")).api)
    wanted = [{**ORDER, "most_credits": 1, "idempotency_key": f"order-{each}-edge"} for each in range(2)]
    for each in wanted:
        assert key.call("order", **each) == orders.FETCHING
    fetch(container)

    def order(fields: dict[str, Any]) -> bool:
        own = Agent(Api(api.client.application.test_client(), api.account_id, key.api.secret))
        return own.ask("tools/call", name="order", arguments=fields)["result"]["isError"]

    assert sorted(at_once(*(lambda fields=each: order(fields) for each in wanted))) == [False, True]
    assert api.credits() == 99.5


def test_a_key_without_a_budget_may_ask_but_not_order(api: Api, source: FakeSource) -> None:
    agent = Agent(api)
    assert agent.call("quote", **ORDER)["creditCost"] == 0.5
    refused = agent.refusal("order", **ORDER, most_credits=1, idempotency_key="order-0001")
    assert refused["code"] == "budget_required"
    # Nothing was begun, and a program with the same key needs none.
    assert source.asked == []
    api.order(interior=[PHOTO])


def test_a_budget_that_is_taken_away_meanwhile_is_missed_by_the_charge(
    agent: Agent, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {**ORDER, "most_credits": 1, "idempotency_key": "order-0001"}
    agent.call("order", **wanted)
    fetch(container)

    def take_away() -> None:
        with container.database.unit_of_work() as session:
            for key in api_keys.paginate(session, api.account_id).rows:
                api_keys.set_budget(session, api.account_id, key.id, None, container.clock())

    # Between the first look at the budget and the charge.
    monkeypatch.setattr(orders, "_require_budget", take_away)
    assert agent.refusal("order", **wanted)["code"] == "budget_required"
    assert api.credits() == 100


@pytest.mark.parametrize("most", [b"9" * 4000, b"1e300", b"NaN", b"-1"])
def test_what_nobody_can_agree_to_spend_is_refused_by_its_name(agent: Agent, most: bytes) -> None:
    fields = json.dumps({**ORDER, "idempotency_key": "order-0001"}).encode().removesuffix(b"}")
    called = CALL % (b'{"name":"order","arguments":%s,"most_credits":%s}}' % (fields, most))
    result = agent.post(called).json["result"]
    assert result["isError"] is True
    assert list(result["structuredContent"]["details"]) == ["most_credits"]


@pytest.mark.parametrize(("kind", "told"), [(RuntimeError, InternalError), (StorageUnavailableError, Unavailable)])
def test_what_breaks_in_a_tool_is_told_as_the_api_tells_it(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, kind: type[Exception], told: type[Refusal]
) -> None:
    def broken() -> None:
        raise kind("SELECT what FROM nobody")

    monkeypatch.setattr(orders, "_require_budget", broken)
    refused = agent.refusal("order", **ORDER, most_credits=1, idempotency_key="order-0001")
    assert refused["error"] == told.error
    assert refused["requestId"].startswith("req_")
    assert "SELECT" not in str(refused)


def test_photos_that_do_not_come_are_named_and_nothing_is_charged(
    agent: Agent, api: Api, container: Container, source: FakeSource
) -> None:
    source.content["https://a.example/gone.jpg"] = FetchError(FetchFault.REFUSED, 404)
    photos = [*ORDER["photos"], {"type": "exterior", "url": "https://a.example/gone.jpg"}]
    fields = {**ORDER, "photos": photos, "enhancements": ["hdr_enhancement", "sky_enhancement"], "most_credits": 5}
    agent.call("order", **fields, idempotency_key="order-0001")
    fetch(container)
    refused = agent.refusal("order", **fields, idempotency_key="order-0001")
    assert (refused["code"], list(refused["details"])) == ("invalid_request", ["photos[1].url"])
    assert "new idempotency_key" in refused["message"]
    assert api.credits() == 100
    insecure = [{"type": "interior", "url": "http://a.example/b.jpg"}]
    named = agent.refusal("order", **{**ORDER, "photos": insecure}, most_credits=1, idempotency_key="order-0002")
    assert list(named["details"]) == ["photos[0].url"]


def test_files_that_were_uploaded_before_are_ordered_by_their_paths(agent: Agent, api: Api) -> None:
    uploaded = api.upload(interior=[PHOTO], exterior=[PHOTO])
    photos = [
        {"type": "exterior", "file_path": uploaded["exteriorFiles"][0]["filePath"]},
        {"type": "interior", "file_path": uploaded["interiorFiles"][0]["filePath"], "enhancements": ["declutter"]},
    ]
    fields = {
        **ORDER,
        "photos": photos,
        "enhancements": ["sky_enhancement"],
        "upload_session_id": uploaded["uploadSessionId"],
    }
    assert agent.call("quote", **fields)["creditCost"] == 1.5
    placed = agent.call("order", **fields, most_credits=1.5, idempotency_key="order-0001")
    assert placed["photosUploaded"] == 2
    mixed = [*photos, *ORDER["photos"]]
    assert list(agent.refusal("quote", **{**fields, "photos": mixed})["details"]) == ["photos[2]"]


def test_refusals_name_the_arguments_of_the_tool(agent: Agent, api: Api) -> None:
    def faults(**fields: Any) -> dict[str, str]:
        refused = agent.refusal("quote", **{**ORDER, **fields})
        assert refused["code"] == "invalid_request"
        assert refused["requestId"]
        return refused["details"]

    assert list(faults(enhancements=["sky_enhancement"])) != []
    assert list(faults(enhancements=["sky"])) == ["enhancements[0]"]
    assert list(faults(photos="all")) == ["photos"]
    assert list(faults(photos=[{"type": "interior"}])) == ["photos[0]"]
    assert list(faults(adress="x")) == ["adress"]
    assert list(faults(more={"interiorCount": 50})) == ["more.interiorCount"]
    assert list(faults(more={"tint": "red"})) == ["tint"]
    bad = api.upload(interior=[PHOTO])
    lost = {"photos": [{"type": "interior", "file_path": "uploads/x"}], "upload_session_id": bad["uploadSessionId"]}
    assert list(faults(**lost)) == ["photos[0].filePath"]


@pytest.mark.parametrize("name", ["status", "results", "cancel"])
def test_jobs_of_others_are_not_found(agent: Agent, container: Container, app: Flask, name: str) -> None:
    other = new_api(app, container, "kim@elsewhere.example")
    theirs = other.order(interior=[PHOTO])["jobId"]
    for job_id in (theirs, "job_nothing"):
        assert agent.refusal(name, job_id=job_id)["code"] == "not_found"
    for path in (f"{theirs}/images", "../user/credits", "x" * 100, ""):
        assert agent.refusal(name, job_id=path)["code"] == "invalid_request"
    assert other.status(theirs)["status"] == "pending"


def test_a_test_key_acts_in_its_sandbox_and_sees_nothing_live(agent: Agent, api: Api, container: Container) -> None:
    live = place(agent, container)["jobId"]
    trial = enter_test_mode(api, container)
    sandbox = with_key(trial, container, *Scope, budget=Decimal(5))
    assert sandbox.refusal("status", job_id=live)["code"] == "not_found"
    made = place(sandbox, container)
    assert made["livemode"] is False
    assert agent.refusal("status", job_id=made["jobId"])["code"] == "not_found"
    assert sandbox.call("credits")["credits"] == 999.5
    assert api.credits() == 99.5


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        (tuple(Scope), set(TOOLS)),
        ((Scope.ORDERS_WRITE,), {"enhancements", "rules", "quote", "order", "cancel"}),
        ((Scope.JOBS_READ,), {"rules", "status", "results", "jobs"}),
        ((Scope.CREDITS_READ,), {"credits", "rules"}),
        ((Scope.WEBHOOKS_MANAGE,), {"rules"}),
    ],
)
def test_a_key_sees_and_calls_the_tools_of_its_scopes(
    api: Api, container: Container, scopes: tuple[Scope, ...], names: set[str]
) -> None:
    agent = with_key(api, container, *scopes, budget=Decimal(1))
    assert {each["name"] for each in agent.tools()} == names
    needed = {"job_id": "job_x"} if names.isdisjoint({"status"}) else {}
    if needed:
        refused = agent.refusal("status", **needed)
        assert (refused["code"], "jobs:read" in refused["message"]) == ("forbidden", True)


def test_tools_say_what_they_cost_and_that_order_alone_spends(agent: Agent) -> None:
    tools = {each["name"]: each for each in agent.tools()}
    free = {name for name, each in tools.items() if re.search(r"Free[.;]", each["description"])}
    assert free == set(tools) - {"order"}
    assert "COSTS CREDITS" in tools["order"]["description"]
    hints = {name: each["annotations"] for name, each in tools.items()}
    assert {name for name, each in hints.items() if each["destructiveHint"]} == {"order", "cancel"}
    assert {name for name, each in hints.items() if not each["readOnlyHint"]} == {"order", "cancel", "results"}
    assert "$ref" not in str(tools)
    assert {"most_credits", "idempotency_key"} <= set(tools["order"]["inputSchema"]["required"])


@pytest.mark.parametrize("status", ["revoked", "suspended", "unknown", "none"])
def test_keys_that_the_api_refuses_are_refused_alike(
    api: Api, container: Container, app: Flask, status: str
) -> None:
    agent = with_key(api, container, *Scope)
    if status == "revoked":
        with container.database.unit_of_work() as session:
            for key in api_keys.paginate(session, api.account_id).rows:
                api_keys.revoke(session, api.account_id, key.id, container.clock())
    elif status == "suspended":
        with container.database.unit_of_work() as session:
            session.execute(update(Organization).values(suspended_at=container.clock()))
    secret = {"unknown": "ims_live_nothing", "none": ""}.get(status, agent.api.secret)
    own = Agent(Api(api.client, api.account_id, secret))
    asked = own.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    same = own.api.get("/jobs")
    assert (asked.status_code, asked.json["code"]) == (same.status_code, same.json["code"])
    assert asked.headers.get("WWW-Authenticate") == same.headers.get("WWW-Authenticate")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[" * 100_000, 400, -32700),
        (b"", 400, -32700),
        (b"null", 400, -32602),
        (b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"method":"ping"}'] * 10_000) + b"]", 400, -32602),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"nothing"}', 200, -32601),
        (CALL % b'{"name":"pay"}', 200, -32602),
        (CALL % b'{"name":7}', 200, -32602),
        (CALL % b'{"name":"rules","arguments":"x"}', 200, -32602),
    ],
    ids=str.split("cut deep empty null batch old unknown-method unknown-tool no-name no-object"),
)
def test_bad_messages_are_refused_as_json_rpc_says(api: Api, body: bytes, status: int, code: int) -> None:
    answer = Agent(api).post(body)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert "Traceback" not in answer.text


def test_there_is_nothing_to_subscribe_to(api: Api) -> None:
    version, ours = "2026-07-28", "io.modelcontextprotocol"
    about = {f"{ours}/protocolVersion": version, f"{ours}/clientCapabilities": {}}
    listen = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "subscriptions/listen",
        "params": {"_meta": about, "notifications": {}},
    }
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": listen["method"]}
    answer = Agent(api).post(listen, **headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (404, -32601)


def test_what_http_promises_is_kept(api: Api, settings: Settings) -> None:
    agent, ping = Agent(api), {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert agent.post(ping).json == {"jsonrpc": "2.0", "id": 1, "result": {}}
    noted = agent.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (noted.status_code, noted.data) == (202, b"")
    for method in ("GET", "DELETE", "OPTIONS", "PUT"):
        answer = api.client.open("/mcp", method=method)
        assert (answer.status_code, answer.json["code"]) == (405, "method_not_allowed")
    large = agent.post(b" " * 10_000_000)
    assert (large.status_code, large.json["code"]) == (413, "too_large")
    assert agent.post(ping, **{"MCP-Protocol-Version": "1999-01-01"}).status_code == 400
    assert agent.post(ping, **{"MCP-Protocol-Version": "2025-11-25"}).status_code == 200
    assert agent.post(ping, Accept="text/html").status_code == 406
    assert agent.post(ping, **{"Content-Type": "text/plain"}).status_code == 400
    refused = agent.post(ping, Origin="https://evil.example")
    assert (refused.status_code, refused.json["code"]) == (403, "forbidden")
    assert agent.post(ping, Origin=settings.base_url).status_code == 200


def test_each_operation_of_a_tool_counts_as_one_of_the_api(
    app: Flask, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    monkeypatch.setattr("app.web.rate_limits.RedisCounters.spend", lambda _self, quota, *_: counted.append(quota))
    quote = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "quote", "arguments": ORDER}}
    # What is left is that of the agent's own messages, whatever their tools called.
    assert Agent(api).post(quote).headers["RateLimit-Policy"].startswith('"reads"')
    Agent(api).call("rules")
    assert counted == ["reads", "writes", "reads", "reads"]
