"""Users and the organizations that they belong to: entered, left, told of, owned."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import delete, select

from app.container import Container
from app.domain.actors import Browser
from app.domain.errors import Conflict, NotAMember, NotFound, Suspended
from app.domain.notices import Notice
from app.domain.roles import Role
from app.models import Job, Mail, Membership, Organization, SignIn, User
from app.services import audit
from app.services.accounts import accounts, organizations, sign_ups, users
from app.services.billing import credits
from app.services.retention import account_deletion
from app.services.security import sign_ins
from tests import reading
from tests.acts import delete_account
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.members import acts_for, join, sign_in


@pytest.fixture
def second(api: Api, container: Container, clock: FakeClock) -> str:
    """A second member of the client's organization, a minute later."""
    clock.pass_(minutes=1)
    return join(container, api.account_id, "sam@example.com")


def leave(container: Container, user_id: str) -> None:
    delete_account(container, user_id)


def receivers(container: Container, subject: str) -> list[str]:
    return sorted(reading.found(container, select(Mail.to).where(Mail.subject.contains(subject))))


def test_who_belongs_to_nothing_signs_in_to_nothing(second: str, container: Container) -> None:
    secret = sign_in(container, second)
    with container.database.unit_of_work() as session:
        session.execute(delete(Membership).where(Membership.user_id == second))
    assert acts_for(container, secret) is None
    with pytest.raises(NotAMember, match="write to support"):
        sign_in(container, second)


def test_nobody_of_a_suspended_organization_signs_in(api: Api, second: str, container: Container) -> None:
    secrets = [sign_in(container, each) for each in (api.account_id, second)]
    assert [acts_for(container, each) for each in secrets] == [api.account_id] * 2
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).suspended_at = container.clock()
    assert [acts_for(container, each) for each in secrets] == [None, None]
    for each in (api.account_id, second):
        with pytest.raises(Suspended):
            sign_in(container, each)


def test_who_belongs_to_two_acts_for_the_first_that_is_open(
    api: Api, other_api: Api, second: str, container: Container, clock: FakeClock
) -> None:
    clock.pass_(minutes=1)
    with container.database.unit_of_work() as session:
        session.add(
            Membership(user_id=second, organization_id=other_api.account_id, role=Role.ORDERS, created_at=clock())
        )
    secret = sign_in(container, second)
    assert acts_for(container, secret) == api.account_id
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).suspended_at = clock()
    assert acts_for(container, secret) is None, "a browser changes to no other by itself"
    assert acts_for(container, sign_in(container, second)) == other_api.account_id


def test_the_owner_belongs_to_it_longest(api: Api, second: str, container: Container) -> None:
    with container.database.read_session() as session:
        assert organizations.get_owner(session, api.account_id).user.email == "jo@example.com"
    leave(container, api.account_id)
    with container.database.read_session() as session:
        assert organizations.get_owner(session, api.account_id).user_id == second
        with pytest.raises(NotFound):
            organizations.get_owner(session, "acc_nobody")


def test_every_member_is_told_who_wants_to_be(api: Api, second: str, container: Container) -> None:
    third = join(container, api.account_id, "tess@example.com")
    with container.database.unit_of_work() as session:
        session.get_one(User, third).mails_off = [Notice.LOW_BALANCE]
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, Decimal(-97), "Spent", container.clock())
    assert receivers(container, "credits") == ["jo@example.com", "sam@example.com"]


def test_mails_about_money_go_to_owners_and_billing_alone(api: Api, container: Container) -> None:
    for role in Role:
        join(container, api.account_id, f"{role}@example.com", role=role)
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, Decimal(-97), "Spent", container.clock())
    assert receivers(container, "credits") == ["jo@example.com", "money@example.com", "owner@example.com"]


