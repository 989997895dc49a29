"""Sandboxes: one for each account, with its own credits, as long and as far as its account may do anything."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select, text

from app.container import Container
from app.domain.errors import Conflict, NotFound, NotPermitted, Suspended
from app.domain.ledger import CauseCode, read_cause
from app.domain.limits import TEST_CREDITS
from app.domain.payments import Provider
from app.domain.ports import QueueName
from app.domain.roles import Role
from app.models import ApiKey, LedgerLine, Membership, Organization
from app.services import audit, sandboxes, security_log
from app.services.accounts import accounts, organizations
from app.services.billing import credits, purchases
from app.services.billing.purchases import PurchaseRequest
from app.services.exports import personal_data
from app.services.retention import account_deletion
from app.services.security import api_keys
from app.services.security_log import DoneBy, Origin
from app.services.staff import queue
from app.services.staff.actions import StaffActions
from app.services.team import members
from tests import acts, reading
from tests.conftest import PHOTO, Api
from tests.members import join
from tests.sandboxes import enter_test_mode, sandbox_of
from tests.waiting import eventually


def lines_of(container: Container, account_id: str) -> list[LedgerLine]:
    with container.database.read_session() as session:
        return list(session.scalars(select(LedgerLine).where(LedgerLine.account_id == account_id)))


def test_an_account_has_one_sandbox_with_test_credits_of_its_own(api: Api, container: Container) -> None:
    made = {sandbox_of(container, api.account_id) for _ in range(2)}
    (sandbox_id,) = made
    (line,) = lines_of(container, sandbox_id)
    assert (line.amount, read_cause(line.cause).code) == (TEST_CREDITS, CauseCode.TEST_CREDITS)
    assert reading.one(container, Organization, sandbox_id).credits == TEST_CREDITS
    assert api.credits() == 100


def test_two_requests_at_once_make_one_sandbox(api: Api, container: Container) -> None:
    made = acts.at_once(*[lambda: sandbox_of(container, api.account_id)] * 4)
    assert len(set(made)) == 1, made
    assert len(lines_of(container, made[0])) == 1


def test_a_sandbox_has_no_sandbox_and_deleted_and_suspended_accounts_get_none(
    api: Api, other_api: Api, container: Container
) -> None:
    with pytest.raises(NotFound):
        sandbox_of(container, sandbox_of(container, api.account_id))
    with container.database.unit_of_work() as session:
        session.get_one(Organization, other_api.account_id).suspended_at = container.clock()
    with pytest.raises(Suspended):
        sandbox_of(container, other_api.account_id)
    acts.delete_account(container, api.account_id)
    with pytest.raises(NotFound):
        sandbox_of(container, api.account_id)


def test_a_refill_brings_the_balance_back_to_where_it_began_and_only_in_a_sandbox(
    api: Api, container: Container
) -> None:
    sandbox_id = sandbox_of(container, api.account_id)
    with container.database.unit_of_work() as session:
        credits.adjust(session, sandbox_id, Decimal("-12.5"), "Spent", container.clock())
        sandboxes.refill(session, sandbox_id, container.clock())
        sandboxes.refill(session, sandbox_id, container.clock())
        with pytest.raises(NotFound):
            sandboxes.refill(session, api.account_id, container.clock())
    amounts = [line.amount for line in lines_of(container, sandbox_id)]
    assert amounts == [
        TEST_CREDITS,
        Decimal("-12.5"),
        Decimal("12.5"),
    ]


def test_nothing_can_be_bought_in_a_sandbox(api: Api, container: Container) -> None:
    sandbox_id, wanted = sandbox_of(container, api.account_id), PurchaseRequest(Decimal(10), "t" * 20)
    with pytest.raises(Conflict, match="Leave test mode"), container.database.unit_of_work() as session:
        purchases.begin(session, sandbox_id, wanted, Provider.DEMO, container.clock())


def test_a_test_key_has_a_form_of_its_own_and_acts_for_the_sandbox_alone(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    assert re.fullmatch(r"ims_test_[0-9A-Za-z]{38}", tried.secret)
    with container.database.read_session() as session:
        found = api_keys.recognize(session, tried.secret, container.clock())
        live = api_keys.recognize(session, api.secret, container.clock())
    assert (found.actor.account_id, found.actor.livemode) == (tried.account_id, False)
    assert (live.actor.account_id, live.actor.livemode) == (api.account_id, True)


def test_the_same_secret_with_the_other_beginning_is_no_key(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    for secret, other in ((tried.secret, "ims_live_"), (api.secret, "ims_test_")):
        with container.database.read_session() as session:
            assert api_keys.recognize(session, other + secret[len(other) :], container.clock()) is None


def test_a_rotated_test_key_is_a_test_key(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    with container.database.unit_of_work() as session:
        (key,) = api_keys.paginate(session, tried.account_id).rows
        _, secret = api_keys.rotate(session, tried.account_id, key.id, timedelta(0), "f" * 20, container.clock())
    assert secret.startswith("ims_test_")


def test_members_act_for_the_sandbox_as_far_as_their_role_goes(api: Api, container: Container) -> None:
    sandbox_id = sandbox_of(container, api.account_id)
    roles = (Role.DEVELOPER, Role.READ_ONLY)
    able, unable = (join(container, api.account_id, f"{role}@example.com", role=role) for role in roles)

    def make(user_id: str) -> ApiKey:
        security_log.origin.set(Origin("req_1", "192.0.2.7", "/keys", DoneBy(user_id=user_id)))
        try:
            with container.database.unit_of_work() as session:
                return api_keys.create(session, sandbox_id, container.clock())[0]
        finally:
            security_log.origin.set(None)

    assert make(able).account_id == sandbox_id
    with pytest.raises(NotPermitted):
        make(unable)


def test_who_is_removed_while_they_make_a_test_key_makes_none(api: Api, container: Container) -> None:
    sandbox_id, now = sandbox_of(container, api.account_id), container.clock()
    user_id = join(container, api.account_id, "second@example.com")
    waiting = text("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")

    def make() -> None:
        security_log.origin.set(Origin("req_1", "192.0.2.7", "/keys", DoneBy(user_id=user_id)))
        with container.database.unit_of_work() as session:
            api_keys.create(session, sandbox_id, now)

    with ThreadPoolExecutor(1) as threads:
        with container.database.unit_of_work() as session:
            owner = organizations.get_owner(session, api.account_id).user_id
            members.remove(session, api.account_id, user_id, owner, now)
            making = threads.submit(make)
            if session.bind.dialect.name == "postgresql":
                eventually("the new key waits", lambda: session.scalar(waiting))
        with pytest.raises(NotPermitted):
            making.result()


def test_with_a_member_their_test_keys_go_too(api: Api, container: Container) -> None:
    sandbox_id, now = sandbox_of(container, api.account_id), container.clock()
    user_id = join(container, api.account_id, "second@example.com")
    with container.database.unit_of_work() as session:
        owner = organizations.get_owner(session, api.account_id).user_id
        key, secret = api_keys.create(session, sandbox_id, now)
        key.made_by = user_id
    with container.database.unit_of_work() as session:
        assert members.measure_departure(session, api.account_id, user_id, now).keys == 1
        members.remove(session, api.account_id, user_id, owner, now)
    with container.database.read_session() as session:
        assert api_keys.recognize(session, secret, now) is None


def test_a_suspension_holds_for_test_keys_until_it_is_lifted(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)

    def act(name: str, *facts: str) -> None:
        with container.database.unit_of_work() as session:
            staff = accounts.create(session, f"{name}@example.com", container.clock(), staff=True).user_id
            getattr(StaffActions(session, staff, container.clock()), name)(api.account_id, *facts)

    act("suspend", "Unpaid")
    assert tried.get("/user/credits").status_code == 403
    act("restore")
    assert tried.get("/user/credits").status_code == 200


def test_with_its_account_a_sandbox_is_deleted_and_emptied(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    acts.delete_account(container, api.account_id)
    assert tried.get("/user/credits").status_code == 401
    gone = reading.one(container, Organization, tried.account_id)
    assert (gone.deleted_at, gone.credits) == (container.clock(), 0)
    assert [
        key.name for key in reading.found(container, select(ApiKey).where(ApiKey.account_id == tried.account_id))
    ] == [""]


def test_an_unfinished_test_order_holds_up_the_deletion_as_any_does(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    tried.order([PHOTO])
    with container.database.read_session() as session:
        impact = account_deletion.measure_impact(session, organizations.get_owner(session, api.account_id).user_id)
    assert (impact.unfinished, impact.orders, impact.credits) == (1, 0, Decimal(100))
    with pytest.raises(Conflict):
        acts.delete_account(container, api.account_id)


def test_a_sandbox_is_no_customer_more(api: Api, container: Container) -> None:
    with container.database.read_session() as session:
        before = accounts.count(session)
    sandbox_of(container, api.account_id)
    with container.database.read_session() as session:
        assert accounts.count(session) == before
        assert list(audit.find_mismatches(session, container.storage)) == []
        assert session.scalar(select(func.count()).select_from(Membership)) == before


def test_the_export_of_personal_data_has_what_was_tried(api: Api, container: Container) -> None:
    tried = enter_test_mode(api, container)
    tried.order([PHOTO], address="7 Sandbox Road, Reno, NV 89501")
    with container.database.read_session() as session:
        owner = organizations.get_owner(session, api.account_id).user_id
        found = personal_data.collect(session, owner, api.account_id, container.clock())
    assert found["orders"] == []
    assert [each["address"] for each in found["testMode"]["orders"]] == ["7 Sandbox Road, Reno, NV 89501"]


def test_test_orders_that_wait_alarm_nobody(api: Api, container: Container) -> None:
    def count() -> int:
        with container.database.read_session() as session:
            return queue.health(session, container.clock()).queues[QueueName.PHOTOS].count

    enter_test_mode(api, container).order([PHOTO])
    assert count() == 0
    api.order([PHOTO])
    assert count() == 1
