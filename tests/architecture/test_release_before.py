"""What the release before writes of people reaches this one, and the other way round, while both serve.

Its statements stand here as text: its models are gone. It knows people and what they own as rows of `account`.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from app.container import Container
from app.domain.actors import Browser
from app.models import Membership, Organisation, User
from app.services.accounts import accounts, users
from app.services.accounts.sign_ups import Applicant, Pages, apply
from app.services.retention import account_deletion
from app.services.security import erasure, sign_ins

COLUMNS = (
    "email, name, password_hash, is_staff, confirmed_at, one_time_secret, one_time_since, one_time_last_step, "
    "mails_off, deleted_at"
)
PERSONAL = (
    "email",
    "name",
    "password_hash",
    "is_staff",
    "confirmed_at",
    "totp_secret",
    "totp_since",
    "totp_last_step",
    "mails_off",
    "deleted_at",
)
CHANGES: dict[str, dict[str, Any]] = {
    "e-mail": {"email": "new@example.com"},
    "name": {"name": "Another Name"},
    "password": {"password_hash": "$argon2id$another"},
    "staff": {"is_staff": True},
    "confirmation": {"confirmed_at": "2026-10-01 12:00:00+00:00"},
    "two-factor": {"one_time_secret": "sealed", "one_time_since": "2026-10-01 12:00:00+00:00"},
    "code": {"one_time_last_step": 58_000_000},
    "notices": {"mails_off": '["order_ready"]'},
}


def write(container: Container, statement: str, **values: Any) -> None:
    """What the release before sends."""
    with container.database.unit_of_work() as session:
        session.execute(text(statement), values)


def sign_up(container: Container, account_id: str = "acc_before", email: str = "kim@example.com") -> None:
    columns = "id, email, name, password_hash, is_staff, credits, created_at, mails_off, low_balance"
    row = ":id, :email, 'Kim', '$argon2id$x', false, 0, :now, '[]', 500"
    if container.database.engine.dialect.name == "postgresql":
        row = row.replace(":now", "CAST(:now AS timestamptz)")
    statement = " ".join(("INSERT INTO account (", columns, ") VALUES (", row, ")"))
    write(container, statement, id=account_id, email=email, now="2026-09-01 12:00:00.000000")


def known_to_both(container: Container, account_id: str) -> list[Any]:
    """What the release before knows of the person, once it is clear that this one knows the same."""
    with container.database.read_session() as session:
        before = session.execute(
            text(" ".join(("SELECT", COLUMNS, "FROM account WHERE id = :id"))), {"id": account_id}
        ).one()
        now = session.execute(
            text(" ".join(("SELECT", ", ".join(PERSONAL), "FROM users WHERE id = :id"))), {"id": account_id}
        ).one()
    assert list(before) == list(now)
    return list(before)


def test_who_signs_up_there_is_a_user_with_an_organisation_of_their_own(container: Container) -> None:
    sign_up(container)
    assert known_to_both(container, "acc_before")[:3] == ["kim@example.com", "Kim", "$argon2id$x"]
    with container.database.read_session() as session:
        member = accounts.find(session, "kim@example.com")
        assert (member.user_id, member.organisation_id) == ("acc_before", "acc_before")
        assert (member.created_at, member.user.created_at) == (member.organisation.created_at,) * 2


def test_who_signs_up_here_is_an_account_there(container: Container) -> None:
    pages = Pages(confirm=lambda secret: f"https://b.example/{secret}", reset="", sign_in="")
    with container.database.unit_of_work() as session:
        apply(session, Applicant("Lee", "lee@example.com", "violin drawer tide"), pages, container.clock())
    with container.database.read_session() as session:
        account_id = users.find(session, "lee@example.com").id
    known = known_to_both(container, account_id)
    assert known[:2] == ["lee@example.com", "Lee"]
    assert known[2].startswith("$argon2")
    assert known[4] is None


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_what_is_changed_there_is_changed_here(container: Container, changed: dict[str, Any]) -> None:
    sign_up(container)
    before = known_to_both(container, "acc_before")
    sets = ", ".join(f"{column} = :{column}" for column in changed)
    write(container, " ".join(("UPDATE account SET", sets, "WHERE id = 'acc_before'")), **changed)
    after = known_to_both(container, "acc_before")
    differs = [name for name, old, new in zip(COLUMNS.split(", "), before, after, strict=True) if old != new]
    assert differs == list(changed)


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_what_is_changed_here_is_changed_there(container: Container, changed: dict[str, Any]) -> None:
    sign_up(container)
    before = known_to_both(container, "acc_before")
    sets = ", ".join(f"{column.replace('one_time', 'totp')} = :{column}" for column in changed)
    write(container, " ".join(("UPDATE users SET", sets, "WHERE id = 'acc_before'")), **changed)
    after = known_to_both(container, "acc_before")
    differs = [name for name, old, new in zip(COLUMNS.split(", "), before, after, strict=True) if old != new]
    assert differs == list(changed)


def test_who_is_deleted_there_is_deleted_here(container: Container) -> None:
    sign_up(container)
    gone = "email = 'deleted-acc_before@invalid', name = '', password_hash = NULL, deleted_at = created_at"
    write(container, " ".join(("UPDATE account SET", gone, "WHERE id = 'acc_before'")))
    assert known_to_both(container, "acc_before")[-1] is not None
    with container.database.read_session() as session:
        assert session.get_one(User, "acc_before").deleted_at is not None


def test_who_is_deleted_here_is_deleted_there(container: Container) -> None:
    sign_up(container)
    with container.database.unit_of_work() as session:
        account_deletion.delete_account(session, "acc_before", container.clock())
    known = known_to_both(container, "acc_before")
    assert known[0] == "deleted-acc_before@invalid"
    assert known[-1] is not None


def test_who_leaves_others_behind_is_erased_there_and_the_account_is_not_deleted(container: Container) -> None:
    sign_up(container)
    now = container.clock()
    with container.database.unit_of_work() as session:
        second = User(email="sam@example.com", created_at=now)
        session.add(second)
        session.flush()
        session.add(Membership(user_id=second.id, organisation_id="acc_before", created_at=now))
        erasure.erase(session, users.get(session, "acc_before", hold=True), now)
    with container.database.read_session() as session:
        row = session.execute(text("SELECT email, deleted_at FROM account WHERE id = 'acc_before'")).one()
        assert tuple(row) == ("deleted-acc_before@invalid", None)
        assert session.get_one(Organisation, "acc_before").deleted_at is None


def test_an_account_removed_there_takes_user_and_membership_with_it(container: Container) -> None:
    sign_up(container)
    sign_up(container, "acc_other", "other@example.com")
    write(container, "DELETE FROM account WHERE id = 'acc_before'")
    with container.database.read_session() as session:
        assert session.get(User, "acc_before") is None
        assert session.get(Membership, ("acc_before", "acc_before")) is None
        assert session.get(User, "acc_other") is not None


def test_a_sign_in_begun_on_either_side_holds_on_the_other(container: Container) -> None:
    sign_up(container)
    with container.database.unit_of_work() as session:
        here = sign_ins.begin(
            session, "acc_before", Browser("Firefox", "192.0.2.7"), container.clock(), timedelta(hours=1)
        )
    seen_there = "SELECT account.email FROM sign_in JOIN account ON account.id = sign_in.account_id"
    with container.database.read_session() as session:
        assert session.scalars(text(seen_there)).all() == ["kim@example.com"]
    columns = "id, digest, account_id, user_agent, address, created_at, last_seen_at, expires_at"
    copied = "'sgn_before', :digest, account_id, user_agent, address, created_at, last_seen_at, expires_at"
    digest = sign_ins._digest("there")
    write(
        container, " ".join(("INSERT INTO sign_in (", columns, ") SELECT", copied, "FROM sign_in")), digest=digest
    )
    for secret in (here, "there"):
        with container.database.read_connection() as connection:
            found = sign_ins.recognise(connection, secret, container.clock())
        assert found is not None
        assert (found[0].user_id, found[0].account_id) == ("acc_before", "acc_before")


def test_credits_that_move_touch_no_user(container: Container) -> None:
    sign_up(container)
    with container.database.unit_of_work() as session:
        before = session.get_one(User, "acc_before")
        session.execute(text("UPDATE account SET credits = 500 WHERE id = 'acc_before'"))
        session.refresh(before)
        assert before.name == "Kim"
        session.execute(text("UPDATE account SET credits = 0 WHERE id = 'acc_before'"))
