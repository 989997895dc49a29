"""Members: their roles, who is removed or leaves, what ends with it, and how they change between organizations."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from app.container import Container
from app.domain.actors import Browser
from app.domain.errors import Conflict, LinkExpired, NotFound, NotPermitted
from app.domain.roles import Role
from app.models import Activity, ApiKey, Invitation, Mail, Membership, SignIn, Webhook
from app.services import audit, security_log
from app.services.accounts import accounts, organizations
from app.services.retention import account_deletion
from app.services.security import api_keys, sign_ins
from app.services.security_log import Origin
from app.services.team import activity, invitations, members
from app.services.team.invitations import NewMember
from tests import acts, reading
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.members import acts_for, join, sign_in
from tests.services.hooks import register
from tests.services.team.test_invitations import accept, invite
from tests.waiting import eventually

BROWSER = Browser("Firefox", "192.0.2.7")


@pytest.fixture
def second(api: Api, container: Container, clock: FakeClock) -> str:
    """A second owner of the client's organization, a minute later."""
    clock.pass_(minutes=1)
    return join(container, api.account_id, "sam@example.com")


def change(container: Container, account_id: str, whose: str, role: Role, by: str) -> None:
    with container.database.unit_of_work() as session:
        members.change_role(session, account_id, whose, role, by, container.clock())


def remove(container: Container, account_id: str, whose: str, by: str) -> None:
    with container.database.unit_of_work() as session:
        members.remove(session, account_id, whose, by, container.clock())


def leave(container: Container, account_id: str, user_id: str) -> None:
    with container.database.unit_of_work() as session:
        members.leave(session, account_id, user_id, container.clock())


def owners(container: Container, account_id: str) -> list[str]:
    mine = select(Membership.user_id).where(Membership.organization_id == account_id, Membership.role == Role.OWNER)
    return reading.found(container, mine)


def make_key(container: Container, account_id: str, by: str) -> tuple[str, str]:
    """The id and the secret of a key that this member makes."""
    before = security_log.origin.set(Origin("req_1", "192.0.2.7", "/keys"))
    security_log.name_sender(user_id=by)
    try:
        with container.database.unit_of_work() as session:
            key, secret = api_keys.create(session, account_id, container.clock(), name="Script")
    finally:
        security_log.origin.reset(before)
    return key.id, secret


def test_a_role_holds_from_the_next_page_on(api: Api, second: str, container: Container) -> None:
    secret = sign_in(container, second)
    change(container, api.account_id, second, Role.READ_ONLY, api.account_id)
    with container.database.read_connection() as connection:
        visitor, _ = sign_ins.recognize(connection, secret, container.clock())
    assert visitor.role is Role.READ_ONLY
    assert not visitor.may("order")
    (told,) = reading.found(container, select(Activity.about).where(Activity.event == "member.role_changed"))
    assert told == "Sam Second: Owner to Read only"


def test_who_is_removed_and_joins_again_is_not_signed_in_by_an_old_browser(
    api: Api, second: str, container: Container
) -> None:
    secret = sign_in(container, second)
    remove(container, api.account_id, second, api.account_id)
    with container.database.unit_of_work() as session:
        member = {"user_id": second, "organization_id": api.account_id, "role": Role.ORDERS}
        session.add(Membership(**member, created_at=container.clock()))
    assert acts_for(container, secret) is None


def test_the_last_owner_neither_leaves_nor_gives_up_the_role(api: Api, second: str, container: Container) -> None:
    me = api.account_id
    change(container, me, second, Role.ORDERS, me)
    for act in (
        lambda: change(container, me, me, Role.MONEY, me),
        lambda: remove(container, me, me, me),
        lambda: leave(container, me, me),
        lambda: acts.delete_account(container, me),
    ):
        with pytest.raises(Conflict, match="needs an owner"):
            act()
    with container.database.read_session() as session:
        assert account_deletion.measure_impact(session, me).to_hand_over == 1
    change(container, me, second, Role.OWNER, me)
    change(container, me, me, Role.MONEY, me)
    assert owners(container, me) == [second]


