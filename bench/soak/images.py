"""Mutated pictures through the product's decoding, under its limits of memory and time, or as real orders.

    python -m bench.soak images [--count 20000] [--seed S] [--jobs 2] [--from N]
    python -m bench.soak images --orders [--count 2000] [--minutes 15] [--seed S]

Every picture follows from seed and number: a fault is met again by --seed S --from N --count 1. Aims: no process
crashes, none is stuck, nothing breaks otherwise than by a refusal, and memory stays within a work-horse's limit.
"""

import argparse
import io
import os
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import IO

from app.tasks import limits
from app.tasks.previews import WORK_SECONDS
from bench.soak import image_orders
from bench.soak.mutants import mutant
from bench.tables import say_where, show
from engine.io.photo import decode
from engine.pipeline import PictureEngine
from engine.preview import PicturePreviews
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.media import HEADER_BYTES, sniff
from engine.types.pictures import UnusablePhotoError, WantedPreviews

GLIMPSE_SIDE = 64
ENHANCED_ONE_IN = 50
"""How often a picture that can be decoded is enhanced, too; that takes far longer."""
FEW_PIXELS_BYTES = 50_000
KEPT_IN = Path("build/soak")


@dataclass
class Seen:
    """What became of the pictures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[int, str] = (0, "")
    resting: list[int] = field(default_factory=list)

    def end(self, words: Sequence[str]) -> None:
        """Note what a process said of one picture."""
        number, seconds, most_kb, resting_kb, outcome, kind = words
        told = f"{number}: {kind}"
        self.outcomes[outcome.split(" ")[0]] += 1
        self.kinds[kind.split(":")[0]] += 1
        self.slowest = max(self.slowest, (float(seconds), told))
        self.largest = max(self.largest, (int(most_kb), told))
        self.resting.append(int(resting_kb))
        if outcome.startswith("fault"):
            self.faults.append(f"{told}: {outcome}")


def through(content: bytes, thoroughly: bool) -> str:
    """What becomes of a file: `refused` when it is uploaded, `unusable`, `made`, or `fault` and why."""
    if sniff(content[:HEADER_BYTES]) is None:
        return "refused"
    try:
        PicturePreviews().make(io.BytesIO(content), WantedPreviews("Virtually staged"))
        # As for what an order's photos share, which are read smaller than they are.
        decode(io.BytesIO(content), min_side=GLIMPSE_SIDE)
        if thoroughly:
            PictureEngine().estimate_light(io.BytesIO(content))
            PictureEngine().enhance(
                io.BytesIO(content),
                EditRequest(enhancements=(Enhancement.HDR,)),
                context=EngineContext(order_seed="seed"),
            )
    except UnusablePhotoError:
        return "unusable"
    except Exception as error:
        return f"fault {type(error).__name__} {error}".replace("\n", " ").replace("\t", " ")
    return "made"


def made(seed: str, number: int) -> tuple[str, bytes, bool]:
    """The picture of this number: what was done to it, its bytes, and whether it is to be enhanced."""
    random = Random(f"{seed}/{number}")
    kind, content = mutant(random)
    return kind, content, len(content) < FEW_PIXELS_BYTES and not random.randrange(ENHANCED_ONE_IN)


def _kilobytes(name: str) -> int:
    (line,) = [each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith(name)]
    return int(line.split()[1])


def _work(seed: str, numbers: Sequence[int], told: IO[str]) -> None:
    """In a forked process, as a work-horse is: every picture of the numbers, each told of before and after."""
    limits.apply()
    # What libraries in C say of broken files would drown the figures.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for number in numbers:
        told.write(f"begin\t{number}\n")
        told.flush()
        kind, content, thoroughly = made(seed, number)
        told.write(f"made\t{kind}\n")
        told.flush()
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        start = time.monotonic()
        outcome = through(content, thoroughly)
        seconds, most, resting = time.monotonic() - start, _kilobytes("VmHWM"), _kilobytes("VmRSS")
        told.write(f"end\t{number}\t{seconds:.3f}\t{most}\t{resting}\t{outcome}\t{kind}\n")
        told.flush()


@dataclass
class Worker:
    """A forked process and how far it has come."""

    pid: int
    told: IO[str]
    numbers: list[int]
    at: int = -1
    kind: str = "not made yet"
    stuck: bool = False
    since: float = field(default_factory=time.monotonic)

    @classmethod
    def forked(cls, seed: str, numbers: list[int]) -> "Worker":
        """A process that works on these pictures."""
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reading)
            status = 1
            try:
                with os.fdopen(writing, "w") as told:
                    _work(seed, numbers, told)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        return cls(pid, os.fdopen(reading), numbers)

    def line(self, seen: Seen) -> bool:
        """Read one line of what it says; False at its end."""
        words = self.told.readline().rstrip("\n").split("\t")
        if words[0] == "begin":
            self.at, self.since = int(words[1]), time.monotonic()
        elif words[0] == "made":
            self.kind, self.since = words[1], time.monotonic()
        elif words[0] == "end":
            seen.end(words[1:])
            self.numbers.remove(self.at)
        return words != [""]

    def ended(self, seen: Seen) -> list[int]:
        """The numbers still to do once it has gone; a crash is noted, and not tried again."""
        _, status = os.waitpid(self.pid, 0)
        self.told.close()
        if status and self.at in self.numbers:
            self.numbers.remove(self.at)
            if self.stuck:
                seen.stuck.append(f"{self.at}: {self.kind}")
            else:
                seen.crashes.append(f"{self.at}: {self.kind}, {os.waitstatus_to_exitcode(status)}")
        return self.numbers


def run(seed: str, first: int, count: int, jobs: int) -> Seen:
    """Every picture, so many processes at a time; one that dies or is stuck costs its own picture alone."""
    seen = Seen()
    numbers = range(first, first + count)
    workers = [Worker.forked(seed, list(numbers[each::jobs])) for each in range(jobs)]
    while workers:
        ready, _, _ = select.select([worker.told for worker in workers], [], [], 1)
        for worker in list(workers):
            if worker.told in ready and not worker.line(seen):
                workers.remove(worker)
                if left := worker.ended(seen):
                    workers.append(Worker.forked(seed, left))
            elif time.monotonic() - worker.since > WORK_SECONDS and worker.told not in ready:
                worker.stuck = True
                os.kill(worker.pid, signal.SIGKILL)
    return seen


def _report(seen: Seen, seconds: float) -> None:
    total = sum(seen.outcomes.values())
    show("What became of them", ("", "pictures"), sorted(seen.outcomes.items()))
    show("What was done to them", ("", "pictures"), sorted(seen.kinds.items()))
    print(f"\n{total} pictures in {seconds:.0f} s, {total / seconds:.0f} a second")
    print(f"crashes {len(seen.crashes)}, stuck {len(seen.stuck)}, broke {len(seen.faults)}")
    print(f"slowest {seen.slowest[0]:.2f} s ({seen.slowest[1]})")
    largest, limit = seen.largest[0] / 1024, limits.MEMORY_BYTES / 2**20
    print(f"most memory {largest:.0f} MiB of {limit:.0f} ({seen.largest[1]})")
    if seen.resting:
        tenth = max(1, len(seen.resting) // 10)
        early, late = (
            sorted(each)[len(each) // 2] / 1024 for each in (seen.resting[:tenth], seen.resting[-tenth:])
        )
        print(f"resting memory, median of the first tenth {early:.0f} MiB, of the last {late:.0f} MiB")
    for name, found in (("crash", seen.crashes), ("stuck", seen.stuck), ("broke", seen.faults)):
        for each in found[:20]:
            print(f"{name} {each}")


def _keep(seed: str, seen: Seen) -> Iterator[Path]:
    """What did harm, as files to look at."""
    for told in {*seen.crashes, *seen.stuck, *seen.faults}:
        number = int(told.partition(":")[0])
        KEPT_IN.mkdir(parents=True, exist_ok=True)
        path = KEPT_IN / f"image-{seed}-{number}"
        path.write_bytes(made(seed, number)[1])
        yield path


def main(argv: Sequence[str]) -> int:
    """Run, print the figures; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak images")
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--seed", default=str(SystemRandom().randrange(2**32)))
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--orders", action="store_true")
    parser.add_argument("--minutes", type=float, default=15)
    asked = parser.parse_args(argv)
    say_where()
    print(f"seed {asked.seed}, from picture {asked.first}", flush=True)
    if asked.orders:
        return image_orders.run(asked.seed, asked.first, asked.count or 2000, asked.minutes)
    start = time.monotonic()
    seen = run(asked.seed, asked.first, asked.count or 20_000, asked.jobs)
    _report(seen, time.monotonic() - start)
    for path in _keep(asked.seed, seen):
        print(f"kept as {path}")
    complete = sum(seen.outcomes.values()) == (asked.count or 20_000)
    within = seen.largest[0] * 1024 <= limits.MEMORY_BYTES
    return int(bool(seen.crashes or seen.stuck or seen.faults) or not complete or not within)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
