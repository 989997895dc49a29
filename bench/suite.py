"""What the suite takes: each lane's wall clock and processor time, each folder's seconds, what it reaches of `app`.

    python -m bench.suite [LANE ...] [--runs 3] [--coverage] [--ci]

Prints the tables of tests/README.md. Setting up what is missing counts in the first run. Processor time is that of
every process that a run started and waited for: workers, services, browsers. A fixed loop is timed before each run:
it shows other work beside it; of machines it says little, since the suite waits for their memory. `--ci` runs
`.ci/run` instead of lanes, `--coverage` the chosen lanes once more under coverage.py, subprocesses too.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.tables import say_where
from tests.lanes import Lane

ROOT = Path(__file__).parents[1]
TARGETS = {Lane.QUICK: "test", Lane.ALL: "test-all", Lane.SERVERS: "test-servers"}
COVERAGE = """
[run]
branch = True
source = app
parallel = True
data_file = {folder}/coverage
patch = subprocess, _exit
concurrency = thread, multiprocessing
sigterm = True
disable_warnings = no-data-collected, module-not-measured
"""


@dataclass(frozen=True)
class Run:
    """One run of a lane: its seconds, those of the fixed loop before it, and what each folder took."""

    loop: float
    wall: float
    processor: float
    folders: dict[str, dict[str, Any]]


def run(lane: Lane, *given: str, **environ: str) -> Run:
    """Run the lane by its make target, with these variables of make; raises CalledProcessError when it is red."""
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times.json"
        options = f"{os.environ.get('PYTEST_ADDOPTS', '')} --times {times}"
        loop, used, began = loop_seconds(), _processor_seconds(), time.monotonic()
        environ = {**os.environ, **environ, "PYTEST_ADDOPTS": options}
        subprocess.run(["make", TARGETS[lane], *given], cwd=ROOT, env=environ, stdout=sys.stderr, check=True)
        wall = time.monotonic() - began
        return Run(loop, wall, _processor_seconds() - used, json.loads(times.read_text()))


def run_ci() -> None:
    """Run all that must pass before a landing, and print its seconds; raises CalledProcessError when it is red."""
    loop, began = loop_seconds(), time.monotonic()
    subprocess.run([".ci/run"], cwd=ROOT, stdout=sys.stderr, check=True)
    print(f"| .ci/run | {clock(time.monotonic() - began)} | {loop:.2f} |", flush=True)


def loop_seconds() -> float:
    """What one core takes for a fixed loop of Python, the best of three: how fast the machine is."""
    return min(timeit.repeat("sum(i * i % 7 for i in range(10_000_000))", number=1, repeat=3))


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def covered(lane: Lane) -> str:
    """Lines and branches of `app` that the lane reaches, as coverage.py counts them."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "coveragerc"
        settings.write_text(COVERAGE.format(folder=folder))
        given = f"--rcfile={settings}"
        run(lane, f"COVERAGE=-m coverage run {given}", COVERAGE_PROCESS_START=str(settings))
        report = Path(folder) / "report.json"
        for words in (("combine", "-q"), ("json", "-q", "-o", str(report))):
            subprocess.run([sys.executable, "-m", "coverage", words[0], given, *words[1:]], cwd=ROOT, check=True)
        totals = json.loads(report.read_text())["totals"]
    lines = f"{totals['covered_lines']} of {totals['num_statements']} lines"
    return f"{lines}, {totals['covered_branches']} of {totals['num_branches']} branches"


def print_lanes(runs: dict[Lane, list[Run]]) -> None:
    """The table of lanes, and of folders for the lane that runs most."""
    print("\n| lane | cases | each run | processor minutes | fixed loop, s |\n|---|---:|---|---:|---|")
    for lane, done in runs.items():
        cases = sum(each["cases"] for each in done[-1].folders.values())
        walls, loops = ", ".join(clock(each.wall) for each in done), ", ".join(f"{each.loop:.2f}" for each in done)
        processor = statistics.median(each.processor for each in done) / 60
        print(f"| {lane} | {cases} | {walls} | {processor:.1f} | {loops} |")
    widest = max((done[-1].folders for done in runs.values()), key=len)
    print("\n| folder | cases | quick s | long s |\n|---|---:|---:|---:|")
    for name, spent in sorted(widest.items(), key=lambda named: -(named[1]["quick"] + named[1]["long"])):
        print(f"| {name} | {spent['cases']} | {spent['quick']:.0f} | {spent['long']:.0f} |")


def main() -> None:
    """Run what is asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lanes", nargs="*", type=Lane, default=[Lane.QUICK, Lane.ALL], metavar="LANE")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--ci", action="store_true")
    asked = parser.parse_args()
    say_where()
    if asked.ci:
        for _ in range(asked.runs):
            run_ci()
        return
    print_lanes({lane: [run(lane) for _ in range(asked.runs)] for lane in asked.lanes})
    if asked.coverage:
        for lane in asked.lanes:
            print(f"\n{lane}: {covered(lane)}")


if __name__ == "__main__":
    main()
