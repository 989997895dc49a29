"""Which programs make up the service, and how each is run: data for the supervisor."""

import sys
from dataclasses import dataclass
from typing import Literal

from app.adapters import redis_embedded
from app.domain.ports import PHOTO_QUEUES, QueueName
from app.settings import Settings

# A request in flight gets this long when the service stops; less than the web program's stop_seconds.
WEB_GRACE_SECONDS = 2


@dataclass(frozen=True)
class Program:
    """One program to keep running, or with `restart` False to run once.

    Programs of the group "service" stop together; those of "base", on which they rely, start first and stop
    last. One that has not ended `stop_seconds` after SIGTERM is killed.
    """

    name: str
    command: tuple[str, ...]
    group: Literal["base", "service"] = "service"
    restart: bool = True
    stop_seconds: int = 3


def of_service(settings: Settings) -> list[Program]:
    """Every program of the service under these settings; makes the embedded Redis's folders if it is wanted.

    Raises RedisUnavailableError when the embedded Redis is wanted and cannot be had.
    """
    base = [_redis(settings)] if settings.embedded_redis else []
    workers = [Program(f"worker-{number}", _process("work")) for number in range(1, settings.workers + 1)]
    others = [
        Program(queue_name, _process("work", queue_name))
        for queue_name in QueueName
        if queue_name not in PHOTO_QUEUES.values()
    ]
    return [
        *base,
        _web(settings),
        *workers,
        *others,
        Program("sweeper", _process("sweeper")),
        *([Program("metrics", _process("metrics"))] if settings.metrics_port is not None else []),
        Program("announce", _process("announce"), restart=False),
    ]


def _redis(settings: Settings) -> Program:
    redis_embedded.prepare(settings.data_dir)
    return Program("redis", redis_embedded.command(settings.data_dir), group="base", stop_seconds=2)


def _web(settings: Settings) -> Program:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    options = (
        # The rest is in gunicorn.conf.py, which holds for a gunicorn started by hand, too.
        *("--bind", f"{host}:{settings.port}"),
        *("--graceful-timeout", str(WEB_GRACE_SECONDS)),
        # It would lie in the home folder, where two services would share it.
        "--no-control-socket",
    )
    return Program("web", (sys.executable, "-m", "gunicorn", *options, "wsgi:application"))


def _process(*command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "app.cli.processes", *command)