@pytest.mark.parametrize(
    ("orderer", "told"),
    [
        ("orders", ["jo@example.com", "orders@example.com"]),
        ("read_only", ["jo@example.com", "read_only@example.com"]),  # whose role was another when they ordered
        ("nobody", ["jo@example.com", "orders@example.com", "other@example.com"]),
    ],
)
def test_mails_about_an_order_go_to_who_placed_it_and_to_owners(
    api: Api, container: Container, orderer: str, told: list[str]
) -> None:
    ids = {role.value: join(container, api.account_id, f"{role}@example.com", role=role) for role in list(Role)[1:]}
    join(container, api.account_id, "other@example.com", role=Role.ORDERS)
    job_id = api.order(interior=[PHOTO])["jobId"]
    with container.database.unit_of_work() as session:
        session.get_one(Job, job_id).ordered_by = ids.get(orderer)
    work(container)
    assert receivers(container, "Ready") == told


def test_a_new_sign_in_is_told_to_that_user_alone(second: str, container: Container) -> None:
    sign_in(container, second)
    with container.database.unit_of_work() as session:
        elsewhere = Browser("Chrome", "198.51.100.7")
        sign_ins.begin(session, second, elsewhere, container.clock(), timedelta(hours=1))
    assert set(reading.found(container, select(Mail.user_id))) == {second}


def test_who_leaves_takes_only_their_own_with_them(api: Api, second: str, container: Container) -> None:
    api.order(interior=[PHOTO])
    secrets = [sign_in(container, each) for each in (api.account_id, second)]
    with container.database.read_session() as session:
        left = account_deletion.measure_impact(session, second)
    assert (left.credits, left.orders, left.keys, left.blockers) == (0, 0, 0, 0)
    leave(container, second)
    assert [acts_for(container, each) for each in secrets] == [api.account_id, None]
    assert api.get("/user/credits").status_code == 200
    with container.database.read_session() as session:
        with pytest.raises(NotFound):
            users.get(session, second)
        assert users.lookup(session, "sam@example.com") is None
        assert list(session.scalars(select(Membership.user_id))) == [api.account_id]


def test_the_organization_goes_with_its_last_member_whoever_founded_it(
    api: Api, second: str, container: Container
) -> None:
    api.order(interior=[PHOTO])
    leave(container, api.account_id)
    assert api.get("/user/credits").status_code == 200
    with pytest.raises(Conflict, match="still being worked on"):
        leave(container, second)
    work(container)
    leave(container, second)
    assert api.get("/user/credits").status_code == 401
    with container.database.read_session() as session:
        gone = session.get_one(Organization, api.account_id)
        assert (gone.credits, gone.deleted_at) == (0, container.clock())
        assert list(audit.find_mismatches(session, container.storage)) == []


def test_ending_the_sign_ins_of_an_organization_leaves_those_of_others(
    api: Api, other_api: Api, second: str, container: Container
) -> None:
    for each in (api.account_id, second, other_api.account_id):
        sign_in(container, each)
    with container.database.unit_of_work() as session:
        assert sign_ins.count(session, api.account_id, container.clock()) == 2
        assert sign_ins.end_all_for(session, api.account_id) == 2
    assert reading.found(container, select(SignIn.user_id)) == [other_api.account_id]


def test_who_never_confirmed_goes_without_what_others_belong_to(container: Container, clock: FakeClock) -> None:
    with container.database.unit_of_work() as session:
        alone = accounts.create(session, "kim@example.com", clock(), confirmed=False)
        shared = accounts.create(session, "lee@example.com", clock(), confirmed=False)
    join(container, shared.organization_id, "sam@example.com")
    clock.pass_(days=400)
    with container.database.unit_of_work() as session:
        assert sign_ups.forget(session, clock()) == 1
    with container.database.read_session() as session:
        assert session.get(User, alone.user_id) is None
        assert list(session.scalars(select(Organization.id))) == [shared.organization_id]


def test_an_organization_to_which_nobody_belongs_is_a_mismatch(
    api: Api, container: Container, clock: FakeClock
) -> None:
    with container.database.unit_of_work() as session:
        member = session.get_one(Membership, (api.account_id, api.account_id))
        session.delete(member)
        session.flush()
        assert list(audit.find_mismatches(session, container.storage)) == [
            f"account {api.account_id}: nobody belongs to it"
        ]
        session.add(
            Membership(user_id=api.account_id, organization_id=api.account_id, role=Role.OWNER, created_at=clock())
        )
