"""Filling in the wizard and the board without JavaScript."""

import json
from hashlib import sha256
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from webtest import TestResponse, Upload

from app.container import Container
from app.domain.catalog import ServiceType
from app.models import Draft, DraftPhoto
from app.services.orders import draft_duplicates, draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.services.uploads import quotas
from engine.types.enhancements import PhotoType
from tests import acts
from tests.fakes import photo
from tests.portal.person import Person

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


def with_address(person: Person) -> TestResponse:
    """The board of a new order with an address."""
    form = person.post("/drafts").forms["step"]
    form["street"] = ADDRESS
    return person.send(form)


def at_photos(person: Person, service: str = "") -> TestResponse:
    """The board of a new order, for a service if one is given, begun as the step before it would."""
    return person.open(f"/properties/{_begun(person, service, 0, 0)}")


def at_enhancements(person: Person, interior: int = 1, exterior: int = 0) -> TestResponse:
    """The same with photos that have arrived."""
    return person.open(f"/properties/{_begun(person, '', interior, exterior)}")


def _begun(person: Person, service: str, interior: int, exterior: int) -> str:
    """The id of a new draft with an address, for a service if one is given, and with so many photos."""
    container = person.container
    with container.database.unit_of_work() as session:
        draft = drafts.begin(session, person.account_id, container.upload_quota, container.clock())
        for said in ({"street": ADDRESS}, {"service_type": ServiceType(service) if service else None}):
            content = drafts.content_of(draft).model_copy(update=said)
            drafts.write(session, draft, content, container.clock())
        for kind, count in ((PhotoType.INTERIOR, interior), (PhotoType.EXTERIOR, exterior)):
            for name in _names(kind.value, count):
                _add(container, session, draft, kind, name)
    return draft.id


def _add(container: Container, session: Session, draft: Draft, kind: PhotoType, name: str) -> None:
    (placed,) = draft_photos.add_photos(
        session, draft, [NewFile(kind, name, type_is_chosen=True)], container.clock()
    )
    content = photo() + name.encode()
    quotas.reserve(session, draft.upload_session_id, len(content), container.upload_quota)
    acts.put(container.storage, placed.storage_key, content)
    arrived = draft_photos.confirm(session, container.storage, draft, placed.id, container.clock())
    digest = sha256(content).hexdigest()
    draft_duplicates.record_digest(session, container.storage, draft, arrived, digest)


def at_each(person: Person, interior: int = 1, exterior: int = 0, **lists: list[str]) -> TestResponse:
    """The same with something chosen for all: the whole order, to be placed."""
    form = at_enhancements(person, interior, exterior).forms["effects"]
    lists = lists or {"interior": ["hdr_enhancement"], "exterior": ["sky_enhancement"]}
    for name, ids in lists.items():
        tick(form, name, ids)
    return person.send(form)


at_review = at_each


def board_of(person: Person, container: Container) -> str:
    """The address of the board of the person's newest draft."""
    return f"/properties/{draft_of(person, container).id}"


def add(person: Person, page: TestResponse, *names: str, status: int = 200) -> TestResponse:
    """Send files of these names with the form of the board."""
    form = page.forms["files"]
    form["photos"] = files(*names)
    return person.send(form, status=status)


def picked(page: TestResponse) -> dict[str, str]:
    """The ids of the photos on the board by their names."""
    shots = page.html.select(".shot")
    return {shot.select_one(".shot-name").text: shot.select_one("[name=photo]")["value"] for shot in shots}


def act(person: Person, page: TestResponse, do: str, *names: str, status: int = 200, **fields: str) -> TestResponse:
    """Tick the photos of these names, fill in the toolbar, and press a button of it."""
    form, ids = page.forms["selection"], picked(page)
    sent = [("csrf_token", form["csrf_token"].value), ("do", do), *fields.items()]
    sent += [("photo", ids[name]) for name in names]
    answer = person.web.post(form.action, sent, expect_errors=True)
    return person._arrive(answer, status)


def _names(kind: str, count: int) -> list[str]:
    return [f"{kind}{number + 1}.jpg" for number in range(count)]


def tick(form: Any, name: str, values: list[str]) -> None:
    """Tick exactly these of the boxes with the name."""
    for box in form.fields.get(name, []):
        box.checked = box._value in values


def files(*names: str, content: bytes = b"") -> list[Upload]:
    """Files for a file field, each with a content of its own unless it is given."""
    return [Upload(name, content or photo() + name.encode(), "image/jpeg") for name in names]


def draft_of(person: Person, container: Container) -> Draft:
    """The person's newest draft."""
    with container.database.read_session() as session:
        mine = select(Draft).where(Draft.account_id == person.account_id).order_by(Draft.created_at.desc())
        return session.scalars(mine).first()


def photos_of(person: Person, container: Container) -> list[DraftPhoto]:
    """Its photos in their order."""
    draft = draft_of(person, container)
    with container.database.read_session() as session:
        mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.removed_at.is_(None))
        return list(session.scalars(mine.order_by(DraftPhoto.type, DraftPhoto.position)))


def ask(person: Person, path: str, body: Any = None, status: int = 200) -> TestResponse:
    """What the uploader sends."""
    headers = {"X-CSRFToken": person.token(), "HX-Request": "true", "Content-Type": "application/json"}
    answer = person.web.post(path, json.dumps(body or {}), headers=headers, expect_errors=True)
    assert answer.status_int == status, answer.text
    return answer


def names(page: TestResponse) -> list[str]:
    """The photos on the board, in their order."""
    return [name.text for name in page.html.select(".shot-name")]
