"""Keys by form and keys that take over from others: each once, whoever presses what at the same time."""

from datetime import timedelta
from typing import Any

import pytest

from app.container import Container
from app.domain.actors import Scope
from app.domain.errors import Conflict, NotFound
from app.domain.keys import KeyState, key_state
from app.models import ApiKey
from app.services.accounts import accounts
from app.services.security import api_keys
from tests import reading
from tests.acts import at_once
from tests.fakes import FakeClock
from tests.statements import counted

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def account_id(container: Container) -> str:
    return new_account(container, "a@example.com")


def new_account(container: Container, email: str) -> str:
    with container.database.unit_of_work() as session:
        return accounts.create(session, email, container.clock()).organization_id


def create(container: Container, account_id: str, **options: Any) -> tuple[ApiKey, str]:
    with container.database.unit_of_work() as session:
        return api_keys.create(session, account_id, container.clock(), **options)


def rotate(
    container: Container, account_id: str, key_id: str, overlap: timedelta, token: str = "t" * 20
) -> tuple[ApiKey, str | None]:
    with container.database.unit_of_work() as session:
        return api_keys.rotate(session, account_id, key_id, overlap, token, container.clock())


def opens(container: Container, secret: str | None) -> bool:
    with container.database.read_session() as session:
        return api_keys.recognize(session, secret or "", container.clock()) is not None


def test_a_form_sent_again_gives_its_key_without_the_secret(container: Container, account_id: str) -> None:
    wanted = {"name": "Script", "scopes": [Scope.JOBS_READ], "expires_at": None}

    def send(token: str) -> tuple[ApiKey, str | None]:
        with container.database.unit_of_work() as session:
            return api_keys.create_once(session, account_id, token, container.clock(), **wanted)

    (first, secret), (again, nothing) = send("a" * 20), send("a" * 20)
    assert (again.id, nothing) == (first.id, None)
    assert opens(container, secret)
    assert send("b" * 20)[0].id != first.id
    assert reading.count(container, ApiKey) == 2


def test_a_form_pressed_twice_at_once_makes_one_key(container: Container, account_id: str) -> None:
    def send() -> str | None:
        with container.database.unit_of_work() as session:
            wanted = {"name": "Script", "scopes": list(Scope), "expires_at": None}
            return api_keys.create_once(session, account_id, "a" * 20, container.clock(), **wanted)[1]

    came = at_once(*[send] * 4)
    assert sorted(type(each).__name__ for each in came) == ["NoneType"] * 3 + ["str"]
    assert reading.count(container, ApiKey) == 1


@pytest.mark.parametrize("overlap", [HOUR, DAY, 7 * DAY])
def test_both_keys_open_until_the_overlap_is_over(
    container: Container, account_id: str, clock: FakeClock, overlap: timedelta
) -> None:
    old, old_secret = create(container, account_id, name="Script", scopes=[Scope.JOBS_READ])
    new, new_secret = rotate(container, account_id, old.id, overlap)
    assert (new.name, new.scopes, new.expires_at) == ("Script", [Scope.JOBS_READ], None)
    assert reading.one(container, ApiKey, old.id).replaced_by_id == new.id
    clock.pass_(seconds=overlap.total_seconds() - 1)
    assert (opens(container, old_secret), opens(container, new_secret)) == (True, True)
    assert key_state(reading.one(container, ApiKey, old.id), clock()) is KeyState.ENDING
    clock.pass_(seconds=1)
    assert (opens(container, old_secret), opens(container, new_secret)) == (False, True)
    assert key_state(reading.one(container, ApiKey, old.id), clock()) is KeyState.REPLACED


def test_without_an_overlap_the_old_key_ends_at_once(container: Container, account_id: str) -> None:
    old, old_secret = create(container, account_id)
    _, new_secret = rotate(container, account_id, old.id, timedelta(0))
    assert (opens(container, old_secret), opens(container, new_secret)) == (False, True)


