"""Which of the engine's tests run: all until all have passed with things as they are, then a tenth of them a day.

Pictures are slow to make, and stay the same as long as nothing changes that makes them. The run in which all tests
passed writes a digest of everything that does (RECORD, committed). While it holds, every day has its own tenth.
"""

import ast
import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from engine.version import engine_version
from tests.lanes import TESTS, Lane

ROOT = TESTS.parent
FOLDER = TESTS / "engine"
ENGINE = ROOT / "engine"
RECORD = FOLDER / "complete_run.json"
PICTURES = ROOT / "static" / "img"
"""Those that the tests hold against what the engine makes now."""
SHARES = 10
FOLLOWED = ("tests", "bench")
"""Where what is imported counts with all that it imports; elsewhere it counts alone."""


def digest(version: str | None = None) -> str:
    """Of all that the engine's tests look at: the engine with its weights and packages, the tests, the pictures."""
    found = sha256((version or engine_version()).encode())
    for path in sorted({*_tests(), *(each for each in PICTURES.rglob("*") if each.is_file())}):
        found.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        found.update(sha256(path.read_bytes()).digest())
    return found.hexdigest()


@cache
def _tests() -> frozenset[Path]:
    """The files of the tests, and those that they import from elsewhere; the engine is in its version."""
    files = set(FOLDER.rglob("*.py"))
    left = list(files)
    while left:
        for file in _imported(left.pop()) - files:
            files.add(file)
            if file.relative_to(ROOT).as_posix().startswith(FOLLOWED):
                left.append(file)
    return frozenset(file for file in files if ENGINE not in file.parents)


def _imported(file: Path) -> set[Path]:
    """The files of this project that a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.ImportFrom(module=str() as module):
                modules |= {module, *(f"{module}.{each.name}" for each in node.names)}
            case ast.Import(names=names):
                modules |= {each.name for each in names}
    paths = {ROOT / module.replace(".", "/") for module in modules}
    return {found for path in paths for found in (path.with_suffix(".py"), path / "__init__.py") if found.is_file()}


def has_passed() -> bool:
    """Whether all of them passed with things as they are."""
    return RECORD.is_file() and json.loads(RECORD.read_text())["digest"] == digest()


def share_of(day: date) -> int:
    """Whose turn it is."""
    return day.toordinal() % SHARES


def is_due(item: pytest.Item, share: int) -> bool:
    """Whether the test runs on the day of this share; what is not of the engine always does."""
    if FOLDER not in item.path.parents:
        return True
    return crc32(item.nodeid.encode()) % SHARES == share


@dataclass(eq=False)
class EngineShare:
    """Chooses among the engine's tests for all processes of a run, and keeps that all of them passed."""

    config: pytest.Config
    share: int | None = field(init=False)
    """None where all are due."""
    passed: int = 0
    others: int = 0
    """Those that were skipped or failed, and files that could not be collected."""

    def __post_init__(self) -> None:
        given = getattr(self.config, "workerinput", None)
        self.share = given["engine_share"] if given else self._choose()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """All processes of a run do the same, also at midnight."""
        node.workerinput["engine_share"] = self.share

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what is due on other days."""
        if self.share is None:
            return
        due = [is_due(item, self.share) for item in items]
        config.hook.pytest_deselected(items=[item for item, chosen in zip(items, due, strict=True) if not chosen])
        items[:] = [item for item, chosen in zip(items, due, strict=True) if chosen]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count files whose tests cannot run, which no test reports."""
        self.others += report.failed and report.nodeid.startswith("tests/engine/")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count those that passed, in the process that reports."""
        if report.nodeid.startswith("tests/engine/"):
            self.passed += report.when == "call" and report.passed and not isinstance(report, pytest.SubtestReport)
            self.others += not report.passed

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Write the record where all of the engine's tests have run and passed, whatever became of others."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if self._is_complete() and ended and self.passed and not self.others:
            kept = {"digest": digest(), "day": f"{datetime.now(UTC):%Y-%m-%d}", "passed": self.passed}
            RECORD.write_text(json.dumps(kept, indent=1) + "\n")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out, or kept."""
        if self.share is not None:
            due = f"share {self.share + 1} of {SHARES} of the engine's tests ran"
            terminalreporter.write_line(f"{due}: nothing that they look at has changed since all of them passed")
        elif self._is_complete() and (self.passed or self.others):
            said = "did not all pass" if self.others else f"all passed: commit {RECORD.name}, which says so"
            terminalreporter.write_line(f"the engine's tests {said}")

    def _choose(self) -> int | None:
        lane = self.config.getoption("--lane")
        partly = lane in (Lane.QUICK, Lane.ALL) and self.config.args == ["tests"]
        return share_of(datetime.now(UTC).date()) if partly and has_passed() else None

    def _is_complete(self) -> bool:
        options = self.config.option
        part = options.keyword or options.markexpr or options.deselect or self.share is not None
        whole = self.config.args in (["tests"], ["tests/engine"]) and self.config.getoption("--lane") == Lane.ALL
        return whole and not part and not hasattr(self.config, "workerinput")
