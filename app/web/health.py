"""Health checks, for supervisors, load balancers and people: is the process alive, and can it work?"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Condition, Thread

from flask import Blueprint, current_app, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app import metrics
from app.container import Container
from app.domain.ports import QueueUnavailableError
from app.models import Heartbeat
from app.services.retention.sweep import HEARTBEAT
from app.web.context import container

log = logging.getLogger(__name__)
blueprint = Blueprint("health", __name__)

NAME = "brightlist.storage_check"
MAX_BEAT_AGE = timedelta(seconds=15)
"""The sweeper counts as working if its last heartbeat is not older."""
KEPT_FOR = timedelta(seconds=5)
"""How long the result of a storage check is reused, because each check writes a file and anybody may request it."""
MAX_SECONDS = 3.0
"""The store counts as working only if it writes a small file within this time."""


@dataclass
class StorageCheck:
    """Checks the store, at most once in KEPT_FOR and one check at a time, however many requests there are. No
    request waits longer than MAX_SECONDS, even when the store hangs forever.
    """

    works: bool = False
    tried_at: datetime | None = None
    is_running: bool = False
    deadline: float = 0.0
    changed: Condition = field(default_factory=Condition)

    def result(self, ping: Callable[[], None], clock: Callable[[], datetime]) -> bool:
        """Whether the store worked at the last check; `ping` checks it."""
        with self.changed:
            if self.tried_at is not None and timedelta(0) <= clock() - self.tried_at < KEPT_FOR:
                return self.works
            if not self.is_running:
                self.is_running, self.deadline = True, time.monotonic() + MAX_SECONDS
                # In a thread of its own, because a call into a file system that hangs cannot be interrupted.
                Thread(target=self._try, args=(ping, clock), name="storage-check", daemon=True).start()
            left = max(0.0, self.deadline - time.monotonic())
            return self.changed.wait_for(lambda: not self.is_running, left) and self.works

    def _try(self, ping: Callable[[], None], clock: Callable[[], datetime]) -> None:
        works = False
        try:
            ping()
            works = True
        except Exception as error:
            log.warning("the store does not work: %s", error)
        finally:
            with self.changed:
                self.works, self.tried_at, self.is_running = works, clock(), False
                self.changed.notify_all()


blueprint.record(lambda registration: registration.app.extensions.setdefault(NAME, StorageCheck()))


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer that the process is alive."""
    return jsonify(status="ok")


@blueprint.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Answer which parts of the service work, by name; 503 when one does not."""
    found = parts(container())
    ready = all(found.values())
    return jsonify(status="ok" if ready else "unavailable", parts=found), 200 if ready else 503


def parts(here: Container) -> dict[str, bool]:
    """Check which parts work now: database, sweeper, Redis, storage. Also sets their metrics."""
    check: StorageCheck = current_app.extensions[NAME]
    storage = check.result(here.storage.ping, here.clock)
    found = {**_database(here), "redis": _redis(here), "storage": storage}
    for part, works in found.items():
        metrics.PART_WORKS.labels(part).set(works)
    return found


def _database(here: Container) -> dict[str, bool]:
    try:
        with here.database.read_session() as session:
            beat_at = session.scalar(select(Heartbeat.beat_at).where(Heartbeat.name == HEARTBEAT))
    except SQLAlchemyError:
        return {"database": False, "sweeper": False}
    return {"database": True, "sweeper": beat_at is not None and here.clock() - beat_at < MAX_BEAT_AGE}


def _redis(here: Container) -> bool:
    try:
        here.queue.ping()
    except QueueUnavailableError:
        return False
    return True
