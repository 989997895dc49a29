"""`brightlist mcp`, asked by the client of the mcp package: an agent prices, orders within a budget, and saves."""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from brightlist import Brightlist
from brightlist.cli.commands import main
from brightlist.mcp_server import Budget, OverBudget, make_server
from mcp import Client
from mcp.types import CallToolResult, Tool

from app.container import Container
from tests.acts import at_once
from tests.clients.conftest import InProcess, Shell, answering, cut, cut_after, passing
from tests.conftest import Api, work
from tests.fakes import photo

ORDER = {
    "folder": "rooms",
    "address": "12 Garden Lane, Springfield, IL 62704",
    "enhancements": ["hdr_enhancement"],
}
Ask = Callable[..., CallToolResult]


@pytest.fixture
def ask(client: Brightlist, tmp_path: Path) -> Ask:
    """Calls a tool of a server whose budget is 2 credits."""
    server = make_server(client, tmp_path, 2)

    async def call(name: str, arguments: dict[str, Any]) -> CallToolResult:
        async with Client(server) as agent:
            return await agent.call_tool(name, arguments)

    return lambda name, **arguments: anyio.run(call, name, arguments)


def read(answer: CallToolResult) -> dict[str, Any]:
    assert not answer.is_error, answer.content
    found = answer.structured_content
    assert isinstance(found, dict)
    return found


def refusal(answer: CallToolResult) -> str:
    assert answer.is_error
    return str(answer.content[0].text)


def test_an_agent_comes_from_the_price_to_the_pictures(
    ask: Ask, rooms: Path, api: Api, container: Container, tmp_path: Path
) -> None:
    assert read(ask("credits")) == {"credits": 100, "budgetLeft": 2}
    prices = {each["id"]: each["creditsPerPhoto"] for each in read(ask("enhancements"))["enhancements"]}
    assert prices["hdr_enhancement"] == 0.5
    assert read(ask("quote", **ORDER))["creditCost"] == 1.5
    placed = read(ask("order", **ORDER, most_credits=1.5))
    assert (placed["creditCost"], placed["budgetLeft"], api.credits()) == (1.5, 0.5, 98.5)
    work(container)
    found = read(ask("status", job_id=placed["jobId"]))
    assert (found["status"], len(found["photos"])) == ("approved", 3)
    files = read(ask("results", job_id=placed["jobId"], output="pictures"))["files"]
    assert [Path(each).name for each in files] == ["bath.jpg", "kitchen.jpg", "living.jpg"]
    assert (tmp_path / "pictures" / "bath.jpg").read_bytes() == photo("bath.jpg")


def test_an_order_repeated_is_the_same_and_costs_nothing_more(ask: Ask, rooms: Path, api: Api) -> None:
    first = read(ask("order", **ORDER, most_credits=2))
    assert read(ask("order", **ORDER, most_credits=2)) == first
    assert api.credits() == 98.5


def test_beyond_the_budget_or_what_was_agreed_nothing_is_ordered(
    ask: Ask, rooms: Path, api: Api, wire: InProcess
) -> None:
    assert "more than 1" in refusal(ask("order", **ORDER, most_credits=1))
    read(ask("order", **ORDER, most_credits=2))
    (rooms.parent / "more").mkdir()
    (rooms.parent / "more" / "hall.jpg").write_bytes(photo("hall"))
    (rooms.parent / "more" / "attic.jpg").write_bytes(photo("attic"))
    wire.seen.clear()
    told = refusal(ask("order", **{**ORDER, "folder": "more"}, most_credits=50))
    assert told == "Error executing tool order: It costs 1 credits, and 0.5 are left of the budget."
    assert not [each for each in wire.seen if each.startswith(("PUT", "POST /api/v1/orders/from"))]
    assert api.credits() == 98.5


