"""Uploads of 50 MB against nginx's own PUT (its dav module) on the same disk, and the web server's memory.

Usage: python -m bench.uploads [--clients 4] [--rounds 5]

Needs nginx with its dav module. Linux only, as bench.put_memory. nginx does not sync what it stores; the service
does, before it answers.
"""

import argparse
import http.client
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import requests

from bench.put_memory import noise, rises
from bench.serving import Place, free_port, whole_service
from bench.tables import say_where, show

SECONDS = 300
WARMING = 2
CONFIGURATION = """
daemon off;
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_max_body_size 64m;
    client_body_buffer_size 256k;
    client_body_temp_path {folder}/bodies;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
        location / {{ dav_methods PUT; }}
    }}
}}
"""


@contextmanager
def nginx() -> Iterator[str]:
    """nginx taking files into a temporary folder; where it answers."""
    with TemporaryDirectory(prefix="brightlist-bench-") as name:
        folder, port = Path(name), free_port()
        # Its workers are another user's where it is started by root.
        folder.chmod(0o755)
        for each in ("files", "bodies"):
            (folder / each).mkdir()
            (folder / each).chmod(0o777)
        (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=port))
        run = subprocess.Popen(("nginx", "-p", name, "-e", f"{name}/error.log", "-c", f"{name}/nginx.conf"))
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            run.terminate()
            run.wait()


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            http.client.HTTPConnection("127.0.0.1", port).connect()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("nginx does not answer")


def upload_urls(here: Place, secret: str, count: int) -> list[str]:
    """So many upload URLs of one session; a file that is put again replaces the one before."""
    key = {"Authorization": f"Bearer {secret}"}
    made = requests.post(
        f"{here.url}/api/v1/orders/upload-urls", json={"interiorCount": count}, headers=key, timeout=SECONDS
    )
    made.raise_for_status()
    return [target["uploadUrl"] for target in made.json()["interiorUrls"]]


def put(url: str, content: bytes) -> None:
    """One upload on a connection of its own."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    connection.request("PUT", parts.path, content)
    status = connection.getresponse().status
    connection.close()
    if status not in (200, 201, 204):
        raise RuntimeError(f"{parts.path}: {status}")


def megabytes_a_second(pool: ThreadPoolExecutor, urls: Sequence[str], content: bytes) -> float:
    """How fast they all go, at the same time."""
    began = time.monotonic()
    list(pool.map(put, urls, [content] * len(urls)))
    return len(urls) * len(content) / 1024**2 / (time.monotonic() - began)


def main() -> None:
    """Rates of both, their ratio, and the memory."""
    parser = argparse.ArgumentParser(prog="python -m bench.uploads", description=__doc__)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    say_where()
    content, rates = noise(), {"nginx": list[float](), "the service": list[float]()}
    with whole_service() as (here, secret), nginx() as floor, ThreadPoolExecutor(options.clients) as pool:
        ways = {
            "nginx": [f"{floor}/{number}" for number in range(options.clients)],
            "the service": upload_urls(here, secret, options.clients),
        }

        def take_turns() -> None:
            for name, urls in ways.items():
                rates[name].append(megabytes_a_second(pool, urls, content))

        for _ in range(WARMING):
            take_turns()
        for each in rates.values():
            each.clear()
        most = max(rises(here, take_turns, options.rounds))
    floors = rates["nginx"]
    rows = []
    for name, each in rates.items():
        share = statistics.median(one / other for one, other in zip(each, floors, strict=True))
        rows.append((name, f"{statistics.median(each):.0f}", f"{share:.2f}"))
    show(f"{options.clients} at a time, medians of {options.rounds} rounds in turn", ("", "MB/s", "of nginx"), rows)
    print(f"The web processes rise above their rest by at most {most:.1f} MB.")


if __name__ == "__main__":
    main()
