"""An account with one of everything that has an id, each telling whose it is."""

from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import select
from webtest import Upload

from app.container import Container
from app.domain.actors import Scope
from app.domain.disclosure.rule_files import all_rules
from app.domain.flaws import Flaw, SendBackInput
from app.domain.preset_rules import read_preset
from app.domain.roles import Role
from app.models import Delivery, Photo, Result
from app.services.orders import draft_groups, drafts, presets
from app.services.photos import packs, photo_outlooks, shares
from app.services.photos.pack_plans import PackChoice
from app.services.photos.shares import SharePlan
from app.services.previews import outlooks
from app.services.revisions import revisions
from app.services.security import api_keys, sign_ins
from app.services.team import invitations
from app.services.team.invitations import NewMember
from tests import ledgers
from tests.conftest import PHOTO, Api, develop, order_body, work
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.conftest import NewPerson
from tests.portal.credits import buying
from tests.portal.orders import wizard
from tests.portal.person import Person
from tests.services.hooks import FakeTransport, answered, fail_for_good, register


@dataclass
class Things:
    """One account's: `ids` by what routes call them, under the endpoint or its blueprint where these mean others.

    `words` stand on no page of anybody else.
    """

    person: Person
    api: Api
    words: list[str]
    ids: dict[str, str] = field(default_factory=dict)
    keys: dict[Scope, str] = field(default_factory=dict)

    def id_for(self, endpoint: str, argument: str) -> str:
        """What stands for this argument of the route."""
        nearest = (f"{endpoint} {argument}", f"{endpoint.rpartition('.')[0]} {argument}", argument)
        return next(self.ids[name] for name in nearest if name in self.ids)


def fill(name: str, new_person: NewPerson, container: Container, clock: FakeClock) -> Things:
    """An account whose owner has this name, and whose things all say so. Time passes."""
    person = new_person(f"{name}@example.com", "100")
    form = person.open("/account/name").forms["name-form"]
    form["name"] = f"{name} Owner"
    person.send(form)
    api = _with_keys(person, container, name)
    words = [f"{name}@example.com", f"{name} Owner", f"{name} Street", f"{name} key", f"{name}.example"]
    things = Things(person, api, words)
    things.ids |= {"account_id": person.account_id, "key_id": _key(things, container, name)}
    _team(things, container, name)
    things.ids["preset_id"] = _preset(things, container, name)
    _webhook(things, container, clock, name)
    _orders(things, container, clock, name)
    person.begin_signed_in()  # hours passed without use
    _draft(things, container, name)
    _purchases(things, container)
    person.begin_signed_in()
    with container.database.read_session() as session:
        things.ids["sign_in_id"] = sign_ins.of_user(session, person.user_id, clock())[0].id
    return things


def _with_keys(person: Person, container: Container, name: str) -> Api:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, person.account_id, container.clock(), name=f"{name} key")
    return Api(person.web.app.test_client(), person.account_id, secret)


def _key(things: Things, container: Container, name: str) -> str:
    """A key for each scope alone; the id of one of them."""
    for scope in Scope:
        with container.database.unit_of_work() as session:
            facts = {"name": f"{name} key", "scopes": [scope]}
            key, things.keys[scope] = api_keys.create(session, things.person.account_id, container.clock(), **facts)
    return key.id


def _team(things: Things, container: Container, name: str) -> None:
    """A second member, and somebody who is invited."""
    account_id = things.person.account_id
    things.ids["user_id"] = join(container, account_id, f"second@{name}.example", f"{name} Owner 2")
    wanted = NewMember(
        f"third@{name}.example", Role.ORDERS, lambda secret: f"http://localhost/invitations/{secret}"
    )
    with container.database.unit_of_work() as session:
        sent = invitations.send(session, account_id, wanted, things.person.user_id, container.clock())
    things.ids["invitation_id"] = sent.id


def _preset(things: Things, container: Container, name: str) -> str:
    wanted = read_preset({"name": f"{name} Street style", "interiorEnhancements": ["declutter"]})
    with container.database.unit_of_work() as session:
        return presets.create(session, things.person.account_id, wanted, container.clock()).id


