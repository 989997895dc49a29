"""What a lane may spend of what is dear: the table, and the guard that fails a run which spends more.

Seconds differ by a factor of three between machines, so a limit of time says little; the number of pages, services
and pictures is the same everywhere. A change that needs more says so in BUDGETS, and takes something else out.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Any, NamedTuple

import pytest

from tests.lanes import Lane

LARGE_PIXELS = 1_000_000


class Dear(StrEnum):
    """What costs so much that it is counted."""

    PAGES = "pages loaded in a browser"
    BROWSERS = "browsers started"
    JVMS = "JVMs started"
    SERVICES = "whole services started"
    DATABASES = "databases migrated"
    LARGE_PICTURES = "pictures over 1 megapixel enhanced"
    ROOMS = "rooms traced"


class Budget(NamedTuple):
    """How often at most: `run` times for all, and `process` times for each process of the run, as fixtures are."""

    run: int
    process: int = 0

    def most(self, processes: int) -> int:
        """The limit of a run with so many processes."""
        return self.run + self.process * processes


NOTHING = Budget(0)
BUDGETS: Mapping[Lane, Mapping[Dear, Budget]] = {
    Lane.QUICK: {
        Dear.PAGES: Budget(40),
        Dear.BROWSERS: Budget(1),
        Dear.SERVICES: Budget(1),
        Dear.DATABASES: Budget(9, process=1),
        Dear.ROOMS: Budget(22),
    },
    Lane.ALL: {
        # 1,120 so far; those that a page loads itself while it waits are not counted.
        Dear.PAGES: Budget(1250),
        Dear.BROWSERS: Budget(3),
        Dear.JVMS: Budget(1),
        Dear.SERVICES: Budget(13),
        Dear.DATABASES: Budget(12, process=1),
        # 98 where all tests of the engine run, which is seldom: tests/engine_share.py.
        Dear.ROOMS: Budget(110),
    },
    Lane.SERVERS: {
        Dear.PAGES: Budget(200),
        Dear.BROWSERS: Budget(1),
        Dear.SERVICES: Budget(11),
        Dear.DATABASES: Budget(20, process=1),
        # The picture of a layout, in an answer of the API.
        Dear.ROOMS: Budget(2),
    },
}
"""By lane; what is not named may not happen at all. Lanes that are not named have no budget."""

_spent: Counter[Dear] = Counter()


def spend(dear: Dear) -> None:
    """Count one; whatever starts or loads something dear calls this."""
    _spent[dear] += 1


def overspent(lane: Lane, spent: Mapping[Dear, int], processes: int) -> list[str]:
    """What was spent above the lane's budget, a line each."""
    budget = BUDGETS[lane]
    limits = {dear: budget.get(dear, NOTHING).most(processes) for dear in Dear}
    return [
        f"{dear}: {spent[dear]}, {limits[dear]} allowed (tests/budgets.py)"
        for dear in Dear
        if spent.get(dear, 0) > limits[dear]
    ]


@dataclass(eq=False)
class Accounts:
    """The guard: adds up what the processes of a run spent, and fails a whole lane that spent too much."""

    config: pytest.Config
    spent: Counter[Dear] = field(default_factory=Counter)
    processes: int = 0

    def pytest_collection_finish(self) -> None:
        """Count what the product does from now on."""
        count_product()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A process of a parallel run has ended."""
        self._add(getattr(node, "workeroutput", {}).get("spent", {}))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Hand the counts to the process that reports, or judge them there."""
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output["spent"] = {dear.value: count for dear, count in _spent.items()}
            return
        if not self.processes:
            self._add(_spent)
        if exitstatus == pytest.ExitCode.OK and self.excess():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def excess(self) -> list[str]:
        """What the lane's budget does not allow; nothing where only a part of a lane ran."""
        lane = whole_lane(self.config)
        return overspent(lane, self.spent, self.processes) if lane in BUDGETS else []

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the counts, and what was too much."""
        if self.spent:
            terminalreporter.section("what is dear, counted")
            for line in table(self.spent):
                terminalreporter.write_line(line)
        for line in self.excess():
            terminalreporter.write_line(f"over budget: {line}", red=True)

    def _add(self, spent: Mapping[str, int]) -> None:
        self.processes += 1
        self.spent.update({Dear(dear): count for dear, count in spent.items()})


def whole_lane(config: pytest.Config) -> Lane | None:
    """The lane that runs; None where only a part of it was asked for."""
    options = config.option
    part = options.keyword or options.markexpr or options.deselect or getattr(options, "lf", False)
    whole = [each.rstrip("/") for each in config.args] == ["tests"] and not part
    return Lane(config.getoption("--lane")) if whole else None


def table(spent: Mapping[Dear, int]) -> Iterable[str]:
    """Lines of text, in the order of Dear."""
    return [f"{dear:36} {spent[dear]:6d}" for dear in Dear if dear in spent]


def count_product() -> None:
    """Count what the product itself does, in the modules that the tests have loaded; harmless when done twice."""
    for module, owner, name, dear, counts in (
        ("app.migrations", "", "_move", Dear.DATABASES, None),
        ("engine.pipeline", "", "Canvas", Dear.LARGE_PICTURES, _is_large),
        ("engine.rendering.tracing", "Outlines", "trace", Dear.ROOMS, None),
    ):
        if module in sys.modules:
            of = getattr(sys.modules[module], owner) if owner else sys.modules[module]
            _count(of, name, dear, counts)


def _is_large(pixels: Any, *_: object) -> bool:
    return pixels.shape[0] * pixels.shape[1] > LARGE_PIXELS


def _count(owner: Any, name: str, dear: Dear, counts: Callable[..., bool] | None) -> None:
    ask = getattr(owner, name)
    if hasattr(ask, "counted"):
        return

    @wraps(ask)
    def counted(*given: Any, **named: Any) -> Any:
        if counts is None or counts(*given):
            spend(dear)
        return ask(*given, **named)

    counted.counted = True
    setattr(owner, name, counted)
