"""Filling in the wizard without JavaScript, page by page."""

import json
from typing import Any

from sqlalchemy import select
from webtest import TestResponse, Upload

from app.container import Container
from app.models import Draft, DraftPhoto
from tests.fakes import photo
from tests.portal.person import Person, csrf_of

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


def at_service(person: Person) -> TestResponse:
    """A new order with an address."""
    form = person.post("/drafts").forms["step"]
    form["street"] = ADDRESS
    return person.send(form)


def at_photos(person: Person, service: str = "interior") -> TestResponse:
    """The same for a service."""
    form = at_service(person).forms["step"]
    form["service_type"] = service
    return person.send(form)


def at_enhancements(person: Person, interior: int = 1, exterior: int = 0) -> TestResponse:
    """The same with photos."""
    service = "both" if interior and exterior else "interior" if interior else "exterior"
    form = at_photos(person, service).forms["step"]
    for name, count in (("interior", interior), ("exterior", exterior)):
        if count:
            form[name] = files(*(f"{name}{number + 1}.jpg" for number in range(count)))
    return person.send(form)


def at_each(person: Person, interior: int = 1, exterior: int = 0, **lists: list[str]) -> TestResponse:
    """The same with something chosen for all."""
    form = at_enhancements(person, interior, exterior).forms["step"]
    lists = lists or {"interior": ["hdr_enhancement"], "exterior": ["sky_enhancement"]}
    for name, ids in lists.items():
        tick(form, name, ids)
    return person.send(form)


def at_review(person: Person, interior: int = 1, exterior: int = 0, **lists: list[str]) -> TestResponse:
    """The whole order, to be placed."""
    return person.send(at_each(person, interior, exterior, **lists).forms["step"])


def tick(form: Any, name: str, values: list[str]) -> None:
    """Tick exactly these of the boxes with the name."""
    for box in form.fields.get(name, []):
        box.checked = box._value in values


def files(*names: str, content: bytes = b"") -> list[Upload]:
    """Files for a file field."""
    return [Upload(name, content or photo(), "image/jpeg") for name in names]


def draft_of(person: Person, container: Container) -> Draft:
    """The person's newest draft."""
    with container.database.read_session() as session:
        mine = select(Draft).where(Draft.account_id == person.account_id).order_by(Draft.created_at.desc())
        return session.scalars(mine).first()


def photos_of(person: Person, container: Container) -> list[DraftPhoto]:
    """Its photos in their order."""
    draft = draft_of(person, container)
    with container.database.read_session() as session:
        mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id)
        return list(session.scalars(mine.order_by(DraftPhoto.type, DraftPhoto.position)))


def ask(person: Person, path: str, body: Any = None, status: int = 200) -> TestResponse:
    """What the uploader sends."""
    token = csrf_of(person.web.get("/account", expect_errors=True).maybe_follow())
    headers = {"X-CSRFToken": token, "HX-Request": "true", "Content-Type": "application/json"}
    answer = person.web.post(path, json.dumps(body or {}), headers=headers, expect_errors=True)
    assert answer.status_int == status, answer.text
    return answer


def names(page: TestResponse) -> list[str]:
    """The files on the page, in their order."""
    return [name.text for name in page.html.select(".file .name")]
