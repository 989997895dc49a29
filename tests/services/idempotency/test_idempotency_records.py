"""Idempotency keys: one effect for a key, whoever crashes when."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, event

from app.container import Container
from app.domain.errors import IdempotencyMismatch, InFlight
from app.services.idempotency import idempotency_records, renewals
from app.services.idempotency.idempotency_records import LEASE, MAX_CLAIM_TRIES, KeyUse, StoredResponse
from tests.conftest import Api
from tests.fakes import FakeClock


def claim(container: Container, api: Api, fingerprint: str = "a", key: str = "k") -> KeyUse | StoredResponse:
    with container.database.unit_of_work() as session:
        return idempotency_records.claim(session, api.account_id, key, fingerprint, container.clock())


def keep(container: Container, use: KeyUse | StoredResponse) -> None:
    assert isinstance(use, KeyUse)
    with container.database.unit_of_work() as session:
        idempotency_records.keep(session, use, 200, "sealed")


def test_the_first_answer_is_found_again_for_a_day(api: Api, container: Container, clock: FakeClock) -> None:
    keep(container, claim(container, api))
    clock.pass_(hours=24, seconds=-1)
    assert claim(container, api) == StoredResponse(200, "sealed")
    clock.pass_(seconds=1)
    assert isinstance(claim(container, api, "b"), KeyUse)


def test_while_the_first_is_under_way_a_twin_is_sent_off(api: Api, container: Container) -> None:
    claim(container, api)
    with pytest.raises(InFlight):
        claim(container, api)


def test_a_key_used_for_something_else_is_refused(api: Api, container: Container) -> None:
    keep(container, claim(container, api))
    with pytest.raises(IdempotencyMismatch):
        claim(container, api, "b")


def test_a_first_request_that_died_gives_way_and_cannot_come_back(
    api: Api, container: Container, clock: FakeClock
) -> None:
    dead = claim(container, api)
    clock.now += LEASE
    second = claim(container, api)
    with pytest.raises(InFlight):
        keep(container, dead)
    keep(container, second)


def test_a_released_key_is_free(api: Api, container: Container) -> None:
    use = claim(container, api)
    assert isinstance(use, KeyUse)
    with container.database.unit_of_work() as session:
        idempotency_records.release(session, use)
    assert isinstance(claim(container, api, "b"), KeyUse)


@contextmanager
def released_before_it_is_looked_at(container: Container, times: int) -> Iterator[list[str]]:
    """The holder of a key lets go of it between a twin's claim and its look at the holder's row, so often."""
    released: list[str] = []

    def release(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if len(released) == times or not statement.startswith("SELECT idempotency_record"):
            return
        released.append(statement)
        # SQLite lets one writer in at a time, so there it is the twin's own transaction.
        server = connection.dialect.name == "postgresql"
        with container.database.engine.begin() if server else connection.begin_nested() as deleting:
            deleted = (deleting if server else connection).exec_driver_sql("DELETE FROM idempotency_record")
            assert deleted.rowcount == 1

    event.listen(container.database.engine, "before_cursor_execute", release)
    try:
        yield released
    finally:
        event.remove(container.database.engine, "before_cursor_execute", release)


def test_a_key_released_while_a_twin_looks_at_it_is_the_twins(api: Api, container: Container) -> None:
    first = claim(container, api)
    with released_before_it_is_looked_at(container, times=1) as released:
        second = claim(container, api)
    assert len(released) == 1
    with pytest.raises(InFlight):
        keep(container, first)
    keep(container, second)
    assert claim(container, api) == StoredResponse(200, "sealed")


def test_a_key_that_others_take_and_release_all_the_time_is_in_flight(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[object] = []
    monkeypatch.setattr(idempotency_records, "_try_to_insert", lambda _session, row: tries.append(row))
    with pytest.raises(InFlight):
        claim(container, api)
    assert len(tries) == MAX_CLAIM_TRIES


def test_a_request_that_takes_long_holds_its_key_while_its_process_renews_the_claim(
    api: Api, container: Container, clock: FakeClock
) -> None:
    slow = claim(container, api)
    assert isinstance(slow, KeyUse)
    container.renewals.add(slow)
    for _ in range(10):
        clock.pass_(seconds=5)
        assert container.renewals.renew()
        with pytest.raises(InFlight):
            claim(container, api)
    keep(container, slow)
    container.renewals.remove(slow)
    assert not container.renewals.renew()
    assert claim(container, api) == StoredResponse(200, "sealed")


def test_a_request_that_hangs_loses_its_key_at_last(api: Api, container: Container, clock: FakeClock) -> None:
    hung = claim(container, api)
    assert isinstance(hung, KeyUse)
    container.renewals.add(hung)
    clock.now += renewals.MAX_RENEWAL_TIME - LEASE / 2
    assert container.renewals.renew()
    clock.now += LEASE
    assert not container.renewals.renew()
    assert isinstance(claim(container, api), KeyUse)


def test_a_claim_that_was_taken_over_is_not_renewed(api: Api, container: Container, clock: FakeClock) -> None:
    paused = claim(container, api)
    assert isinstance(paused, KeyUse)
    container.renewals.add(paused)
    clock.now += LEASE
    dead = claim(container, api)
    clock.now += LEASE / 2
    assert container.renewals.renew()
    clock.now += LEASE / 2
    third = claim(container, api)
    for lost in (paused, dead):
        with pytest.raises(InFlight):
            keep(container, lost)
    keep(container, third)


def test_keys_of_other_accounts_are_others(api: Api, other_api: Api, container: Container) -> None:
    claim(container, api)
    assert isinstance(claim(container, other_api, "b"), KeyUse)


def test_old_answers_are_forgotten_and_young_ones_are_not(api: Api, container: Container, clock: FakeClock) -> None:
    keep(container, claim(container, api, key="old"))
    clock.pass_(hours=23)
    keep(container, claim(container, api, key="young"))
    clock.now += timedelta(hours=1)
    container.sweep.forget_idempotency_records()
    assert isinstance(claim(container, api, "b", key="old"), KeyUse)
    assert isinstance(claim(container, api, key="young"), StoredResponse)
