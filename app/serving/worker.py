"""The web process as a worker of gunicorn, which starts it, starts it again, and stops it in peace."""

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
from app.serving.pace import MemoryRoom
from app.serving.server import Server
from app.settings import Settings, load_settings

LOOK_SECONDS = 0.5
"""How long it takes at most until a signal is seen."""
STOPPING_LOOK_SECONDS = 0.1
SPARED_SECONDS = 0.3
"""Of the time to stop in: gunicorn must not be faster with its SIGKILL."""
DESCRIPTORS_EACH = 3
"""A connection, the file of its body, and the file of its answer."""
UPLOAD_THREADS = 2
"""They store files, one after the other per disk; the other threads are for all else."""
MEGABYTE = 1024 * 1024


class Worker(BaseWorker):
    """One process: a loop that reads and writes for all connections, and threads that answer complete requests."""

    def run(self) -> None:
        """Serve until asked to stop; then answer what has arrived, within gunicorn's graceful timeout."""
        # It would warn of every request that waits for a thread.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        pools = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        for pool, count in zip(pools, (self.cfg.threads, UPLOAD_THREADS), strict=True):
            pool.set_thread_count(count)
        sockets: dict[int, Any] = {}
        servers = self._servers(load_settings(), pools, sockets)
        while self.alive and self.ppid == os.getppid():
            self._look(sockets, LOOK_SECONDS)
        self._stop(servers, sockets)
        for pool in pools:
            pool.set_thread_count(0)

    def _servers(
        self,
        settings: Settings,
        pools: tuple[ThreadedTaskDispatcher, ThreadedTaskDispatcher],
        sockets: dict[int, Any],
    ) -> list[Server]:
        tempfile.tempdir = str(_folder(settings))
        room = MemoryRoom(settings.upload_buffer_megabytes * MEGABYTE // self.cfg.workers)
        most = min(settings.max_connections // self.cfg.workers, _descriptors() // DESCRIPTORS_EACH)
        made = [Server(self.wsgi, each.sock, *pools, sockets) for each in self.sockets]
        for server in made:
            server.room, server.most_connections, server.log = room, most // len(made), self.log
        return made

    def _stop(self, servers: list[Server], sockets: dict[int, Any]) -> None:
        until = time.monotonic() + self.cfg.graceful_timeout - SPARED_SECONDS
        for server in servers:
            server.drain()
        while any(server.active_channels for server in servers) and time.monotonic() < until:
            self._look(sockets, STOPPING_LOOK_SECONDS)

    def _look(self, sockets: dict[int, Any], seconds: float) -> None:
        self.notify()
        metrics.PROCESS_SEEN.labels("web").set_to_current_time()
        wasyncore.poll2(seconds, sockets)


def _folder(settings: Settings) -> Path:
    """Where bodies lie while they arrive. Their files have no names: nothing is left of them after a crash."""
    folder = settings.data_dir / "arriving"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _descriptors() -> int:
    """As many as this process may have, now that it says it wants them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most
