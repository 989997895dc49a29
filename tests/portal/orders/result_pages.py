"""Where the results of an order are, and what became of it."""

from collections.abc import Callable

from sqlalchemy import select

from app.container import Container
from app.domain.events import EventName
from app.domain.lifecycle import Status
from app.models import Event, Job
from tests import reading
from tests.portal.person import Person

Ordered = Callable[..., str]


STAGED = {"interiorEnhancements": ["virtual_staging", "declutter"]}


def board(job_id: str) -> str:
    return f"/properties/{job_id}"


def results(job_id: str, number: int = 1) -> str:
    """Leads to the page of the photo with this number."""
    return f"/orders/{job_id}/results?photo={number}"


def status(container: Container, job_id: str) -> Status:
    return reading.one(container, Job, job_id).status


def press(person: Person, page, form: str, status: int, button: str | None = None, value: str | None = None):
    answer = page.forms[form].submit(button, value=value, expect_errors=True)
    assert answer.status_int == status, answer.text
    return answer


def deliveries(container: Container) -> int:
    return len(reading.found(container, select(Event).where(Event.name == EventName.JOB_DELIVERED)))
