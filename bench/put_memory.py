"""How far the web server's memory rises above its resting place while it takes in photos of 50 MB.

Usage: python -m bench.put_memory

Linux only: the kernel's own mark of each process's peak is reset before and read after, so no peak is missed.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import requests

from app.services.uploads import MAX_FILE_BYTES
from bench.first_claim import Customer
from bench.serving import Place, whole_service
from bench.tables import say_where, show, spread
from tests import scenes
from tests.conftest import order_body

ROUNDS = 5
BOUNDARY = "brightlist-bench"
RESET_PEAK = "5"
JPEG_HEADER = b"\xff\xd8\xff\xe0"


def noise() -> bytes:
    """The largest file an order takes: the header of a JPEG, and noise that nothing can compress."""
    rest = np.random.Generator(np.random.PCG64(3)).bytes(MAX_FILE_BYTES - len(JPEG_HEADER))
    return JPEG_HEADER + rest


def rises(here: Place, act: Callable[[], None]) -> list[float]:
    """Megabytes of each round: how far the web processes' peaks, added up, lay above where they rested."""
    found = []
    for _ in range(ROUNDS):
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


def put(url: str, secret: str, content: bytes) -> None:
    """Upload one photo to a fresh session."""
    headers = {"Authorization": f"Bearer {secret}"}
    rooms = requests.post(
        f"{url}/api/v1/orders/upload-urls", json={"interiorCount": 1}, headers=headers, timeout=30
    )
    target = rooms.json()["interiorUrls"][0]["uploadUrl"]
    requests.put(target, data=content, timeout=60).raise_for_status()


def order(url: str, secret: str, content: bytes) -> None:
    """Place a multipart order of two such photos."""
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    body = b"".join(_form(content))
    requests.post(f"{url}/api/v1/orders", data=body, headers=headers, timeout=120).raise_for_status()


def _form(content: bytes) -> Iterator[bytes]:
    for name, value in {**order_body(), "interiorEnhancements": '["hdr_enhancement"]'}.items():
        yield f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    for number in range(2):
        disposition = f'form-data; name="interiorPhoto{number}"; filename="{number}.jpg"'
        yield f"--{BOUNDARY}\r\nContent-Disposition: {disposition}\r\n\r\n".encode()
        yield content
        yield b"\r\n"
    yield f"--{BOUNDARY}--\r\n".encode()


def main() -> None:
    """Both ways in, in a table."""
    say_where()
    small, large = scenes.encoded(scenes.room(480, 320)), noise()
    with whole_service() as (here, secret):
        customer = Customer(here.url, secret)
        for _ in range(20):  # both web processes have answered every kind of request before
            customer.order(small)
            order(here.url, secret, small)
        ways = {
            "PUT of 50 MB": rises(here, lambda: put(here.url, secret, large)),
            "order of two files of 50 MB": rises(here, lambda: order(here.url, secret, large)),
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
