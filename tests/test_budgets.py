"""A run that spends more than its lane's budget fails; a part of a lane may cost what it likes."""

import ast
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tests import budgets
from tests.architecture.source import modules_of_tests, nodes
from tests.budgets import BUDGETS, Accounts, Budget, Dear
from tests.lanes import Lane

SMALL = {Lane.QUICK: {Dear.PAGES: Budget(10), Dear.BROWSERS: Budget(1, process=2)}}
STARTS = {
    "launch": {"browser/visits.py"},
    "new_context": {"browser/visits.py"},
    "vnu.jar": {"browser/vnu.py"},
    "flask up": {"journeys/host.py"},
}
"""What starts something dear, and the only files that do; those count it."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick lane that may load ten pages, in one browser and two more for each process."""
    monkeypatch.setattr(budgets, "BUDGETS", SMALL)


def config_of(*args: str, **options: Any) -> SimpleNamespace:
    """The configuration of a run that was asked for like this."""
    given = {"keyword": "", "markexpr": "", "deselect": None, "lane": "quick", **options}
    return SimpleNamespace(option=SimpleNamespace(**given), args=list(args), getoption=lambda _: given["lane"])


def finished(config: Any, *spent: dict[str, int]) -> pytest.ExitCode:
    """How a run whose processes spent this ends, when no test failed."""
    accounts, session = Accounts(config), SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    for each in spent:
        accounts.pytest_testnodedown(SimpleNamespace(workeroutput={"spent": each}))
    accounts.pytest_sessionfinish(session, session.exitstatus)
    return session.exitstatus


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("spent", "status"),
    [
        ([{Dear.PAGES: 4}, {Dear.PAGES: 6}], pytest.ExitCode.OK),
        ([{Dear.PAGES: 4}, {Dear.PAGES: 7}], pytest.ExitCode.TESTS_FAILED),
        ([{Dear.BROWSERS: 3}], pytest.ExitCode.OK),
        ([{Dear.BROWSERS: 4}], pytest.ExitCode.TESTS_FAILED),
        ([{Dear.BROWSERS: 4}, {}], pytest.ExitCode.OK),
        ([{Dear.SERVICES: 1}], pytest.ExitCode.TESTS_FAILED),
    ],
)
def test_a_whole_lane_fails_by_the_first_thing_above_its_budget(spent: Any, status: pytest.ExitCode) -> None:
    assert finished(config_of("tests/"), *spent) == status


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "config",
    [
        config_of("tests/browser"),
        config_of("tests", keyword="board"),
        config_of("tests", markexpr="long"),
        config_of("tests", deselect=["tests/browser/test_pages.py"]),
        config_of("tests", lane="hosts"),
    ],
)
def test_a_part_of_a_lane_and_a_lane_without_budget_may_cost_what_they_like(config: Any) -> None:
    assert finished(config, {Dear.PAGES: 11}) == pytest.ExitCode.OK


@pytest.mark.usefixtures("small")
def test_what_is_over_budget_is_named_with_its_limit() -> None:
    spent = Counter({Dear.PAGES: 11, Dear.BROWSERS: 3})
    assert budgets.overspent(Lane.QUICK, spent, 1) == [
        "pages loaded in a browser: 11, 10 allowed (tests/budgets.py)"
    ]


def test_what_the_product_does_is_counted_once_for_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Dear] = []
    monkeypatch.setattr(budgets, "spend", counted.append)
    tracing = SimpleNamespace(Outlines=type("Outlines", (), {"trace": lambda self, view: view}))
    pipeline = SimpleNamespace(Canvas=lambda pixels, scene: pixels)
    for name, module in (("engine.rendering.tracing", tracing), ("engine.pipeline", pipeline)):
        monkeypatch.setitem(budgets.sys.modules, name, module)
    budgets.count_product()
    budgets.count_product()
    assert tracing.Outlines().trace("view") == "view"
    for width in (1000, 1001):
        pipeline.Canvas(SimpleNamespace(shape=(1000, width, 3)), None)
    assert counted == [Dear.ROOMS, Dear.LARGE_PICTURES]


def test_every_lane_of_make_but_that_of_several_hosts_has_a_budget() -> None:
    assert BUDGETS.keys() == {Lane.QUICK, Lane.ALL, Lane.SERVERS}


def test_browsers_checkers_and_services_are_started_where_they_are_counted() -> None:
    found: dict[str, set[str]] = {start: set() for start in STARTS}
    for path, module in modules_of_tests().items():
        for node in nodes(module):
            for start in _starts(node):
                found[start].add(path)
    found["vnu.jar"].discard("test_budgets.py")
    assert found == STARTS


def _starts(node: ast.AST) -> set[str]:
    match node:
        case ast.Call(func=ast.Attribute(attr="launch" | "new_context" as name)):
            return {name}
        case ast.Constant(value="vnu.jar"):
            return {"vnu.jar"}
        case ast.List(elts=[*_, ast.Constant(value="wsgi"), ast.Constant(value="up")]):
            return {"flask up"}
    return set()
