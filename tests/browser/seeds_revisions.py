"""Results sent back as they are met: with a worker, with a reviewer, made again, kept, refunded."""

from sqlalchemy import select

from app.domain.flaws import SendBackInput
from app.domain.revisions import RemakeChoice
from app.models import Job, Photo, Result, Revision
from app.services.photos import quality
from app.services.reviews import decisions
from app.services.revisions import queue, revisions
from tests.browser.world import Who, World
from tests.conftest import revise


def seed(world: World) -> None:
    """Of the first results of some orders, one in each state; the last of them is still being made."""
    send_back(world, "partial", "other", "The wall beside the window, and the ceiling above it.")
    made = send_back(world, "revised", "cast", "Too blue.")
    rework(world, 0, "The sofa floats above the <rug>, and its shadow falls the other way.")
    revise(world.container)
    _link(world, "round", made)
    chosen = send_back(world, "revised", "other", "Still too blue, beside the <door>.")
    with world.container.database.unit_of_work() as session:
        version = queue.view(session, chosen.id).version
        choice = RemakeChoice(another_seed=True)
        queue.make(session, world.people[Who.STAFF].account_id, chosen.id, version, choice, world.clock())
    revise(world.container)
    world.links["sent back, made again"] = f"/reviews/sent-back/{chosen.id}"
    kept = send_back(world, "answered", "other", "It looks odd.")
    with world.container.database.unit_of_work() as session:
        facts = (world.people[Who.STAFF].account_id, kept.id, queue.view(session, kept.id).version)
        queue.keep(session, *facts, "The wall is that color in your photo too.", world.clock())
    world.links["sent back, ended"] = f"/reviews/sent-back/{kept.id}"
    last = send_back(world, "answered", "other", "Please look again.")
    with world.container.database.unit_of_work() as session:
        facts = (world.people[Who.STAFF].account_id, last.id, queue.view(session, last.id).version)
        queue.refund(session, *facts, "You are right: the light cannot be saved.", world.clock())
    send_back(world, "delivered", "cast", "")
    rework(world, 1, "")


def send_back(world: World, name: str, reason: str, words: str) -> Revision:
    """The customer sends the first result of an order back."""
    with world.container.database.unit_of_work() as session:
        job = session.get_one(Job, world.jobs[name])
        mine = select(Result.id).join(Photo, Photo.id == Result.photo_id).where(Result.job_id == job.id)
        image_id = session.scalars(mine.order_by(Photo.type, Photo.index).limit(1)).one()
        text = SendBackInput(reason, words)
        sent = revisions.send_back(session, job.account_id, job.id, image_id, text, world.clock())
        world.links[f"sent back of {name}"] = f"/reviews/sent-back/{sent.id}"
        return sent


def rework(world: World, place: int, words: str) -> None:
    """The reviewer has a result of an order under review made again."""
    rae, job_id = world.people[Who.STAFF].account_id, world.jobs["review reworked"]
    with world.container.database.unit_of_work() as session:
        image_ids = [photo.result.id for photo in quality.photos_of(session, job_id) if photo.result]
        facts = (rae, job_id, image_ids[place], RemakeChoice(another_seed=True), words)
        decisions.make_again(session, *facts, world.clock())


def _link(world: World, name: str, revision: Revision) -> None:
    path = f"/orders/{revision.job_id}/results/{revision.result_id}/revisions/{revision.id}"
    world.links[name] = path
