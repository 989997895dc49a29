"""API keys: shown once, recognized while valid, gone at once."""

import re
from datetime import timedelta

import pytest

from app.container import Container
from app.domain.actors import Scope
from app.domain.errors import Conflict, InvalidRequest, NotFound, Suspended
from app.models import ApiKey, Organization
from app.services.accounts import accounts
from app.services.security import api_keys
from tests.fakes import FakeClock


@pytest.fixture
def account_id(container: Container) -> str:
    with container.database.unit_of_work() as session:
        return accounts.create(session, "a@example.com", container.clock()).organization_id


def create(container: Container, account_id: str, **options) -> tuple[ApiKey, str]:
    with container.database.unit_of_work() as session:
        return api_keys.create(session, account_id, container.clock(), **options)


def recognize(container: Container, secret: str):
    with container.database.read_session() as session:
        return api_keys.recognize(session, secret, container.clock())


def test_a_key_has_a_form_that_scanners_know(container: Container, account_id: str) -> None:
    key, secret = create(container, account_id)
    assert re.fullmatch(r"ims_live_[0-9A-Za-z]{38}", secret)
    assert secret.startswith(key.visible_prefix)
    assert secret not in (key.digest, key.visible_prefix)
    assert len(key.visible_prefix) < len(secret) - 30
    assert key.visible_suffix == secret[-4:]


def test_a_valid_key_acts_for_its_account_with_its_scopes(container: Container, account_id: str) -> None:
    _, secret = create(container, account_id, scopes=[Scope.JOBS_READ])
    actor = recognize(container, secret).actor
    assert (actor.account_id, actor.scopes) == (account_id, {Scope.JOBS_READ})


@pytest.mark.parametrize("at", [10, -1, -7])
def test_a_key_with_one_wrong_character_is_unknown(container: Container, account_id: str, at: int) -> None:
    _, secret = create(container, account_id)
    wrong = list(secret)
    wrong[at] = "a" if wrong[at] != "a" else "b"
    assert recognize(container, "".join(wrong)) is None


@pytest.mark.parametrize("text", ["", "ims_live_", "Bearer", "ims_live_ümlaut", "x" * 10_000, "ims_live_\x00"])
def test_what_is_no_key_is_unknown(container: Container, text: str) -> None:
    assert recognize(container, text) is None


def test_a_key_ends_when_it_expires(container: Container, account_id: str, clock: FakeClock) -> None:
    _, secret = create(container, account_id, expires_at=clock() + timedelta(days=1))
    assert recognize(container, secret)
    clock.pass_(days=1)
    assert recognize(container, secret) is None


def test_a_revoked_key_is_unknown_at_once_and_only_its_owner_revokes_it(
    container: Container, account_id: str
) -> None:
    key, secret = create(container, account_id)
    with pytest.raises(NotFound), container.database.unit_of_work() as session:
        api_keys.revoke(session, "acc_somebody_else", key.id, container.clock())
    assert recognize(container, secret)
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, account_id, key.id, container.clock())
    assert recognize(container, secret) is None


def test_the_last_use_is_noted_at_most_once_a_minute(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    key, secret = create(container, account_id)
    assert recognize(container, secret).use_is_due is True
    with container.database.unit_of_work() as session:
        api_keys.record_use(session, key.id, "192.0.2.7", clock())
    with container.database.read_session() as session:
        noted = session.get_one(ApiKey, key.id)
    assert (noted.last_used_at, noted.last_used_address) == (clock(), "192.0.2.7")
    clock.pass_(seconds=59)
    assert recognize(container, secret).use_is_due is False
    clock.pass_(seconds=1)
    assert recognize(container, secret).use_is_due is True


@pytest.mark.parametrize("name", ["", "   ", "\x00", "x" * 101])
def test_what_is_no_name_makes_no_key(container: Container, account_id: str, name: str) -> None:
    with pytest.raises(InvalidRequest):
        create(container, account_id, name=name)


def test_an_account_has_fifty_keys_that_hold_and_no_more(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    for _ in range(48):
        create(container, account_id)
    key, _ = create(container, account_id)
    create(container, account_id, expires_at=clock() + timedelta(days=1))
    with pytest.raises(Conflict, match="50 active keys"):
        create(container, account_id)
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, account_id, key.id, clock())
    create(container, account_id)
    clock.pass_(days=1)
    create(container, account_id)


def test_a_suspended_account_is_told_so_with_a_key_that_holds_and_with_no_other(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    _, secret = create(container, account_id)
    dead, dead_secret = create(container, account_id)
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, account_id, dead.id, clock())
        session.get_one(Organization, account_id).suspended_at = clock()
    with pytest.raises(Suspended, match="write to support"):
        recognize(container, secret)
    assert recognize(container, dead_secret) is None


@pytest.mark.parametrize("email", ["", "no-at", "@host", "name@", "two words@host.example", "a" * 400 + "@b.c"])
def test_what_is_no_e_mail_gets_no_account(container: Container, email: str) -> None:
    with pytest.raises(InvalidRequest), container.database.unit_of_work() as session:
        accounts.create(session, email, container.clock())


def test_an_e_mail_has_one_account_however_it_is_written(container: Container, account_id: str) -> None:
    with pytest.raises(InvalidRequest), container.database.unit_of_work() as session:
        accounts.create(session, " A@Example.com ", container.clock())
    with container.database.read_session() as session:
        assert accounts.find(session, "A@EXAMPLE.COM").organization_id == account_id
