"""A Redis of a test's own: the one that comes with the service."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from app.adapters import redis_embedded
from tests.waiting import eventually

STOP_SECONDS = 30


@contextmanager
def run_server(data_dir: Path) -> Iterator[str]:
    """The embedded Redis by itself, ready when entered and gone when left; gives its address."""
    redis_embedded.prepare(data_dir)
    socket = redis_embedded.socket_path(data_dir)
    with subprocess.Popen(redis_embedded.command(data_dir), stdout=subprocess.DEVNULL) as server:
        try:
            with Redis(unix_socket_path=str(socket)) as client:
                eventually("Redis answers", lambda: server.poll() is not None or _answers(client))
            assert server.poll() is None, "Redis died; its log is redis.log in its data folder"
            yield redis_embedded.url(socket)
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()


def _answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisConnectionError:
        return False
