"""Idempotency keys: one effect for a key, whoever crashes when."""

from datetime import timedelta

import pytest

from app.container import Container
from app.domain.errors import IdempotencyMismatch, InFlight
from app.services import kept_answers
from app.services.kept_answers import Kept, Use
from tests.conftest import Api
from tests.fakes import FakeClock


def claim(container: Container, api: Api, fingerprint: str = "a", key: str = "k") -> Use | Kept:
    with container.database.unit_of_work() as session:
        return kept_answers.claim(session, api.account_id, key, fingerprint, container.clock())


def keep(container: Container, use: Use | Kept) -> None:
    assert isinstance(use, Use)
    with container.database.unit_of_work() as session:
        kept_answers.keep(session, use, 200, "sealed")


def test_the_first_answer_is_found_again_for_a_day(api: Api, container: Container, clock: FakeClock) -> None:
    keep(container, claim(container, api))
    clock.pass_(hours=24, seconds=-1)
    assert claim(container, api) == Kept(200, "sealed")
    clock.pass_(seconds=1)
    assert isinstance(claim(container, api, "b"), Use)


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
    clock.pass_(minutes=2)
    second = claim(container, api)
    with pytest.raises(InFlight):
        keep(container, dead)
    keep(container, second)


def test_a_released_key_is_free(api: Api, container: Container) -> None:
    use = claim(container, api)
    assert isinstance(use, Use)
    with container.database.unit_of_work() as session:
        kept_answers.release(session, use)
    assert isinstance(claim(container, api, "b"), Use)


def test_keys_of_other_accounts_are_others(api: Api, other_api: Api, container: Container) -> None:
    claim(container, api)
    assert isinstance(claim(container, other_api, "b"), Use)


def test_old_answers_are_forgotten_and_young_ones_are_not(api: Api, container: Container, clock: FakeClock) -> None:
    keep(container, claim(container, api, key="old"))
    clock.pass_(hours=23)
    keep(container, claim(container, api, key="young"))
    clock.now += timedelta(hours=1)
    container.sweep.forget_kept_answers()
    assert isinstance(claim(container, api, "b", key="old"), Use)
    assert isinstance(claim(container, api, key="young"), Kept)
