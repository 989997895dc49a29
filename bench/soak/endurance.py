"""One account floods the whole service for an hour: others' waits, the times of pages, memory of every process.

Before the flood the same is measured for a while, so that each figure stands beside its own without a flood.
"""

import argparse
import itertools
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from secrets import token_hex
from statistics import median, quantiles

import psutil
from sqlalchemy import func, select

from app.domain.lifecycle import WorkState
from app.models import Photo
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from bench.soak import command, processes
from bench.soak.answer_times import AnswerTimes, Question, asking
from bench.soak.books import Line
from tests import scenes
from tests.journeys.service import Client, Service

PHOTOS = 10_000
PER_ORDER = 50
FEEDERS = 3
QUIET_SHARE = 0.1
"""Of the time, before the flood."""
LOOK_EVERY_SECONDS = 5.0
TURN_SECONDS = 0.1
SIZE = (320, 214)
CREDITS = Decimal(1_000_000)
MOST_GROWTH = 1.1
NOISE_MEGABYTES = 20
"""What a process may take more at one look than at another without growing."""
MOST_WAIT = 2.0
MOST_P99 = 1.25
NOISE_MILLISECONDS = 5
"""Of two p99 of the same service a few minutes apart."""
MEGABYTE = 2**20


@dataclass
class Figures:
    """What was seen in one part of the time: the answers, how long orders took, and what went wrong."""

    answers: AnswerTimes = field(default_factory=AnswerTimes)
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass
class Memory:
    """Megabytes of each kind of process, all of a kind together, look after look."""

    service: Service
    seen: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def look(self) -> None:
        """Note what the processes that last take now: work-horses are forked for one photo and go."""
        for kind, there in processes.by_kind(self.service).items():
            if kind != processes.CHILD.format("worker"):
                self.seen[kind].append(sum(_megabytes(each) for each in there))

    def lines(self) -> Iterator[Line]:
        """The most of each kind in the second quarter of the looks, and in the last: the first still warms up."""
        for kind, taken in sorted(self.seen.items()):
            quarter = max(len(taken) // 4, 1)
            early, late = max(taken[quarter : 2 * quarter] or taken), max(taken[-quarter:])
            said = f"{early:.0f} MB in the second quarter of the time, {late:.0f} MB in the last"
            yield Line(f"memory: {kind}", said, late <= early * MOST_GROWTH + NOISE_MEGABYTES)


def _megabytes(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        return process.memory_info().rss / MEGABYTE
    return 0.0


def customer(service: Service) -> str:
    """The key of an account with credits for whatever it orders."""
    with service.books() as here, here.database.unit_of_work() as session:
        member = accounts.create(session, f"{token_hex(8)}@example.com", here.clock())
        credits.adjust(session, member.organization_id, CREDITS, "Opening balance", here.clock())
        _, secret = api_keys.create(session, member.organization_id, here.clock())
    return secret


def order(client: Client, photo: bytes, count: int) -> str:
    """Upload the photo so many times and order all of them; the job's id."""
    files = client.upload({"interior": [photo] * count})
    placed = client.order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
    return str(placed["jobId"])


class Watch:
    """Asks for pages and orders single photos, over and over."""

    def __init__(self, service: Service) -> None:
        self._now = Figures()
        self.memory = Memory(service)
        self._photo = scenes.encoded(scenes.room(*SIZE))
        self._service, self._secret = service, customer(service)
        self._client = Client(service.url, self._secret)
        self._job = order(self._client, self._photo, 1)
        self._client.settled(self._job)

    @contextmanager
    def going_on(self) -> Iterator[Callable[[], Figures]]:
        """All of it, until the block is left; what it gives is called for the figures since the call before."""
        over = threading.Event()
        threads = [
            threading.Thread(target=self._again, args=(act, over, seconds))
            for act, seconds in ((self._order, 1.0), (self.memory.look, LOOK_EVERY_SECONDS))
        ]
        status_url = f"{self._client.url}/jobs/{self._job}/status"
        with asking(Question(f"{self._service.url}/sign-in", status_url, self._secret)) as take:

            def figures() -> Figures:
                seen, self._now = self._now, Figures()
                seen.answers = take()
                return seen

            for thread in threads:
                thread.start()
            try:
                yield figures
            finally:
                over.set()
                for thread in threads:
                    thread.join()

    def _again(self, act: Callable[[], None], over: threading.Event, pause_seconds: float) -> None:
        while not over.is_set():
            try:
                act()
            except Exception as error:
                # What a customer could make nothing of is a figure, too; the next look follows.
                self._now.faults.append(repr(error))
            over.wait(pause_seconds)

    def _order(self) -> None:
        began = time.monotonic()
        other = Client(self._service.url, self._secret)
        job_id = order(other, self._photo, 1)
        while other.call("GET", f"/jobs/{job_id}/status")["status"] in ("pending", "processing", "qc_review"):
            time.sleep(TURN_SECONDS)
        self._now.waits.append(time.monotonic() - began)


@contextmanager
def flooding(service: Service, photos: int) -> Iterator[None]:
    """One account orders so many photos as fast as it can, and goes on so that as many are still to be done."""
    secret, over, numbers = customer(service), threading.Event(), itertools.count(1)
    photo = scenes.encoded(scenes.room(*SIZE))

    def feed() -> None:
        mine = Client(service.url, secret)
        while not over.is_set():
            if next(numbers) * PER_ORDER > photos and waiting(service) >= photos:
                over.wait(LOOK_EVERY_SECONDS)
            else:
                order(mine, photo, PER_ORDER)

    threads = [threading.Thread(target=feed) for _ in range(FEEDERS)]
    with ExitStack() as stack:
        for thread in threads:
            thread.start()
            stack.callback(thread.join)
        stack.callback(over.set)
        yield


def waiting(service: Service) -> int:
    """How many photos are not done."""
    with service.books() as here, here.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Photo).where(Photo.state != WorkState.DONE)) or 0


