"""Whether the service lives and whether it can work: for supervisors, load balancers and people."""

from datetime import timedelta
from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app.container import Container
from app.domain.ports import QueueUnavailableError
from app.models import Heartbeat
from app.services.sweep import HEARTBEAT
from app.web.context import container

blueprint = Blueprint("health", __name__)

FRESH = timedelta(seconds=15)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """The process answers."""
    return jsonify(status="ok")


@blueprint.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Every part that work needs, each by name; 503 while one is missing."""
    found = parts(container())
    ready = all(found.values())
    return jsonify(status="ok" if ready else "unavailable", parts=found), 200 if ready else 503


def parts(here: Container) -> dict[str, bool]:
    """Which parts work now: database and sweeper, Redis, storage."""
    return {**_database(here), "redis": _works(here.queue.ping), "storage": _works(here.storage.ping)}


def _database(here: Container) -> dict[str, bool]:
    try:
        with here.database.reading() as session:
            beat_at = session.scalar(select(Heartbeat.beat_at).where(Heartbeat.name == HEARTBEAT))
    except SQLAlchemyError:
        return {"database": False, "sweeper": False}
    return {"database": True, "sweeper": beat_at is not None and here.clock() - beat_at < FRESH}


def _works(ping: Any) -> bool:
    try:
        ping()
    except (OSError, QueueUnavailableError):
        return False
    return True