def test_what_was_refused_is_not_spent_and_what_was_not_answered_is(
    ask: Ask, rooms: Path, api: Api, wire: InProcess
) -> None:
    def at_the_order(fault: Callable[..., Any]) -> Callable[..., Any]:
        return lambda request: fault(request) if request.path_url.endswith("/from-uploads") else None

    wire.always = at_the_order(answering(402, {}, json.dumps({"error": "Insufficient credits"}).encode()))
    assert "Insufficient credits" in refusal(ask("order", **ORDER, most_credits=2))
    assert read(ask("credits"))["budgetLeft"] == 2
    wire.always = at_the_order(cut_after(wire))
    assert "cannot be reached" in refusal(ask("order", **ORDER, most_credits=2))
    assert read(ask("credits")) == {"credits": 98.5, "budgetLeft": 0.5}
    wire.always = at_the_order(answering(503))
    assert "503" in refusal(ask("order", **ORDER, most_credits=2))
    wire.always = passing
    assert read(ask("order", **ORDER, most_credits=2))["creditCost"] == 1.5
    assert read(ask("credits")) == {"credits": 98.5, "budgetLeft": 0.5}


def test_an_upload_that_breaks_off_spends_nothing(ask: Ask, rooms: Path, wire: InProcess) -> None:
    wire.always = lambda request: cut(request) if request.method == "PUT" else None
    assert "cannot be reached" in refusal(ask("order", **ORDER, most_credits=2))
    assert read(ask("credits"))["budgetLeft"] == 2


def test_a_budget_is_never_exceeded_by_orders_at_once() -> None:
    budget = Budget(3)
    made = at_once(*[partial(budget.spend, 1)] * 8)
    assert sum(isinstance(each, OverBudget) for each in made) == 5
    assert budget.left == 0


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("quote", {**ORDER, "folder": "../elsewhere"}),
        ("quote", {**ORDER, "folder": "/etc"}),
        ("order", {**ORDER, "folder": "..", "most_credits": 9}),
        ("results", {"job_id": "job_1", "output": "../../etc"}),
    ],
)
def test_no_folder_elsewhere_is_read_or_written(ask: Ask, tool: str, arguments: dict[str, Any]) -> None:
    assert "is not in" in refusal(ask(tool, **arguments))


def test_refusals_are_told_in_words(ask: Ask, rooms: Path) -> None:
    assert "Not found" in refusal(ask("status", job_id="job_none"))
    assert "hdr_enhancement" in refusal(ask("quote", **{**ORDER, "enhancements": ["shine"]}))
    assert "No photos" in refusal(ask("quote", **{**ORDER, "folder": "nothing"}))


def test_rules_are_listed_and_read(ask: Ask) -> None:
    rules = read(ask("rules"))["rules"]
    assert {"id": "crmls", "name": next(each["name"] for each in rules if each["id"] == "crmls")} in rules
    assert read(ask("rules", rule_id="crmls"))["id"] == "crmls"


def test_every_tool_says_what_it_costs_and_the_one_that_spends_is_marked(
    client: Brightlist, tmp_path: Path
) -> None:
    async def list_tools() -> list[Tool]:
        async with Client(make_server(client, tmp_path, 0)) as agent:
            return (await agent.list_tools()).tools

    tools = {each.name: each for each in anyio.run(list_tools)}
    assert tools.keys() == {"credits", "enhancements", "rules", "quote", "order", "status", "results"}
    assert "COSTS CREDITS" in tools.pop("order").description
    assert all("Free" in each.description for each in tools.values())
    assert not any(each.annotations.destructive_hint for each in tools.values())
    assert [name for name, each in tools.items() if not each.annotations.read_only_hint] == ["results"]


def test_without_its_packages_the_command_says_what_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "brightlist.mcp_server", None)
    refused = shell.run("mcp", "--budget", "5")
    assert refused.exit_code == 1
    assert "brightlist[mcp]" in refused.stderr
    assert "mcp" in main.commands


def test_an_agent_and_the_command_line_order_a_folder_once_together(
    ask: Ask, rooms: Path, shell: Shell, api: Api
) -> None:
    placed = read(ask("order", **ORDER, most_credits=2))
    words = ("--enhancement", "hdr_enhancement", "--address", ORDER["address"], "--output", "results", "--yes")
    done = shell.run("enhance", "rooms", *words)
    assert done.exit_code == 0, done.output
    assert f"Goes on with the job {placed['jobId']}." in done.stderr
    assert api.credits() == 98.5


def test_a_budget_is_counted_exactly() -> None:
    budget = Budget(0.7)
    for cost in (0.5, 0.1):
        budget.spend(cost)
    assert budget.left == 0.1
    budget.spend(0.1)
    assert budget.left == 0