def _webhook(things: Things, container: Container, clock: FakeClock, name: str) -> None:
    account_id, url = things.person.account_id, f"https://{name}.example/hooks"
    container.transport = FakeTransport([answered(500)])
    things.ids["webhook_id"], _ = register(container, account_id, "job.created", url=url)
    fail_for_good(things.api, container, clock)
    with container.database.read_session() as session:
        mine = select(Delivery.id).where(Delivery.webhook_id == things.ids["webhook_id"])
        things.ids["delivery_id"] = session.scalars(mine).one()


def _orders(things: Things, container: Container, clock: FakeClock, name: str) -> None:
    """One for reviewers, and one with results, one of which its owner sent back."""
    address = f"12 {name} Street, Springfield, IL 62704"
    things.ids["reviews job_id"] = things.api.order([PHOTO], address=address)["jobId"]
    work(container, automatic=False)
    room = things.api.upload([PHOTO])
    order = things.api.post("/orders/from-uploads", {**order_body(), **room, "address": address}).json
    work(container)
    develop(container)
    things.ids |= {
        "job_id": order["jobId"],
        "property_id": order["jobId"],
        "upload_session_id": room["uploadSessionId"],
    }
    things.ids["file_path"] = room["interiorFiles"][0]["filePath"]
    with container.database.unit_of_work() as session:
        for kind, job_id in (("reviews ", things.ids["reviews job_id"]), ("", order["jobId"])):
            mine = select(Result.id).join(Photo).where(Photo.job_id == job_id)
            things.ids[f"{kind}image_id"] = session.scalars(mine).one()
        of_order = select(Photo.id).where(Photo.job_id == order["jobId"])
        things.ids["pictures photo_id"] = things.ids["properties photo_id"] = session.scalars(of_order).one()
        things.ids["api_v1.regions_v1 photo_id"] = things.ids["jobs photo_id"] = things.ids["pictures photo_id"]
        facts = (
            things.ids["job_id"],
            things.ids["image_id"],
            SendBackInput(Flaw.OTHER, f"{name} Street looks odd"),
        )
        choice = PackChoice(all_rules()["crmls"], labeled=False, base_url="http://localhost")
        things.ids["pack_id"] = packs.request(session, things.person.account_id, order["jobId"], choice, clock()).id
        sent = revisions.send_back(session, things.person.account_id, *facts, clock())
        things.ids["revision_id"] = sent.id
        photo_id = things.ids["pictures photo_id"]
        subject = photo_outlooks.find_subject(session, things.person.account_id, order["jobId"], photo_id)
        looked = outlooks.request(session, subject, clock())
        looked.layout_preview = PHOTO
        things.ids["outlook_id"] = looked.id
        plan = SharePlan(timedelta(days=7), f"{name} Street")
        link = shares.create(session, container.vault, things.person.account_id, order["jobId"], plan, clock())
        things.ids["link_id"] = things.ids["share_id"] = link.id


def _draft(things: Things, container: Container, name: str) -> None:
    form = things.person.post("/drafts").forms["step"]
    form["street"] = f"12 {name} Street, Springfield, IL 62704"
    form = things.person.send(form).forms["files"]
    form["photos"] = [
        Upload(f"{name} Street{each}.jpg", PHOTO + each.encode(), "image/jpeg") for each in ("", " 2", " 3")
    ]
    things.person.send(form)
    develop(container)
    things.ids["draft_id"] = wizard.draft_of(things.person, container).id
    things.ids["drafts photo_id"] = wizard.photos_of(things.person, container)[0].id
    things.ids["board photo_id"] = things.ids["drafts photo_id"]
    things.ids["pictures.draft_photo photo_id"] = things.ids["drafts photo_id"]
    with container.database.unit_of_work() as session:
        draft = drafts.get_open(session, things.person.account_id, things.ids["draft_id"])
        frames = [each.id for each in wizard.photos_of(things.person, container)[1:]]
        things.ids["group_id"] = draft_groups.merge(session, draft, frames, container.clock())


def _purchases(things: Things, container: Container) -> None:
    """One that is open, and one that was paid, with its receipt."""
    things.ids["purchase_id"] = buying.begun(things.person, container).id
    with container.database.unit_of_work() as session:
        now = container.clock() + timedelta(seconds=1)
        paid = ledgers.paid(session, things.person.account_id, "50", 5500, now)
    things.ids["receipts purchase_id"] = paid.id
