"""Photos a minute with one, two and four workers, and on two worker hosts, through the whole service with S3.

Usage: python -m bench.throughput [--photos 12] [--rounds 3] [--megapixels 12] [--layouts 1,2,4,1+1,2+2]

Each layout is a service of its own with a database of its own, on one PostgreSQL, Redis and store, all running
from the first round to the last; in each round every layout works on one order, in turn, while the others rest.
Worker hosts are in network namespaces where root may make them. Where other work keeps the machine busy a layout
gets as many cores as that leaves: so the cores that its workers really had are shown, and photos for each of them.
"""

import argparse
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.tables import say_where, show
from tests import scenes
from tests.conftest import order_body
from tests.journeys.host import WORK
from tests.journeys.servers import SharedServers, shared_servers
from tests.journeys.service import Service

LAYOUTS = "1,2,4,1+1,2+2"
"""Workers on one host, or the workers on each of several."""
LOOK_SECONDS = 0.25
GIVE_UP_SECONDS = 1800
SETTLED = ("approved", "failed", "undeliverable")


@dataclass(frozen=True, slots=True)
class Round:
    """What one order took: seconds by the clock, processor seconds of the workers, and the load at its end."""

    seconds: float
    worked: float
    load: float


@dataclass(frozen=True, slots=True)
class Figures:
    """All rounds of one layout: photos a minute, cores that its workers had, photos a minute for each of those."""

    rate: float
    cores: float
    per_core: float


def processor_seconds(service: Service) -> float:
    """Of the workers that stand, with all that they forked and waited for."""
    total = 0.0
    for pid in service.standing(f"{WORK} photos$"):
        with suppress(psutil.Error):
            total += sum(psutil.Process(pid).cpu_times()[:4])
    return total


def work_on(service: Service, photo: bytes, count: int) -> Round:
    """One order of so many photos, from its answer until it has settled."""
    client = service.client()
    files = client.upload({"interior": [photo] * count})
    worked = processor_seconds(service)
    job_id = client.order(files, **order_body())["jobId"]
    began = time.monotonic()
    while (status := client.call("GET", f"/jobs/{job_id}/status")["status"]) not in SETTLED:
        if time.monotonic() - began > GIVE_UP_SECONDS:
            raise TimeoutError(f"{job_id} is {status}")
        time.sleep(LOOK_SECONDS)
    if status != "approved":
        raise RuntimeError(f"{job_id} is {status}")
    return Round(time.monotonic() - began, processor_seconds(service) - worked, os.getloadavg()[0])


def figures(rounds: Sequence[Round], count: int) -> Figures:
    """The medians of the rounds."""
    rate = statistics.median(60 * count / each.seconds for each in rounds)
    cores = statistics.median(each.worked / each.seconds for each in rounds)
    return Figures(rate, cores, statistics.median(60 * count / each.worked for each in rounds))


def rows(measured: Mapping[str, Sequence[Round]], count: int) -> Iterator[Sequence[object]]:
    """A line for each layout, against the first."""
    one = figures(next(iter(measured.values())), count)
    for name, rounds in measured.items():
        its = figures(rounds, count)
        loads = [each.load for each in rounds]
        against = f"{its.rate / one.rate:.2f}", f"{its.cores:.2f}", f"{100 * its.per_core / one.per_core:.0f} %"
        yield name, f"{its.rate:.1f}", *against, f"{min(loads):.0f} to {max(loads):.0f}"


def measure(shared: SharedServers, layouts: str, photo: bytes, count: int, times: int) -> dict[str, list[Round]]:
    """The rounds of every layout, after an order that warms it up."""
    measured: dict[str, list[Round]] = {name: [] for name in layouts.split(",")}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brightlist-bench-")))
        running = {}
        for name in measured:
            workers = [int(each) for each in name.split("+")]
            running[name] = stack.enter_context(shared.service(folder / name, workers))
            work_on(running[name], photo, sum(workers))
        for _ in range(times):
            for name, service in running.items():
                measured[name].append(work_on(service, photo, count))
    return measured


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=12, help="of one order")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megapixels", type=float, default=12)
    parser.add_argument("--layouts", default=LAYOUTS, help="workers on one host, or on each of several: 1,2,1+1")
    given = parser.parse_args()
    # Asked to end, a bench must still end what it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    say_where()
    height = round((given.megapixels * 1e6 / 1.5) ** 0.5)
    photo = scenes.encoded(scenes.room(height * 3 // 2, height))
    with tempfile.TemporaryDirectory(prefix="brightlist-bench-") as name, shared_servers(Path(name)) as shared:
        if shared.missing_network:
            print(f"hosts share this machine's network: {shared.missing_network}")
        measured = measure(shared, given.layouts, photo, given.photos, given.rounds)
    title = f"{given.photos} photos of {given.megapixels:g} megapixels in each of {given.rounds} rounds"
    show(
        title,
        ("workers", "photos/min", "of one", "cores had", "photos a core", "load"),
        rows(measured, given.photos),
    )


if __name__ == "__main__":
    main()
