"""Links sent by mail: one use, a time, a purpose, and only the newest of each."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import LinkExpired
from app.domain.links import VALID_FOR, LinkPurpose
from app.models import MailedLink
from app.services.accounts import accounts, mailed_links
from tests import reading
from tests.fakes import FakeClock

EMAIL = "a@example.com"


@pytest.fixture
def account_id(container: Container) -> str:
    with container.database.unit_of_work() as session:
        return accounts.create(session, EMAIL, container.clock()).user_id


def make(container: Container, account_id: str, purpose: LinkPurpose = LinkPurpose.RESET) -> str:
    with container.database.unit_of_work() as session:
        return mailed_links.make(session, account_id, purpose, EMAIL, container.clock())


def use(container: Container, secret: str, purpose: LinkPurpose = LinkPurpose.RESET) -> MailedLink:
    with container.database.unit_of_work() as session:
        return mailed_links.use(session, purpose, secret, container.clock())


def test_a_link_is_good_once(container: Container, account_id: str) -> None:
    secret = make(container, account_id)
    assert len(secret) >= 43
    assert use(container, secret).user_id == account_id
    with pytest.raises(LinkExpired):
        use(container, secret)


def test_looking_at_a_link_does_not_use_it_up(container: Container, account_id: str) -> None:
    secret = make(container, account_id)
    for _ in range(2):
        with container.database.read_session() as session:
            assert mailed_links.find(session, LinkPurpose.RESET, secret, container.clock()).email == EMAIL
    use(container, secret)


@pytest.mark.parametrize("purpose", LinkPurpose)
def test_a_link_holds_as_long_as_its_purpose_says(
    container: Container, account_id: str, clock: FakeClock, purpose: LinkPurpose
) -> None:
    secret = make(container, account_id, purpose)
    clock.now += VALID_FOR[purpose]
    with pytest.raises(LinkExpired):
        use(container, secret, purpose)
    clock.now -= timedelta(seconds=1)
    use(container, secret, purpose)


def test_a_newer_link_ends_older_ones_of_its_purpose_only(container: Container, account_id: str) -> None:
    other = make(container, account_id, LinkPurpose.CHANGE_EMAIL)
    first, second = make(container, account_id), make(container, account_id)
    with pytest.raises(LinkExpired):
        use(container, first)
    use(container, second)
    use(container, other, LinkPurpose.CHANGE_EMAIL)


def test_a_link_is_good_for_its_own_purpose_only(container: Container, account_id: str) -> None:
    secret = make(container, account_id, LinkPurpose.CONFIRM)
    with pytest.raises(LinkExpired):
        use(container, secret, LinkPurpose.RESET)


@pytest.mark.parametrize("secret", ["", "x", "\x00", "\ud800", "x" * 10_000])
def test_what_is_no_secret_opens_nothing(container: Container, account_id: str, secret: str) -> None:
    make(container, account_id)
    with pytest.raises(LinkExpired):
        use(container, secret)


def test_the_secret_itself_is_not_kept(container: Container, account_id: str) -> None:
    secret = make(container, account_id)
    link = reading.only(container, select(MailedLink))
    assert secret not in str(vars(link))


def test_links_that_are_over_are_swept_away(container: Container, account_id: str, clock: FakeClock) -> None:
    make(container, account_id)
    make(container, account_id, LinkPurpose.CONFIRM)
    clock.now += VALID_FOR[LinkPurpose.RESET]
    container.sweep.forget_mailed_links()
    assert [link.purpose for link in reading.found(container, select(MailedLink))] == [LinkPurpose.CONFIRM]
