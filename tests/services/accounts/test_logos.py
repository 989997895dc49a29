"""A logo that was sent becomes what clients see, once, or its owner is told why not."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta

import pytest
from PIL import Image

from app.container import Container
from app.domain.ports import QueueName
from app.services.accounts import brandings, logos
from app.services.accounts.brandings import ChosenLook, StudioLook
from app.services.accounts.logo_worker import TOO_SLOW, LogoWorker
from app.services.leases import ClaimCallbacks
from engine.types.pictures import Logo
from tests.conftest import encode_logos
from tests.fakes import FakeClock


def picture(side: int) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (side, side), (20, 80, 107)).save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def account_id(jo) -> str:
    return jo.account_id


def send(container: Container, account_id: str, content: bytes) -> None:
    with container.database.unit_of_work() as session:
        brandings.update(session, account_id, ChosenLook("Studio", logo=content), container.clock())


def look(container: Container, account_id: str) -> StudioLook:
    with container.database.read_session() as session:
        return brandings.find(session, account_id)


def worker(container: Container, encode=None, watch=lambda _: nullcontext()) -> LogoWorker:
    return LogoWorker(container.database, container.clock, watch, encode or container.encode_logo)


def test_a_worker_is_notified_and_makes_it_once(container: Container, account_id: str) -> None:
    send(container, account_id, picture(80))
    assert container.queue.queues[QueueName.PREVIEWS] == [account_id]
    assert look(container, account_id).logo_awaited
    encode_logos(container)
    shown = look(container, account_id)
    assert (shown.logo_awaited, shown.logo_size, shown.logo_fault) == (False, (80, 80), None)
    worker(container, encode=lambda _: pytest.fail("made twice")).make(account_id)


def test_what_is_sent_meanwhile_is_what_counts(container: Container, account_id: str) -> None:
    send(container, account_id, picture(80))

    def encode(stream: io.BytesIO) -> Logo:
        send(container, account_id, picture(40))
        return container.encode_logo(stream)

    worker(container, encode).make(account_id)
    assert look(container, account_id) == StudioLook("Studio", logo_awaited=True)
    encode_logos(container)
    assert look(container, account_id).logo_size == (40, 40)


def test_a_logo_that_is_removed_while_it_is_made_stays_removed(container: Container, account_id: str) -> None:
    send(container, account_id, picture(80))

    def encode(stream: io.BytesIO) -> Logo:
        with container.database.unit_of_work() as session:
            brandings.remove_logo(session, account_id, container.clock())
        return container.encode_logo(stream)

    worker(container, encode).make(account_id)
    assert look(container, account_id) == StudioLook("Studio")


def test_one_whose_worker_dies_is_made_by_another_and_given_up_when_all_do(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    send(container, account_id, picture(80))
    for _ in range(logos.LOGOS.max_attempts):
        with container.database.unit_of_work() as session:
            assert logos.claim(session, account_id, clock())
            assert not logos.claim(session, account_id, clock())
        clock.now += logos.LOGOS.lease + timedelta(seconds=1)
    encode_logos(container)
    assert look(container, account_id).logo_fault == logos.GIVEN_UP


def test_work_that_breaks_is_tried_again_later_and_given_up_in_the_end(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    def encode(_: io.BytesIO) -> Logo:
        raise OSError("the disk is full")

    send(container, account_id, picture(80))
    for delay in (*logos.LOGOS.delays, timedelta()):
        worker(container, encode).make(account_id)
        clock.now += delay
    shown = look(container, account_id)
    assert (shown.logo_awaited, shown.logo_fault) == (False, logos.GIVEN_UP)


def test_what_takes_too_long_is_refused_in_words(container: Container, account_id: str) -> None:
    """The watch ends the process after it gave up; here it raises."""

    @contextmanager
    def watch(callbacks: ClaimCallbacks) -> Iterator[None]:
        assert callbacks.renew()
        callbacks.give_up()
        assert not callbacks.renew()
        yield
        raise KeyboardInterrupt

    send(container, account_id, picture(80))
    with pytest.raises(KeyboardInterrupt):
        worker(container, watch=watch).make(account_id)
    assert look(container, account_id) == StudioLook("Studio", logo_fault=TOO_SLOW)
    encode_logos(container)
    assert look(container, account_id).logo_size is None