@pytest.mark.parametrize("act", [remove, lambda *given: change(*given[:3], Role.ORDERS, given[3])])
def test_of_two_owners_who_act_on_each_other_at_once_one_stays(
    api: Api, second: str, container: Container, act: object
) -> None:
    me = api.account_id
    outcomes = acts.at_once(lambda: act(container, me, second, me), lambda: act(container, me, me, second))
    assert [type(each) for each in outcomes if each is not None] == [NotPermitted]
    assert len(owners(container, me)) == 1


def test_only_an_owner_changes_and_removes(api: Api, second: str, container: Container) -> None:
    third = join(container, api.account_id, "tess@example.com", role=Role.ORDERS)
    with pytest.raises(NotPermitted, match="no longer have the role"):
        remove(container, api.account_id, second, third)
    with pytest.raises(NotPermitted):
        change(container, api.account_id, third, Role.OWNER, third)
    with pytest.raises(NotFound):
        remove(container, api.account_id, "usr_nobody", api.account_id)


def test_what_a_removed_member_had_ends_at_once_and_what_they_did_stays(
    api: Api, other_api: Api, second: str, container: Container
) -> None:
    me, now = api.account_id, container.clock()
    accept(container, invite(container, other_api.account_id, "sam@example.com", Role.MONEY), second)
    at_theirs = sign_in(container, second)
    with container.database.unit_of_work() as session:
        (row,) = session.scalars(select(SignIn).where(SignIn.user_id == second))
        assert row.account_id == other_api.account_id, "which was chosen last"
    with container.database.unit_of_work() as session:
        at_ours = sign_ins.begin(session, second, BROWSER, now, timedelta(hours=1), account_id=me)
    key_id, key_secret = make_key(container, me, second)
    hook, _ = register(container, me)
    invite(container, me, "friend@example.com")
    with container.database.unit_of_work() as session:
        session.scalars(select(Invitation)).all()[-1].invited_by = second
        left = members.measure_departure(session, me, second, now)
    assert (left.browsers, left.keys, left.invitations, left.webhooks) == (1, 1, 1, 1)
    remove(container, me, second, me)
    assert acts_for(container, at_ours) is None
    assert acts_for(container, at_theirs) == other_api.account_id
    with container.database.read_session() as session:
        assert api_keys.recognize(session, key_secret, now) is None
        assert session.get_one(ApiKey, key_id).made_by == second
        assert session.get_one(Webhook, hook).active, "it is the organization's"
        assert session.scalars(select(Invitation).where(Invitation.invited_by == second)).one().revoked_at == now
        did = activity.paginate(session, me, user_id=second).rows
    assert [(row.who, row.event, row.about) for row in did] == [("Sam Second", "key.made", "Script")]
    assert api.get("/user/credits").status_code == 200, "keys of others work"
    (told,) = reading.found(container, select(Mail).where(Mail.subject.contains("no longer belong")))
    assert told.to == "sam@example.com"
    with pytest.raises(NotFound), container.database.unit_of_work() as session:
        members.switch(session, "sgn_x", second, me, now)


def test_who_belongs_to_nothing_else_gets_an_empty_account_of_their_own(
    api: Api, second: str, container: Container
) -> None:
    remove(container, api.account_id, second, api.account_id)
    theirs = acts_for(container, sign_in(container, second))
    assert theirs not in {None, api.account_id}
    with container.database.read_session() as session:
        found = organizations.get_owner(session, theirs)
        assert (found.user_id, found.organization.credits) == (second, 0)
        assert list(audit.find_mismatches(session, container.storage)) == []


def test_who_leaves_is_signed_out_there_and_named_in_what_was_done(
    api: Api, second: str, container: Container
) -> None:
    secret = sign_in(container, second)
    leave(container, api.account_id, second)
    assert acts_for(container, secret) is None
    (told,) = reading.found(container, select(Activity.about).where(Activity.event == "member.left"))
    assert told == "Sam Second"


def test_a_browser_changes_between_organizations_and_the_choice_stays(
    api: Api, other_api: Api, second: str, container: Container, clock: FakeClock
) -> None:
    clock.pass_(minutes=1)
    with container.database.unit_of_work() as session:
        session.add(
            Membership(user_id=second, organization_id=other_api.account_id, role=Role.ORDERS, created_at=clock())
        )
    here, there = sign_in(container, second), sign_in(container, second)
    assert acts_for(container, here) == api.account_id
    with container.database.unit_of_work() as session:
        sign_in_id = sign_ins.recognize(session.connection(), here, clock())[0].sign_in_id
        members.switch(session, sign_in_id, second, other_api.account_id, clock())
    assert acts_for(container, here) == other_api.account_id
    assert acts_for(container, there) == api.account_id, "another browser goes on where it was"
    assert acts_for(container, sign_in(container, second)) == other_api.account_id


