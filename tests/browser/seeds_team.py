"""What there is to see of a team: a member of every role, open and expired invitations, what each of them did."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from app.domain.roles import Role
from app.domain.security_events import SecurityEvent
from app.models import Membership, User
from app.services import security_log
from app.services.accounts import brandings
from app.services.accounts.brandings import ChosenLook
from app.services.security import api_keys
from app.services.security_log import DoneBy, Origin
from app.services.team import invitations, members
from app.services.team.invitations import NewMember
from tests.browser.world import Who, World, inside

PEOPLE = {
    Role.ORDERS: ("otto@example.com", "Otto Orders"),
    Role.MONEY: ("bea@example.com", "Bea Billing"),
    Role.DEVELOPER: ("developers-of-the-agency-in-springfield@example.com", "Dev Developer of the Agency"),
}


def seed(world: World) -> None:
    """Tina's team: Studio Nord. Rita may only read, and has an account of her own too."""
    account_id = world.person(Who.TEAM, name="Tina Team").account_id
    rita = world.person(Who.READER, "0", "Rita Reader").account_id
    database, now = world.container.database, world.clock()
    with database.unit_of_work() as session:
        brandings.update(session, account_id, ChosenLook("Studio Nord"), now)
        ids = {}
        for role, (email, name) in PEOPLE.items():
            user = User(email=email, name=name, created_at=now, confirmed_at=now)
            session.add(user)
            session.flush()
            ids[role] = user.id
            session.add(_member(world, user.id, account_id, role))
        session.add(_member(world, rita, account_id, Role.READ_ONLY))
    world.links |= {
        "member": f"/account/team/members/{ids[Role.DEVELOPER]}",
        "nothing done": f"/account/activity?by={rita}",
        "team order": f"/properties/{world.people[Who.TEAM].order([inside(0)])['jobId']}",
    }
    with _as_member(account_id):
        _act(world, account_id, ids)
        _invite(world, account_id)


@contextmanager
def _as_member(user_id: str) -> Iterator[None]:
    """What is done within the block is done by this member."""
    before = security_log.origin.set(Origin("req_seeds", "192.0.2.7", "/seeds", DoneBy(user_id)))
    yield
    security_log.origin.reset(before)


def _member(world: World, user_id: str, account_id: str, role: Role) -> Membership:
    row = {"user_id": user_id, "organization_id": account_id, "role": role}
    return Membership(**row, created_at=world.clock(), chosen_at=world.clock())


def _act(world: World, account_id: str, ids: dict[Role, str]) -> None:
    now = world.clock()
    did = (
        (Role.ORDERS, SecurityEvent.ORDER_PLACED, "12 Garden Lane, Springfield, IL 62704: 1 credit"),
        (Role.MONEY, SecurityEvent.CREDITS_BOUGHT, "50 credits for $55.00"),
        (Role.DEVELOPER, SecurityEvent.WEBHOOK_MADE, "https://agency.example/hooks/brightlist?office=springfield"),
        (Role.ORDERS, SecurityEvent.RESULT_SENT_BACK, "12 Garden Lane, Springfield, IL 62704: living-room.jpg"),
    )
    with world.container.database.unit_of_work() as session:
        key, _ = api_keys.create(session, account_id, now, name="Night upload")
        key.made_by = ids[Role.DEVELOPER]
        for role, event, about in did:
            security_log.record_activity_of(session, DoneBy(ids[role]), event, account_id, about, now)
        members.change_role(session, account_id, ids[Role.DEVELOPER], Role.READ_ONLY, account_id, now)
        members.change_role(session, account_id, ids[Role.DEVELOPER], Role.DEVELOPER, account_id, now)


def _invite(world: World, account_id: str) -> None:
    def noted(name: str) -> Callable[[str], str]:
        def address(secret: str) -> str:
            world.links[name] = f"/invitations/{secret}"
            return world.site.url + world.links[name]

        return address

    now = world.clock()
    with world.container.database.unit_of_work() as session:
        for name, email, role, at in (
            ("invitation, expired", "late@example.com", Role.MONEY, now - timedelta(days=8)),
            ("invitation of nia", Who.NEWCOMER.value, Role.ORDERS, now),
            ("invitation", "somebody-with-a-long-address@springfield-photography.example.com", Role.ORDERS, now),
        ):
            invitations.send(session, account_id, NewMember(email, role, noted(name)), account_id, at)
