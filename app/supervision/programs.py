"""The programs of the service, and the command of each, as data for the supervisor."""

import sys
from dataclasses import dataclass
from typing import Literal

from app.adapters import redis_embedded
from app.domain.ports import PHOTO_QUEUES, PICTURE_NICENESS, PICTURE_QUEUES, QueueName
from app.settings import Settings
from app.settings.programs import SWEEPER, WEB

# How long requests may still run when the service stops; less than the web program's stop_seconds.
WEB_GRACE_SECONDS = 2


@dataclass(frozen=True)
class Program:
    """One program to keep running.

    Programs of the group "service" stop together. They need those of the group "base", which start first and stop
    last. A program that has not ended `stop_seconds` after SIGTERM is killed.
    """

    name: str
    command: tuple[str, ...]
    group: Literal["base", "service"] = "service"
    stop_seconds: int = 3


def list_programs(settings: Settings) -> list[Program]:
    """Every program that this host runs under these settings. Creates the folders of the embedded Redis if it is
    among them. Raises RedisUnavailableError if the embedded Redis is not available.
    """
    base = [_redis(settings)] if settings.embedded_redis else []
    web = [_web(settings)] if settings.runs(WEB) else []
    sweeper = [Program(SWEEPER, _process("processes", "sweeper"))] if settings.runs(SWEEPER) else []
    metrics = [Program("metrics", _process("processes", "metrics"))] if settings.metrics_port is not None else []
    return [*base, *web, *_workers(settings), *sweeper, *metrics]


def _workers(settings: Settings) -> list[Program]:
    # Workers for photos also work on rooms, so a host runs workers for rooms only if it runs none for photos.
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
        # The other options are in gunicorn.conf.py, which also applies to a gunicorn that is started by hand.
        *("--bind", f"{host}:{settings.port}"),
        *("--graceful-timeout", str(WEB_GRACE_SECONDS)),
        # The control socket would be in the home folder, where two services would use the same file.
        "--no-control-socket",
    )
    return Program(WEB, (sys.executable, "-m", "gunicorn", *options, "wsgi:application"))


def _worker(queue_name: QueueName, settings: Settings) -> tuple[str, ...]:
    # Low priority: loading the engine at the start would otherwise slow down the web process.
    nice = ("nice", "-n", str(PICTURE_NICENESS)) if queue_name in PICTURE_QUEUES else ()
    wait_for_web = "wait_for_web", settings.host, str(settings.port)
    return (*nice, *_process(*(wait_for_web if settings.runs(WEB) else ("processes",)), "work", queue_name))


def _process(module: str, *command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", f"app.cli.{module}", *command)