def done(service: Service) -> int:
    """How many photos are done."""
    with service.books() as here, here.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Photo).where(Photo.state == WorkState.DONE)) or 0


def fill(service: Service, most_seconds: float, photos: int) -> float:
    """Wait until so many photos wait, or as long as that may take; the seconds it took."""
    began = time.monotonic()
    while time.monotonic() - began < most_seconds and waiting(service) < photos:
        time.sleep(LOOK_EVERY_SECONDS)
    return time.monotonic() - began


def run(service: Service, seconds: float, photos: int = PHOTOS) -> list[Line]:
    """Measure alone, then beside the flood; the service is ended with what is still waiting."""
    watch = Watch(service)
    with watch.going_on() as figures:
        time.sleep(seconds * QUIET_SHARE)
        alone = figures()
        with flooding(service, photos):
            sending = fill(service, seconds * (1 - QUIET_SHARE) / 2, photos)
            while_sent = figures()
            time.sleep(seconds * (1 - QUIET_SHARE) - sending)
            backlog, finished, beside = waiting(service), done(service), figures()
    faults = [fault for seen in (while_sent, beside) for fault in (*seen.faults, *seen.answers.faults)]
    service.kill_everything()
    ratio = median(beside.waits) / median(alone.waits)
    return [
        Line("photos done, and still to be done at the end", f"{finished}, {backlog}", finished > 0),
        Line("another's order, median seconds alone", round(median(alone.waits), 2)),
        Line("  beside the flood", f"{median(beside.waits):.2f}, {ratio:.2f} times as long", ratio <= MOST_WAIT),
        *_compared("a page (/sign-in)", [seen.answers.pages for seen in (alone, while_sent, beside)]),
        *_compared("a status answer", [seen.answers.statuses for seen in (alone, while_sent, beside)]),
        Line("answers other than 200", faults[:3] or 0, not faults),
        *watch.memory.lines(),
    ]


def _compared(name: str, parts: Sequence[Sequence[float]]) -> Iterator[Line]:
    """`parts`: seconds alone, while the flood was sent, while it waited; the last is held against the first."""
    worst = [1000 * quantiles(values, n=100, method="inclusive")[98] for values in parts]
    good = worst[-1] <= worst[0] * MOST_P99 + NOISE_MILLISECONDS
    for said, values, p99 in zip(("alone", "while the flood is sent", "while it waits"), parts, worst, strict=True):
        value = f"median {1000 * median(values):.0f}, p99 {p99:.0f}, {len(values)} answers"
        yield Line(f"{name}, {said}: milliseconds", value, good or values is not parts[-1])


def main(arguments: Sequence[str]) -> int:
    """The command; by default for five minutes, an hour with --minutes 60; so many --photos wait."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--photos", type=int, default=PHOTOS)
    own, others = parser.parse_known_args(arguments)

    def soak(seconds: float, _: int, server: str) -> list[Line]:
        with command.service(server) as made:
            return run(made, seconds, own.photos)

    # Nothing here is drawn by chance, so the seed changes nothing.
    return command.main("endurance", soak, others)
