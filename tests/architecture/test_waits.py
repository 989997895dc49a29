"""Tests await events: no fixed pause, and no limit that a busy laptop would miss."""

import ast
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.architecture.source import modules_of_tests, nodes

LEAST_SECONDS = 30
WAITING = {"wait": 0, "join": 0, "communicate": 1, "set_default_timeout": 0, "eventually": 2}
"""Which of its arguments says how long."""
ALLOWED = {
    "waiting.py: time.sleep(STEP_SECONDS)": "between two looks at what must come",
    "journeys/service.py: time.sleep(PAUSE_SECONDS)": "between two questions to the service",
    "mail_server.py: time.sleep(GAP_SECONDS)": "a server that drips",
    "test_writers.py: done.wait(0.1)": "nothing is to happen meanwhile",
    "adapters/test_imagery_street_view.py: time.sleep(GAP_SECONDS)": "a server that drips",
    "adapters/test_webhook_deadline.py: visit.wait(0.6)": "a server that is late; the limit is a minute",
    "tasks/test_pack_worker.py: time.sleep(PATIENCE_SECONDS)": "a picture of a pack that takes too long",
    "tasks/test_preview_worker.py: time.sleep(PATIENCE_SECONDS)": "a photo that takes too long",
    "clients/test_typescript.py: ended.wait(0.05)": "between two looks for work",
    "serving/test_mcp_clients.py: ended.wait(0.05)": "between two looks for work",
    "tasks/test_hooks.py: second.join(0.1)": "must not have come; a busy machine makes that truer",
}
"""Each with why it cannot fail a test for being slow."""


def impatient(module: ast.Module) -> Iterator[str]:
    """Every call that pauses for a fixed time, or waits less than a busy laptop may take."""
    numbers = {
        node.targets[0].id: node.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in nodes(module):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                limits = [each.value for each in node.keywords if each.arg == "timeout"]
                if name in WAITING:
                    limits += node.args[WAITING[name] :][:1]
                    limits += [each.value for each in node.keywords if each.arg == "seconds"]
                named = [numbers.get(each.id, each) if isinstance(each, ast.Name) else each for each in limits]
                if name in ("sleep", "wait_for_timeout") or any(map(_few, named)):
                    yield ast.unparse(node)


def _few(limit: ast.expr) -> bool:
    """Whether these are too few seconds, or too few milliseconds, as Playwright counts."""
    match limit:
        case ast.Constant(value=int() | float() as number):
            return number < LEAST_SECONDS or 1000 <= number < LEAST_SECONDS * 1000
    return False


def test_tests_await_events_with_limits_that_a_busy_laptop_meets() -> None:
    found = {f"{path}: {call}" for path, module in modules_of_tests().items() for call in impatient(module)}
    assert found == ALLOWED.keys()


@pytest.mark.parametrize(
    "call",
    [
        "time.sleep(60)",
        "sleep(1)",
        "page.wait_for_timeout(500)",
        "going.wait(5)",
        "run(timeout=0.5)",
        "run(timeout=BRIEF)",
        "t.join(29)",
        "p.communicate(None, 5)",
        "expect(done).to_be_visible(timeout=5000)",
        "context.set_default_timeout(5000)",
        "eventually('it is back', look, 5)",
        "eventually('it is back', look, seconds=5)",
    ],
)
def test_a_pause_or_a_short_limit_is_named(call: str) -> None:
    assert list(impatient(ast.parse(f"BRIEF = 5\n{call}"))) == [call]


@pytest.mark.parametrize(
    "call",
    [
        "going.wait(30)",
        "run(timeout=PATIENCE_SECONDS)",
        "run(timeout=LONG)",
        "', '.join(names)",
        "t.join()",
        "expect(done).to_be_visible(timeout=60000)",
        "eventually('it is back', look)",
    ],
)
def test_a_wait_with_a_long_limit_is_let_through(call: str) -> None:
    assert list(impatient(ast.parse(f"LONG = 60\n{call}"))) == []


def test_generated_cases_are_the_same_in_every_run_and_know_no_time_limit() -> None:
    assert settings.default is not None
    assert (settings.default.deadline, settings.default.derandomize) == (None, True)