def test_a_deleted_user_leaves_and_the_organization_goes_on(api: Api, second: str, container: Container) -> None:
    api.order(interior=[PHOTO])
    _, key_secret = make_key(container, api.account_id, second)
    change(container, api.account_id, second, Role.MONEY, api.account_id)
    acts.delete_account(container, second)
    with container.database.read_session() as session:
        assert api_keys.recognize(session, key_secret, container.clock()) is None
        assert members.count(session, api.account_id) == 1
        rows = activity.paginate(session, api.account_id).rows
    assert next((row.who, row.by_user) for row in rows if row.event == "key.made") == ("", True)
    assert "sam" not in " ".join(row.about for row in rows).lower()


def test_who_was_removed_since_their_request_began_makes_no_key_and_invites_nobody(
    api: Api, second: str, container: Container
) -> None:
    remove(container, api.account_id, second, api.account_id)
    with pytest.raises(NotPermitted):
        make_key(container, api.account_id, second)
    wanted = NewMember("friend@example.com", Role.OWNER, str)
    with container.database.unit_of_work() as session, pytest.raises(NotPermitted):
        invitations.send(session, api.account_id, wanted, second, container.clock())
    invite(container, api.account_id)
    (invitation_id,) = reading.found(container, select(Invitation.id))
    with container.database.unit_of_work() as session, pytest.raises(NotPermitted):
        invitations.revoke(session, api.account_id, invitation_id, second, container.clock())


def test_who_is_no_owner_any_more_leaves_no_invitation_behind_that_could_make_one(
    api: Api, second: str, container: Container
) -> None:
    secret = invite(container, api.account_id, "friend@example.com", Role.OWNER)
    with container.database.unit_of_work() as session:
        session.scalars(select(Invitation)).one().invited_by = second
    change(container, api.account_id, second, Role.OWNER, api.account_id)
    assert reading.found(container, select(Invitation.revoked_at)) == [None]
    change(container, api.account_id, second, Role.ORDERS, api.account_id)
    with pytest.raises(LinkExpired):
        accept(container, secret)


def test_who_is_deleted_while_they_join_is_no_member(api: Api, other_api: Api, container: Container) -> None:
    secret, kim = invite(container, api.account_id, "kim@example.com", Role.OWNER), other_api.account_id
    waiting = text("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
    with ThreadPoolExecutor(1) as threads:
        with container.database.unit_of_work() as session:
            invitations.accept(session, secret, kim, container.clock())
            deleting = threads.submit(acts.delete_account, container, kim)
            if session.bind.dialect.name == "postgresql":
                eventually("the deletion waits", lambda: session.scalar(waiting))
        deleting.result()
    assert owners(container, api.account_id) == [api.account_id]


def test_the_name_of_a_deleted_user_is_erased_where_they_were_removed_before(
    api: Api, second: str, container: Container
) -> None:
    invite(container, api.account_id, "sam@example.community")
    change(container, api.account_id, second, Role.MONEY, api.account_id)
    remove(container, api.account_id, second, api.account_id)
    acts.delete_account(container, second)
    told = reading.found(container, select(Activity.about).where(Activity.event.startswith("member.")))
    assert set(told) == {"", "sam@example.community: Orders"}


def test_operators_find_by_an_address_the_account_that_its_user_owns(
    api: Api, other_api: Api, container: Container
) -> None:
    accept(container, invite(container, other_api.account_id, "sam@example.com"))
    with container.database.unit_of_work() as session:
        sam = accounts.find(session, "sam@example.com")
        assert (sam.organization_id, sam.role) == (other_api.account_id, Role.ORDERS)
        assert accounts.find(session, "jo@example.com").organization_id == api.account_id
        owned = Membership(
            user_id=sam.user_id, organization_id=api.account_id, role=Role.OWNER, created_at=container.clock()
        )
        session.add(owned)
        session.flush()
        assert accounts.find(session, "sam@example.com").organization_id == api.account_id
