"""Results sent back, as tests of several kinds need them."""

import json

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.errors import Conflict
from app.domain.flaws import SendBackInput
from app.models import Event, Job, Photo, Result, Revision, StoredPicture, User
from app.services.accounts import accounts
from app.services.photos import variants
from app.services.revisions import queue, revisions
from tests.conftest import Api, develop, work
from tests.fakes import photo

HDR, DECLUTTER, STAGING = "hdr_enhancement", "declutter", "virtual_staging"


def hire(container: Container) -> str:
    """The id of a member of staff, the same each time."""
    with container.database.unit_of_work() as session:
        found = session.scalar(select(User.id).where(User.email == "rae@example.com"))
        return found or accounts.create(session, "rae@example.com", container.clock(), name="Rae").user_id


def ordered(api: Api, container: Container, *steps: str, contents: tuple[bytes, ...] = (), **fields: object) -> str:
    """The id of an approved job of rooms with these steps, of which the engine tells in its pictures."""
    container.engine.tells_steps = True
    rooms = list(contents or [photo("ROOM")])
    job_id: str = api.order(interior=rooms, interiorEnhancements=list(steps or [HDR]), **fields)["jobId"]
    work(container)
    develop(container)
    return job_id


def result_of(container: Container, job_id: str, place: int = 0) -> Result:
    """The job's result at this place."""
    with container.database.read_session() as session:
        mine = select(Result).join(Photo, Photo.id == Result.photo_id).where(Result.job_id == job_id)
        return session.scalars(mine.order_by(Photo.type, Photo.index)).all()[place]


def send_back(
    container: Container, job_id: str, reason: str = "cast", *, without: str = "", words: str = "", place: int = 0
) -> Revision:
    """The round that begins when the job's owner sends a result back."""
    with container.database.unit_of_work() as session:
        account_id = session.get_one(Job, job_id).account_id
        facts = (account_id, job_id, result_of(container, job_id, place).id, SendBackInput(reason, words, without))
        return revisions.send_back(session, *facts, container.clock())


def refusal(container: Container, job_id: str, **said: str) -> str:
    """The code with which sending it back is refused."""
    try:
        send_back(container, job_id, **said)
    except Conflict as refused:
        return str((refused.details or {})["reason"])
    raise AssertionError("it was not refused")


def round_of(container: Container, revision: Revision) -> Revision:
    """The round as it stands."""
    with container.database.read_session() as session:
        return session.get_one(Revision, revision.id)


def rounds(container: Container, job_id: str) -> list[Revision]:
    """All rounds of the job."""
    with container.database.read_session() as session:
        mine = select(Revision).where(Revision.job_id == job_id, Revision.by_reviewer.is_(False))
        return list(session.scalars(mine.order_by(Revision.result_id, Revision.round)))


def variants_of(session: Session, job_id: str) -> list[StoredPicture]:
    """The variants of all results of the job."""
    return [each for found in variants.get_variants(session, [job_id]).values() for each in found]


def version_of(container: Container, revision: Revision) -> str:
    """What a reviewer who looks at it now is shown."""
    with container.database.read_session() as session:
        return queue.view(session, revision.id).version


def content_of(container: Container, key: str | None) -> bytes:
    """A stored file."""
    with container.storage.open(key or "") as file:
        return file.read()


def events(container: Container, job_id: str) -> list[dict[str, object]]:
    """The events that told of its rounds."""
    with container.database.read_session() as session:
        found = select(Event.body).where(Event.job_id == job_id, Event.name == "photo.revised")
        return [json.loads(body) for body in session.scalars(found)]
