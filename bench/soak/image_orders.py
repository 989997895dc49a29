"""Mutated pictures as orders of the whole service: each settles, no worker is lost, and their memory is watched."""

import threading
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psutil
import requests

from app.supervision.instance import find_processes
from app.tasks import limits
from bench.serving import Place, whole_service
from bench.soak.mutants import mutant
from bench.tables import show

IN_FLIGHT = 24
LOOK_SECONDS = 0.2
SETTLE_SECONDS = 300
SETTLED = ("approved", "delivered", "undeliverable", "failed")
ADDRESS = "12 Garden Lane, Springfield, IL 62704"


@dataclass
class Memory:
    """What the workers take, looked at over and over: those that stay, and what they fork for one picture."""

    here: Place
    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    most_forked: int = 0
    _done: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Look until it is told to stop."""
        while not self._done.wait(LOOK_SECONDS):
            with suppress(psutil.Error):
                self._look()

    def stop(self) -> None:
        """Look no more."""
        self._done.set()

    def _look(self) -> None:
        workers = {each.pid: each for each in find_processes(self.here.settings.data_dir) if _works(each)}
        for pid, process in workers.items():
            with suppress(psutil.Error):
                taken = process.memory_info().rss
                if process.ppid() in workers:
                    self.most_forked = max(self.most_forked, taken)
                else:
                    self.first.setdefault(pid, taken)
                    self.last[pid] = taken


def _works(process: psutil.Process) -> bool:
    return "work" in process.cmdline()


@dataclass
class Customer:
    """Places an order for each picture, a few at a time, and waits until all have settled."""

    url: str
    secret: str
    answers: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    unsettled: list[str] = field(default_factory=list)
    open: deque[tuple[str, float, str]] = field(default_factory=deque)

    def call(self, method: str, url: str, **options: Any) -> requests.Response:
        """The answer to one request."""
        headers = {"Authorization": f"Bearer {self.secret}"}
        answer = requests.request(method, url, headers=headers, timeout=60, **options)
        self.answers[answer.status_code] += 1
        return answer

    def order(self, content: bytes, kind: str) -> None:
        """Upload the picture and order something for it, unless the upload or the order is refused."""
        api = f"{self.url}/api/v1/orders"
        upload_session = self.call("POST", f"{api}/upload-urls", json={"interiorCount": 1}).json()
        (target,) = upload_session["interiorUrls"]
        if self.call("PUT", target["uploadUrl"].replace("localhost", "127.0.0.1"), data=content).status_code != 200:
            self.outcomes["refused"] += 1
            return
        body = {
            "address": ADDRESS,
            "serviceType": "interior",
            "uploadSessionId": upload_session["uploadSessionId"],
            "interiorFiles": [{"filePath": target["filePath"]}],
            "interiorEnhancements": ["hdr_enhancement"],
        }
        placed = self.call("POST", f"{api}/from-uploads", json=body)
        if placed.ok:
            self.open.append((placed.json()["jobId"], time.monotonic(), kind))
        else:
            self.outcomes[f"refused by the order: {placed.status_code}"] += 1

    def settle(self, most_open: int) -> None:
        """Wait until no more than so many orders are open."""
        while len(self.open) > most_open:
            job_id, since, kind = self.open.popleft()
            status = self.call("GET", f"{self.url}/api/v1/jobs/{job_id}/status").json()["status"]
            waited = time.monotonic() - since
            if status in SETTLED:
                self.outcomes[status] += 1
                self.slowest = max(self.slowest, waited)
            elif waited > SETTLE_SECONDS:
                self.unsettled.append(f"{job_id} {kind}: {status}")
            else:
                self.open.append((job_id, since, kind))
                time.sleep(0.05)


def run(seed: str, first: int, count: int, minutes: float) -> int:
    """Order for so many pictures, or as many as the minutes allow; 1 where an aim is missed."""
    with whole_service() as (here, secret):
        memory, customer = Memory(here), Customer(here.url, secret)
        watching = threading.Thread(target=memory.watch, daemon=True)
        watching.start()
        start, sent = time.monotonic(), 0
        try:
            while sent < count and time.monotonic() - start < minutes * 60:
                kind, content = mutant(Random(f"{seed}/{first + sent}"))
                customer.order(content, kind)
                customer.settle(IN_FLIGHT)
                sent += 1
            customer.settle(0)
        finally:
            memory.stop()
            watching.join()
        seconds = time.monotonic() - start
        lost = {pid for pid in memory.first if not psutil.pid_exists(pid)}
        books = here.command("check")
    return _told(customer, memory, sent, seconds, lost, books)


def _told(customer: Customer, memory: Memory, sent: int, seconds: float, lost: set[int], books: str) -> int:
    show("What became of the orders", ("", "pictures"), sorted(customer.outcomes.items()))
    show("Answers", ("", "requests"), sorted(customer.answers.items()))
    workers = [
        (str(pid), f"{memory.first[pid] / 2**20:.0f}", f"{memory.last[pid] / 2**20:.0f}") for pid in memory.first
    ]
    show("Memory of the workers, MiB", ("process", "at first", "at last"), workers)
    forked = memory.most_forked / 2**20
    print(
        f"\nmost memory seen of a process forked for one picture: {forked:.0f} of {limits.MEMORY_BYTES / 2**20:.0f}"
    )
    at_fault = sum(many for status, many in customer.answers.items() if status >= 500)
    print(f"{sent} pictures in {seconds:.0f} s; slowest order {customer.slowest:.0f} s; {books}")
    print(f"5xx {at_fault}, unsettled {len(customer.unsettled)}, workers lost {len(lost)}")
    for each in customer.unsettled:
        print(each)
    return int(bool(at_fault or customer.unsettled or lost) or memory.most_forked > limits.MEMORY_BYTES)
