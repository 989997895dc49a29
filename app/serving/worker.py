"""The web process: a gunicorn worker class, which gunicorn starts, restarts and stops gracefully."""

import logging
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from gunicorn.workers.base import Worker as BaseWorker
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from app import metrics
from app.serving.pace import BodyBudget
from app.serving.parking import MAX_KEPT, Lot
from app.serving.server import Server
from app.settings import Settings, load_settings

POLL_SECONDS = 0.5
"""How long one turn of the loop waits for connections: a signal is noticed after at most this time."""
STOPPING_POLL_SECONDS = 0.1
STOP_MARGIN_SECONDS = 0.3
"""The worker stops this long before the graceful timeout ends, so that gunicorn does not kill it first."""
DESCRIPTORS_PER_CONNECTION = 3
"""A connection, the file of its body, and the file of its answer."""
UPLOAD_THREADS = 2
"""Threads for requests with large bodies. Few are enough, because the disk limits how fast files are stored."""
MEGABYTE = 1024 * 1024


class Worker(BaseWorker):
    """One process: a loop that reads and writes for all connections, and threads that answer complete requests."""

    def run(self) -> None:
        """Serve until gunicorn asks to stop; then finish started requests within its graceful timeout."""
        # Without this, waitress would log a warning for each request that waits for a thread.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        pools = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        for pool, count in zip(pools, (self.cfg.threads, UPLOAD_THREADS), strict=True):
            pool.set_thread_count(count)
        sockets: dict[int, Any] = {}
        servers = self._make_servers(load_settings(), pools, sockets)
        while self.alive and self.ppid == os.getppid():
            self._poll(sockets, POLL_SECONDS)
        self._stop(servers, sockets)
        for pool in pools:
            pool.set_thread_count(0)

    def _make_servers(
        self,
        settings: Settings,
        pools: tuple[ThreadedTaskDispatcher, ThreadedTaskDispatcher],
        sockets: dict[int, Any],
    ) -> list[Server]:
        tempfile.tempdir = str(_make_body_folder(settings))
        budget = BodyBudget(settings.upload_buffer_megabytes * MEGABYTE // self.cfg.workers)
        max_by_descriptors = _raise_descriptor_limit() // DESCRIPTORS_PER_CONNECTION
        max_connections = min(settings.max_connections // self.cfg.workers, max_by_descriptors)
        servers = [Server(self.wsgi, each.sock, *pools, sockets) for each in self.sockets]
        # Other clients always find connections, however many wait for jobs.
        lot = Lot(servers[0].lot.find_ended, min(MAX_KEPT, max_connections // 2))
        for server in servers:
            server.body_budget, server.lot, server.log = budget, lot, self.log
            server.max_connections = max_connections // len(servers)
        return servers

    def _stop(self, servers: list[Server], sockets: dict[int, Any]) -> None:
        until = time.monotonic() + self.cfg.graceful_timeout - STOP_MARGIN_SECONDS
        for server in servers:
            server.drain()
        while any(server.active_channels for server in servers) and time.monotonic() < until:
            self._poll(sockets, STOPPING_POLL_SECONDS)

    def _poll(self, sockets: dict[int, Any], seconds: float) -> None:
        self.notify()
        metrics.PROCESS_SEEN.labels("web").set_to_current_time()
        wasyncore.poll2(seconds, sockets)


def _make_body_folder(settings: Settings) -> Path:
    """Create the folder for bodies while they arrive. Their files have no names, so a crash leaves none."""
    folder = settings.data_dir / "arriving"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _raise_descriptor_limit() -> int:
    """Raise the limit of open file descriptors to the maximum for this process, and return it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most
