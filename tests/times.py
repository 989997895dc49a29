"""Where the time of a run went: seconds and cases of each folder and lane, after every run and as a file."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.lanes import is_long


@dataclass
class Spent:
    """What the tests of one folder took: how many ran, and their seconds in the lanes' two halves."""

    cases: int = 0
    quick: float = 0.0
    long: float = 0.0


@dataclass(eq=False)
class Times:
    """Gathers the seconds of every test of a run, in the process that reports them."""

    folders: dict[str, Spent] = field(default_factory=lambda: defaultdict(Spent))

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """A worker knows the markers; the report brings what is needed of them to the process that prints."""
        item.user_properties.append(("long", is_long(item)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one phase of one test."""
        if isinstance(report, pytest.SubtestReport):
            return  # the whole test sends a report of its own
        spent = self.folders[folder_of(report.nodeid)]
        spent.cases += report.when == "call" or (report.when == "setup" and report.skipped)
        if dict(report.user_properties).get("long"):
            spent.long += report.duration
        else:
            spent.quick += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table, and write it where --times says."""
        if len(self.folders) > 1:
            terminalreporter.section("seconds by folder, of all processes together")
            for line in table(self.folders):
                terminalreporter.write_line(line)
        target = terminalreporter.config.getoption("--times")
        if target:
            Path(target).write_text(json.dumps({name: vars(spent) for name, spent in self.folders.items()}))


def folder_of(nodeid: str) -> str:
    """`tests/engine/test_x.py::test_y` lies in `engine`; what lies beside the folders counts together."""
    parts = nodeid.partition("::")[0].removeprefix("tests/").split("/")
    return parts[0] if len(parts) > 1 else "tests"


def table(folders: dict[str, Spent]) -> Iterable[str]:
    """Lines of text: dearest folder first, then all together."""
    total = Spent(
        sum(each.cases for each in folders.values()),
        sum(each.quick for each in folders.values()),
        sum(each.long for each in folders.values()),
    )
    dearest = sorted(folders.items(), key=lambda named: -(named[1].quick + named[1].long))
    yield f"{'':14} {'cases':>7} {'quick s':>9} {'long s':>9}"
    for name, spent in [*dearest, ("all", total)]:
        yield f"{name:14} {spent.cases:7d} {spent.quick:9.1f} {spent.long:9.1f}"
