"""Which programs make up the service, and how each is run: data for the supervisor."""

import sys
from dataclasses import dataclass
from typing import Literal

from app.adapters import redis_embedded
from app.domain.ports import PHOTO_QUEUES, PICTURE_NICENESS, PICTURE_QUEUES, QueueName
from app.settings import Settings
from app.settings.programs import SWEEPER, WEB

# A request in flight gets this long when the service stops; less than the web program's stop_seconds.
WEB_GRACE_SECONDS = 2


@dataclass(frozen=True)
class Program:
    """One program to keep running.

    Programs of the group "service" stop together; those of "base", on which they rely, start first and stop
    last. One that has not ended `stop_seconds` after SIGTERM is killed.
    """

    name: str
    command: tuple[str, ...]
    group: Literal["base", "service"] = "service"
    stop_seconds: int = 3


def of_service(settings: Settings) -> list[Program]:
    """Every program that this host runs under these settings; makes the embedded Redis's folders if it is wanted.

    Raises RedisUnavailableError when the embedded Redis is wanted and cannot be had.
    """
    base = [_redis(settings)] if settings.embedded_redis else []
    web = [_web(settings)] if settings.runs(WEB) else []
    sweeper = [Program(SWEEPER, _process("processes", "sweeper"))] if settings.runs(SWEEPER) else []
    metrics = [Program("metrics", _process("processes", "metrics"))] if settings.metrics_port is not None else []
    return [*base, *web, *_workers(settings), *sweeper, *metrics]


def _workers(settings: Settings) -> list[Program]:
    # Workers for photos work on rooms, too; those for rooms alone are for hosts that run no other.
    photos = next((each for each in PHOTO_QUEUES.values() if settings.runs(each)), None)
    numbers = range(1, settings.workers + 1)
    others = [each for each in QueueName if each not in PHOTO_QUEUES.values() and settings.runs(each)]
    return [
        *(Program(f"worker-{number}", _worker(photos, settings)) for number in numbers if photos),
        *(Program(each, _worker(each, settings)) for each in others),
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
    return Program(WEB, (sys.executable, "-m", "gunicorn", *options, "wsgi:application"))


def _worker(queue_name: QueueName, settings: Settings) -> tuple[str, ...]:
    # What they load at their start would keep pages waiting.
    nice = ("nice", "-n", str(PICTURE_NICENESS)) if queue_name in PICTURE_QUEUES else ()
    after = "wait_for_web", settings.host, str(settings.port)
    return (*nice, *_process(*(after if settings.runs(WEB) else ("processes",)), "work", queue_name))


def _process(module: str, *command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"app.cli.{module}", *command)
