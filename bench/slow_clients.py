"""How the web server answers others while hundreds of slow clients, honest ones and tricklers, are connected.

Usage: python -m bench.slow_clients [--idle 500] [--tricklers 200] [--uploads 100] [--megabytes 2] [--rate 100]
       [--server "COMMAND with {port}"]

Only the web program runs, so that nothing else takes the cores; COMMAND stands for another server.
"""

import argparse
import http.client
import multiprocessing
import shlex
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psutil
import requests

from app.container import Container
from app.domain.limits import MAX_FILE_BYTES
from app.domain.order_files import MAX_PHOTOS
from app.migrations import migrate
from app.supervision.instance import find_processes
from app.supervision.programs import list_programs
from bench.crowd import JPEG_HEADER, Crowd, Outcome, come
from bench.serving import Place, place
from bench.tables import say_where, show

PROBES = {"/healthz": 0.1, "/sign-in": 0.25}
"""What others ask for, and how often: one each so many seconds, every time on a connection of its own."""
PATIENCE_SECONDS = 10
DOWNLOAD_BYTES = 20_000_000
"""Others are measured at least so long."""
LEAST_SECONDS = 30.0
DAY = 24 * 3600


@contextmanager
def web(command: str) -> Iterator[tuple[Place, str]]:
    """The web program alone, or the one given, ready; and the secret of a key."""
    with place(upload_url_seconds=DAY) as here:
        container = Container(here.settings)
        migrate(container.database)
        container.database.engine.dispose()
        secret = here.account()
        own = next(program.command for program in list_programs(here.settings) if program.name == "web")
        here.start(*(shlex.split(command.format(port=here.settings.port)) if command else own))
        here.wait_for(f"{here.url}/healthz")
        yield here, secret


def urls(here: Place, secret: str, count: int) -> list[str]:
    """So many addresses to upload to."""
    found: list[str] = []
    while len(found) < count:
        answer = requests.post(
            f"{here.url}/api/v1/orders/upload-urls",
            json={"interiorCount": min(count - len(found), MAX_PHOTOS)},
            headers={"Authorization": f"Bearer {secret}"},
            timeout=PATIENCE_SECONDS,
        )
        answer.raise_for_status()
        found += [each["uploadUrl"] for each in answer.json()["interiorUrls"]]
    return found


def a_download(here: Place) -> str:
    """The address of a large file."""
    storage = Container(here.settings).storage
    writing = storage.create("results/bench.jpg", MAX_FILE_BYTES)
    writing.write(JPEG_HEADER + bytes(DOWNLOAD_BYTES))
    writing.publish()
    return storage.download_url("results/bench.jpg", "bench.jpg", DAY)


class Probe:
    """Asks for one path again and again, and keeps how long each answer took; none within patience is a failure."""

    def __init__(self, port: int, path: str, pause: float) -> None:
        self.port, self.path, self.pause = port, path, pause
        self.seconds: list[float] = []
        self.failures = 0
        self.going = True

    def ask(self) -> None:
        """Go on until told to stop. Each question starts on time, whether or not the one before was answered."""
        with ThreadPoolExecutor(64) as pool:
            while self.going:
                pool.submit(self._once)
                time.sleep(self.pause)
            pool.shutdown(cancel_futures=True)

    def _once(self) -> None:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", self.path)
            good = connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            good = False
        finally:
            connection.close()
        self.failures += not good
        self.seconds.append(time.monotonic() - began)

    def row(self) -> tuple[str, ...]:
        """Its line of the table."""
        ninety_ninth = statistics.quantiles(self.seconds, n=100, method="inclusive")[-1]
        figures = (statistics.median(self.seconds), ninety_ninth, max(self.seconds))
        return (self.path, str(len(self.seconds)), *(f"{1000 * each:.0f}" for each in figures), str(self.failures))


class Memory:
    """The most that all processes of the server took together, looked at again and again."""

    def __init__(self, here: Place) -> None:
        self.here = here
        self.resting = self.most = self.now()

    def now(self) -> float:
        """Megabytes; pages that processes share are counted once."""
        total = 0
        for process in find_processes(self.here.settings.data_dir):
            try:
                total += process.memory_full_info().pss
            except psutil.Error:
                continue
        return total / 1024**2

    def look(self) -> None:
        """Take note of it."""
        self.most = max(self.most, self.now())


def measured(here: Place, crowd: Crowd) -> tuple[list[Probe], Outcome, Memory]:
    """What others met while the crowd was there, until the last honest upload was through."""
    mine, theirs = multiprocessing.Pipe()
    memory = Memory(here)
    process = multiprocessing.Process(target=come, args=(crowd, theirs), daemon=True)
    process.start()
    mine.recv()
    probes = [Probe(here.settings.port, path, pause) for path, pause in PROBES.items()]
    with ThreadPoolExecutor(len(probes)) as pool:
        began = time.monotonic()
        for probe in probes:
            pool.submit(probe.ask)
        # A server that freezes would keep the honest for ever: after thrice their time they count as lost.
        latest = began + LEAST_SECONDS + 3 * crowd.upload_bytes / crowd.bytes_a_second
        while time.monotonic() < latest and not (mine.poll(1.0) and time.monotonic() > began + LEAST_SECONDS):
            memory.look()
        for probe in probes:
            probe.going = False
    mine.send("enough")
    outcome: Outcome = mine.recv()
    process.join()
    return probes, outcome, memory


def main() -> None:
    """Everything in tables."""
    parser = argparse.ArgumentParser(prog="bench.slow_clients")
    for name, value in (("idle", 500), ("tricklers", 200), ("uploads", 100), ("megabytes", 2), ("rate", 100)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--server", default="", help="another server's command")
    given = parser.parse_args()
    say_where()
    with web(given.server) as (here, secret):
        crowd = Crowd(
            here.settings.port,
            urls(here, secret, given.uploads),
            a_download(here),
            idle=given.idle,
            tricklers=given.tricklers,
            upload_bytes=given.megabytes * 1_000_000,
            bytes_a_second=given.rate * 1000,
        )
        probes, outcome, memory = measured(here, crowd)
    title = f"{given.idle} idle, {given.tricklers} trickling, {given.uploads} honest at {given.rate} kB/s"
    head = ("milliseconds", "asked", "median", "p99", "max", "failed")
    show(title, head, [probe.row() for probe in probes])
    told = ", ".join(f"{count} times {status}" for status, count in sorted(outcome.uploads.items()))
    print(
        f"uploads of {given.megabytes} MB: {told}; the slowest took {max(outcome.seconds, default=0):.0f} s", end=""
    )
    print(f" ({given.megabytes * 1000 / given.rate:.0f} s at their rate)")
    print(f"memory of the web processes: {memory.resting:.0f} MB at rest, {memory.most:.0f} MB at most")


if __name__ == "__main__":
    sys.exit(main())
