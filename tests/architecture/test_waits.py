"""Tests await events: no fixed pause, and no limit that a busy laptop would miss."""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT

LEAST_SECONDS = 30
WAITING = frozenset({"wait", "join", "communicate"})
ALLOWED = {
    "waiting.py: time.sleep(STEP_SECONDS)": "between two looks at what must come",
    "journeys/service.py: time.sleep(PAUSE_SECONDS)": "between two questions to the service",
    "mail_server.py: time.sleep(GAP_SECONDS)": "a server that drips",
    "adapters/test_imagery_street_view.py: time.sleep(GAP_SECONDS)": "a server that drips",
    "adapters/test_webhook_deadline.py: visit.wait(0.6)": "a server that is late; the limit is a minute",
    "tasks/test_preview_worker.py: time.sleep(PATIENCE_SECONDS)": "a photo that takes too long",
    "tasks/test_hooks.py: second.join(0.1)": "must not have come; a busy machine makes that truer",
}
"""Each with why it cannot fail a test for being slow."""


def impatient(module: ast.Module) -> Iterator[str]:
    """Every call that pauses for a fixed time, or waits less than a busy laptop may take."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Attribute(attr="sleep" | "wait_for_timeout") | ast.Name(id="sleep")):
                yield ast.unparse(node)
            case ast.Call(func=ast.Attribute(attr=name), args=[seconds, *_]) if name in WAITING and _few(seconds):
                yield ast.unparse(node)
            case ast.Call(keywords=keywords) if any(k.arg == "timeout" and _few(k.value) for k in keywords):
                yield ast.unparse(node)


def _few(seconds: ast.expr) -> bool:
    return (
        isinstance(seconds, ast.Constant)
        and isinstance(seconds.value, int | float)
        and seconds.value < LEAST_SECONDS
    )


def test_tests_await_events_with_limits_that_a_busy_laptop_meets() -> None:
    folder = ROOT / "tests"
    found = {
        f"{path.relative_to(folder)}: {call}"
        for path in folder.rglob("*.py")
        for call in impatient(ast.parse(path.read_text()))
    }
    assert found == ALLOWED.keys()


@pytest.mark.parametrize(
    "call",
    ["time.sleep(60)", "sleep(1)", "page.wait_for_timeout(500)", "going.wait(5)", "run(timeout=0.5)", "t.join(29)"],
)
def test_a_pause_or_a_short_limit_is_named(call: str) -> None:
    assert list(impatient(ast.parse(call))) == [call]


@pytest.mark.parametrize(
    "call", ["going.wait(30)", "run(timeout=PATIENCE_SECONDS)", "', '.join(names)", "t.join()"]
)
def test_a_wait_with_a_long_limit_is_let_through(call: str) -> None:
    assert list(impatient(ast.parse(call))) == []