def test_a_key_that_ends_is_followed_by_one_that_lasts_as_long_and_never_holds_longer_itself(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    old, _ = create(container, account_id, expires_at=clock() + 30 * DAY)
    clock.pass_(days=29)
    new, _ = rotate(container, account_id, old.id, 7 * DAY)
    assert new.expires_at == clock() + 30 * DAY
    assert reading.one(container, ApiKey, old.id).expires_at == clock() + DAY


def test_what_opens_nothing_or_was_replaced_is_not_replaced(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    revoked, expired = create(container, account_id)[0], create(container, account_id, expires_at=clock() + HOUR)[0]
    replaced = create(container, account_id)[0]
    rotate(container, account_id, replaced.id, DAY)
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, account_id, revoked.id, clock())
    clock.pass_(hours=1)
    before = reading.count(container, ApiKey)
    for key in (revoked, expired, replaced):
        with pytest.raises(Conflict):
            rotate(container, account_id, key.id, HOUR, token="x" * 20)
    assert reading.count(container, ApiKey) == before


def test_nobody_touches_the_key_of_another(container: Container, account_id: str, clock: FakeClock) -> None:
    key, secret = create(container, account_id)
    other = new_account(container, "b@example.com")
    with pytest.raises(NotFound):
        rotate(container, other, key.id, timedelta(0))
    for act in (
        lambda session: api_keys.rename(session, other, key.id, "Mine"),
        lambda session: api_keys.revoke(session, other, key.id, clock()),
        lambda session: api_keys.get(session, other, key.id),
        lambda session: api_keys.get(session, account_id, "key_\x00'; --"),
        lambda session: api_keys.paginate(session, other, before=key.id),
    ):
        with pytest.raises(NotFound), container.database.unit_of_work() as session:
            act(session)
    assert opens(container, secret)


def test_a_key_replaced_twice_at_once_has_one_successor(container: Container, account_id: str) -> None:
    key, _ = create(container, account_id)
    acts = [lambda token=token: rotate(container, account_id, key.id, DAY, token * 20) for token in "abcd"]
    came = at_once(*acts)
    assert sorted(type(each).__name__ for each in came) == ["Conflict"] * 3 + ["tuple"]
    assert reading.count(container, ApiKey) == 2


def test_a_key_revoked_while_it_is_replaced_is_revoked_whichever_comes_first(
    container: Container, account_id: str
) -> None:
    key, secret = create(container, account_id)

    def revoke() -> None:
        with container.database.unit_of_work() as session:
            api_keys.revoke(session, account_id, key.id, container.clock())

    came = at_once(lambda: rotate(container, account_id, key.id, DAY), revoke)
    assert not opens(container, secret)
    assert reading.count(container, ApiKey) == (1 if isinstance(came[0], Conflict) else 2)


def test_the_limit_holds_for_takeovers_but_for_those_at_once(container: Container, account_id: str) -> None:
    made = [create(container, account_id)[0] for _ in range(50)]
    with pytest.raises(Conflict, match="50 active keys"):
        rotate(container, account_id, made[0].id, HOUR)
    assert reading.one(container, ApiKey, made[0].id).expires_at is None, "nothing changed"
    rotate(container, account_id, made[0].id, timedelta(0))
    came = at_once(*[lambda: create(container, account_id)] * 2)
    assert [type(each) for each in came] == [Conflict, Conflict]


def test_keys_are_listed_newest_first_in_pages_with_one_statement_however_many(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    made = []
    for number in range(30):
        made.insert(0, create(container, account_id, name=f"Key {number}")[0].id)
        clock.pass_(seconds=number % 2)  # some at the same moment
    with container.database.read_session() as session:
        first = api_keys.paginate(session, account_id)
        second = api_keys.paginate(session, account_id, first.next)
    seen = [key.id for key in [*first.rows, *second.rows]]
    assert (len(first.rows), second.next, sorted(seen)) == (25, None, sorted(made))
    assert [key.created_at for key in first.rows] == sorted((key.created_at for key in first.rows), reverse=True)
    with container.database.read_session() as session:
        assert counted(lambda: api_keys.paginate(session, account_id)) == 1


def test_the_end_of_an_account_forgets_names_and_addresses(container: Container, account_id: str, clock) -> None:
    key, secret = create(container, account_id, name="Jo's laptop")
    with container.database.unit_of_work() as session:
        api_keys.record_use(session, key.id, "192.0.2.7", clock())
        api_keys.end_all(session, account_id, clock())
    ended = reading.one(container, ApiKey, key.id)
    assert (ended.name, ended.last_used_address, opens(container, secret)) == ("", None, False)
