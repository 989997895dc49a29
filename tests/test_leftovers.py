"""A test that leaves something behind fails; what is left is seen until it has ended, what others share is not."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.lanes import TESTS
from tests.leftovers import Leftovers, children
from tests.waiting import PATIENCE_SECONDS

CONFTEST = """
from functools import partial
from tests import leftovers
leftovers.eventually = partial(leftovers.eventually, seconds=0.5)
def pytest_configure(config):
    config.pluginmanager.register(leftovers.Leftovers())
"""
LEAVING = {
    "thread": "import threading; t = threading.Thread(target=threading.Event().wait, daemon=True); t.start()",
    "process": "import subprocess as s, sys; sys.left = s.Popen([sys.executable, '-c', 'input()'], stdin=s.PIPE)",
    "nothing": "import threading; t = threading.Thread(target=print); t.start()",
}


@pytest.mark.long
@pytest.mark.parametrize("left", LEAVING)
def test_a_test_fails_by_the_thread_or_process_that_it_leaves(left: str, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_leaving.py").write_text(f"def test_it():\n    {LEAVING[left]}\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tmp_path)]
    environ = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == (left != "nothing"), done.stdout
    assert ("have ended: not so" in done.stdout) == (left != "nothing")


def test_a_run_is_held_to_its_budget_its_share_of_the_engine_and_to_leaving_nothing(
    pytestconfig: pytest.Config,
) -> None:
    for name in ("budgets", "engine share", "leftovers"):
        assert pytestconfig.pluginmanager.has_plugin(name), name


def test_a_thread_is_left_until_it_ends() -> None:
    known, going = set(threading.enumerate()), threading.Event()
    left, kept = (threading.Thread(target=going.wait, name=name) for name in ("left", "renewals"))
    left.start()
    kept.start()
    assert Leftovers()._left_threads(known) == ["left"]
    assert Leftovers()._left_threads({*known, left}) == []
    going.set()
    for each in (left, kept):
        each.join(PATIENCE_SECONDS)
    assert Leftovers()._left_threads(known) == []


def test_a_process_is_left_until_it_ends() -> None:
    shared = Leftovers(processes=set(children()))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        (left,) = shared._left_processes()
        assert left.endswith("input()")
        process.communicate(b"\n", timeout=PATIENCE_SECONDS)
    assert shared._left_processes() == []
