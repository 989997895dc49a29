"""What there is to see: orders in every state, made by the services as time passes."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from sqlalchemy import select

from app.domain.ids import Prefix, new_id
from app.models import Job, PublicPage
from app.services.accounts import sign_ups
from app.services.accounts.sign_ups import Applicant, Pages
from app.services.orders import jobs
from app.services.photos import lost_originals, photos, public_pages
from app.services.photos.pictures import CallLimits
from app.services.photos.quality import Decision
from app.services.previews import previews
from app.services.previews.worker import PreviewWorker
from app.services.retention import expiry, keeping
from app.services.reviews import claims as review_claims
from app.services.reviews import decisions
from app.services.security import email_changes, password_resets, totp
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict
from tests.browser import (
    drafting,
    seeds_credits,
    seeds_keys,
    seeds_packs,
    seeds_presets,
    seeds_purchases,
    seeds_revisions,
    seeds_shares,
    seeds_shown,
    seeds_staff,
    seeds_team,
    seeds_webhooks,
)
from tests.browser.world import PASSWORD, SMALL, Day, Who, World, inside, outside
from tests.conftest import photo_worker, remake

PLACES = (
    "Garden Lane, Springfield, IL 62704",
    "Harbor Road, Portland, ME 04101",
    "Mill Court, Asheville, NC 28801",
    "Sunset Drive, Tucson, AZ 85701",
    "Orchard Street, Madison, WI 53703",
)
UNDER_REVIEW = (
    "review",
    "review by a colleague",
    "review begun",
    "review decided",
    "review reworked",
    "review of nothing good",
)
MANY = 30
"""More orders than one page of the list holds; with those of note also more than a page of the month's credits."""
CALLS_PER_JOB = 200
APPROVED, REJECTED = Verdict.APPROVED, Verdict.REJECTED


def quiet(world: World) -> None:
    """A customer, somebody with two-factor sign-in and a member of staff on their first day."""
    world.person(Who.CUSTOMER)
    world.person(Who.STAFF, "0", "Rae Reviewer")
    _careful(world)


def busy(world: World) -> None:
    """A customer with orders in every state, and a reviewer with work to do."""
    seeds_credits.regular(world)
    world.person(Who.STAFF, "0", "Rae Reviewer")
    _many(world)
    _settled(world)
    _under_way(world)
    world.person(Who.NEWCOMER, "1", "Nia New")
    drafting.seed(world)
    seeds_credits.seed(world)
    _mailed(world)
    _careful(world)
    _together(world)
    _reviewed(world)
    seeds_webhooks.seed(world)
    seeds_keys.seed(world)
    seeds_purchases.seed(world)
    seeds_staff.seed(world)
    seeds_packs.seed(world)
    seeds_presets.seed(world)
    seeds_revisions.seed(world)
    seeds_shares.seed(world)
    seeds_team.seed(world)
    make_previews(world)
    seeds_shown.seed(world)
    drafting.look_at(world, "shown")
    drafting.look_at(world, "declined")
    world.container.sweep.beat()


def order(world: World, name: str, interior: list[bytes] = (), exterior: list[bytes] = (), **fields: object) -> str:
    """Place an order a little later than the last one; its job."""
    world.clock.pass_(minutes=3)
    number = len(world.jobs)
    place = {"address": f"{12 + 7 * number} {PLACES[number % len(PLACES)]}"}
    placed = world.people[Who.CUSTOMER].order(interior, exterior, **{**place, **fields})
    world.jobs[name] = placed["jobId"]
    return world.jobs[name]


def _many(world: World) -> None:
    for number in range(MANY):
        order(world, f"old {number}", [inside(number, width=SMALL)] * (3 if number % 8 == 0 else 1))
    work(world)
    world.clock.pass_(days=1)


def _settled(world: World) -> None:
    expired = order(world, "expired", [inside()])
    order(world, "undeliverable", [inside(0, "DECLINE")], [outside("BROKEN")])
    order(world, "partial", [inside(0), inside(1, "DECLINE"), inside(2, "HALF")], interiorEnhancements=TWO)
    order(world, "approved", [inside(0), inside(1)], [outside()], **STAGED)
    order(world, "lost", [], [outside()])
    order(world, "revised", [inside(0)])
    order(world, "answered", [inside(1)])
    delivered = order(world, "delivered", [inside(2)])
    work(world)
    remake(world.container)
    with world.container.database.unit_of_work() as session:
        expiry.expire(session, expired, world.clock())
    assert world.people[Who.CUSTOMER].get(f"/downloads/{delivered}").status_code == 200
    with world.container.database.unit_of_work() as session:
        customer, room = world.people[Who.CUSTOMER].account_id, world.container.keep_quota
        keeping.keep(session, customer, delivered, room, world.clock())
    publish(world, "approved")
    publish(world, "lost")
    lose(world, "lost")


def _under_way(world: World) -> None:
    for name in UNDER_REVIEW:
        order(world, name, [inside(0), inside(1)], [outside()], **STAGED)
    work(world, automatic=False)
    failed = order(world, "failed", [inside(0)])
    with world.container.database.unit_of_work() as session:
        jobs.fail(session, jobs.lock(session, failed), "The job was not done within its time limit.", world.clock())
    processing = order(world, "processing", [inside(0), inside(1), inside(2)])
    work(world, most=1, job_id=processing)
    order(world, "pending", [inside(0)], [outside()])
    world.clock.pass_(minutes=2)


