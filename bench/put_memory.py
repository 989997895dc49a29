"""How far the web server's memory rises above its resting place while it takes in photos of 50 MB.

Usage: python -m bench.put_memory

Linux only: the kernel's own mark of each process's peak is reset before and read after, so no peak is missed.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from app.domain.limits import MAX_FILE_BYTES
from bench.customers import Customer
from bench.serving import Place, whole_service
from bench.tables import say_where, show, spread
from tests import scenes

ROUNDS = 5
WARMING = 20
RESET_PEAK = "5"
JPEG_HEADER = b"\xff\xd8\xff\xe0"


def noise() -> bytes:
    """The largest file an order takes: the header of a JPEG, and noise that nothing can compress."""
    rest = np.random.Generator(np.random.PCG64(3)).bytes(MAX_FILE_BYTES - len(JPEG_HEADER))
    return JPEG_HEADER + rest


def rises(here: Place, act: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Megabytes of each round: how far the web processes' peaks, added up, lay above where they rested."""
    found = []
    for _ in range(rounds):
        processes = here.web()
        resting = {each.pid: each.memory_info().rss for each in processes}
        for each in processes:
            Path(f"/proc/{each.pid}/clear_refs").write_text(RESET_PEAK)
        act()
        found.append(sum(_peak_bytes(each) - resting[each.pid] for each in processes) / 1024**2)
    return found


def _peak_bytes(process: psutil.Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    kilobytes = re.search(r"VmHWM:\s+(\d+) kB", status)
    if kilobytes is None:
        raise LookupError(f"process {process.pid} has no VmHWM")
    return 1024 * int(kilobytes[1])


def main() -> None:
    """Both ways in, in a table."""
    say_where()
    small, large = scenes.encoded(scenes.room(480, 320)), noise()
    with whole_service() as (here, secret):
        for _ in range(WARMING):
            # On a connection of its own, so that each web process comes to answer every kind of request.
            customer = Customer(here.url, secret)
            customer.order(small)
            customer.order_at_once([small])
        ways = {
            "PUT of 50 MB": rises(here, lambda: customer.upload(large)),
            "order of two files of 50 MB": rises(here, lambda: customer.order_at_once([large, large])),
        }
        resting = sum(each.memory_info().rss for each in here.web()) / 1024**2
    rows = [(name, *(f"{value:.1f}" for value in spread(found))) for name, found in ways.items()]
    show(
        f"MB above the {resting:.0f} MB where all web processes rest ({ROUNDS} rounds)",
        ("", "median", "p90", "max"),
        rows,
    )


if __name__ == "__main__":
    main()
