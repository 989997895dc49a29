"""What the interface's types look like in JSON, and what a test needs to look behind the answers."""

import re
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.container import Container
from app.database import Base, as_json
from app.domain.events import USUAL_EVENTS
from app.models import Event, LedgerLine, Photo

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


def is_number(value: Any) -> bool:
    """A JSON number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    """A JSON string with something in it."""
    return isinstance(value, str) and value != ""


def is_moment(value: Any) -> bool:
    """An ISO 8601 timestamp that names its zone."""
    whole = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"
    return re.fullmatch(whole, value) is not None and datetime.fromisoformat(value).tzinfo is not None


def stored_files(container: Container) -> list[str]:
    """Every file that lies in the store, finished or not."""
    root = container.settings.storage_path
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def rows(container: Container, model: type[Base]) -> list[Any]:
    """Every row of a table."""
    with container.database.read_session() as session:
        return list(session.scalars(select(model)))


def events(container: Container) -> list[Event]:
    """What was recorded of what a client that knows the interface alone hears, oldest first by the clock."""
    usual = [event for event in rows(container, Event) if event.name in USUAL_EVENTS]
    return sorted(usual, key=lambda event: event.created_at)


def ledger(container: Container) -> list[LedgerLine]:
    """Every movement of credits in order."""
    return sorted(rows(container, LedgerLine), key=lambda line: line.id)


def edit_requests(container: Container) -> list[dict[str, Any]]:
    """What is to happen to each photo, as it was kept."""
    photos = sorted(rows(container, Photo), key=lambda photo: (photo.type, photo.index))
    return [as_json(photo.edit_request) for photo in photos]