def _together(world: World) -> None:
    """Two orders of one property, as a draft of many photos becomes: one ready, one under way."""
    ready = order(world, "several, ready", [inside(0)], [outside()])
    work(world, job_id=ready)
    with world.container.database.read_session() as session:
        address = session.get_one(Job, ready).address
    waiting = order(world, "several, waiting", [inside(1), inside(2)], address=address)
    draft_id = new_id(Prefix.DRAFT)
    with world.container.database.unit_of_work() as session:
        for place, job_id in enumerate((ready, waiting)):
            job = session.get_one(Job, job_id)
            job.draft_id, job.draft_place = draft_id, place
    world.links["property of several"] = f"/properties/{draft_id}"
    world.links["order of several"] = f"/properties/{ready}"


def _mailed(world: World) -> None:
    """Links as they go out by mail."""

    def noted(name: str, endpoint: str) -> Callable[[str], str]:
        def address(secret: str) -> str:
            world.links[name] = world.app.url_map.bind("").build(endpoint, {"secret": secret})
            return world.links[name]

        return address

    now, customer = world.clock(), world.people[Who.CUSTOMER].account_id
    with world.container.database.unit_of_work() as session:
        pages = Pages(noted("sign up", "sign_up.confirm"), "/reset", "/sign-in")
        noted("nowhere", "sign_up.confirm")("a-secret-that-nobody-has")
        sign_ups.sign_up(session, Applicant("Uma", "uma@example.com", PASSWORD), pages, now)
        password_resets.request(session, Who.CUSTOMER, noted("reset", "resets.edit"), now)
        email_changes.request(
            session, customer, "new@example.com", noted("new address", "new_address.confirm"), now
        )


def _careful(world: World) -> None:
    """Somebody with two-factor sign-in."""
    account_id, here = world.person(Who.CAREFUL, name="Cora Careful").account_id, world.container
    with here.database.unit_of_work() as session:
        totp.begin(session, here.vault, account_id)
    code = world.code_of(Who.CAREFUL)
    with here.database.unit_of_work() as session:
        assert totp.switch_on(session, here.vault, account_id, code, world.clock())
    world.clock.pass_(minutes=1)  # the next code is another one


def _reviewed(world: World) -> None:
    """Claims at the end of all: they hold for minutes only."""
    rae, sam = world.people[Who.STAFF].account_id, world.person(Who.COLLEAGUE, "0", "Sam Colleague").account_id
    claims = {
        "review by a colleague": sam,
        "review begun": rae,
        "review decided": rae,
        "review reworked": rae,
        "review of nothing good": rae,
    }
    with world.container.database.unit_of_work() as session:
        for name, reviewer in claims.items():
            review_claims.claim(session, reviewer, world.jobs[name], world.clock())
    decide(world, "review decided", [APPROVED, REJECTED, APPROVED])
    decide(world, "review of nothing good", [REJECTED] * 3)


def publish(world: World, name: str) -> None:
    """The customer publishes the originals of an order."""
    account_id = world.people[Who.CUSTOMER].account_id
    with world.container.database.unit_of_work() as session:
        page = public_pages.publish(session, account_id, world.jobs[name], world.clock(), shows_address=True)
        world.links[f"originals of {name}"] = f"{public_pages.PATH}/{page.token}"


def lose(world: World, name: str) -> None:
    """One published original of an order is missing."""
    with world.container.database.unit_of_work() as session:
        page = session.scalars(select(PublicPage).where(PublicPage.job_id == world.jobs[name])).one()
        lost_originals.record(session, page.id, page.pictures[0].number, world.clock(), found=False)


def decide(world: World, name: str, verdicts: list[Verdict]) -> None:
    """What the reviewer says of a job's results, in their order."""
    reviewer, job_id = world.people[Who.STAFF].account_id, world.jobs[name]
    with world.container.database.unit_of_work() as session:
        for photo, verdict in zip(session.get_one(Job, job_id).photos, verdicts, strict=True):
            assert photo.result is not None
            reason = "" if verdict is APPROVED else "Edges show a halo. Look at the window."
            decisions.decide(session, job_id, photo.result.id, Decision(verdict, reviewer, reason), world.clock())


def work(world: World, automatic: bool = True, most: int = 1000, job_id: str | None = None) -> None:
    """Work on the photos that are due, of one job if it is told, as the workers would."""
    with world.container.database.read_session() as session:
        due = photos.due(session, world.clock(), 1000)
        if job_id is not None:
            due = [each.id for each in session.get_one(Job, job_id).photos if each.id in due]
    workers = replace(photo_worker(world.container, automatic), calls=CallLimits(CALLS_PER_JOB))
    for photo_id in due[:most]:
        workers.process(photo_id)


def make_previews(world: World) -> None:
    """Make every small picture that is wanted, as the worker would."""
    here = world.container
    makers = here.previews, here.listing_pictures
    preview_worker = PreviewWorker(here.database, here.clock, lambda *_: nullcontext(), here.storage, *makers)
    while True:
        with here.database.read_session() as session:
            due = previews.QUEUE.due(session, here.clock(), 100)
        if not due:
            return
        for source_key in due:
            preview_worker.make(source_key)


TWO = [Enhancement.HDR, Enhancement.FLAMBIENT]
STAGED = {
    "photoConfigs": [
        {"photoType": "interior", "photoIndex": 0, "enhancements": [Enhancement.STAGING]},
        {"photoType": "interior", "photoIndex": 1, "enhancements": [Enhancement.RENOVATION, Enhancement.HDR]},
    ],
    "virtualStaging": {"0": {"style": "scandinavian", "roomType": "living_room"}},
    "renovations": {
        "1": [
            {
                "changeType": "floor",
                "changeDescription": "Wide oak planks in a light, matt finish",
                "referenceText": "Like an old farmhouse, without gloss",
            }
        ]
    },
}
SEEDS = {Day.FIRST: quiet, Day.BUSY: busy}
