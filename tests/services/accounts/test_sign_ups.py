"""Signing up: who comes to own an account when several people use one address, and what is forgotten."""

import pytest

from app.container import Container
from app.domain.errors import InvalidRequest, LinkExpired
from app.domain.ids import digest_of_secret
from app.models import Organization, User
from app.services.accounts import accounts, passwords, sign_ups, users
from app.services.accounts.sign_ups import Applicant, Pages
from app.services.billing import credits
from app.services.security import password_resets
from tests import reading
from tests.fakes import FakeClock

EMAIL = "pat@example.com"
MINE, THEIRS = "violin drawer tide", "ladder copper moss"


class Desk:
    """Where people sign up; keeps the secrets that went out by mail."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.secrets: list[str] = []

    def _page(self, secret: str) -> str:
        self.secrets.append(secret)
        return f"http://localhost/{secret}"

    def apply(self, name: str, password: str, email: str = EMAIL) -> str:
        pages = Pages(self._page, "http://localhost/reset", "http://localhost/sign-in")
        with self.container.database.unit_of_work() as session:
            return sign_ups.sign_up(session, Applicant(name, email, password), pages, self.container.clock())

    def confirm(self, secret: str, mark: str = "", password: str = "") -> User | None:
        with self.container.database.unit_of_work() as session:
            return sign_ups.confirm(session, secret, mark, password, self.container.clock())

    def account(self) -> User:
        with self.container.database.read_session() as session:
            return users.find(session, EMAIL)


@pytest.fixture
def desk(container: Container) -> Desk:
    return Desk(container)


def test_the_browser_that_signed_up_needs_the_link_alone(desk: Desk) -> None:
    mark = desk.apply("Pat", MINE)
    assert desk.account().confirmed_at is None
    assert desk.confirm(desk.secrets[0], mark).email == EMAIL
    assert desk.account().confirmed_at is not None
    with pytest.raises(LinkExpired):
        desk.confirm(desk.secrets[0], mark)


def test_another_browser_needs_the_password_too(desk: Desk) -> None:
    desk.apply("Pat", MINE)
    assert desk.confirm(desk.secrets[0], "", THEIRS) is None
    assert desk.account().confirmed_at is None
    assert desk.confirm(desk.secrets[0], "", MINE) is not None


def test_whoever_signed_up_before_or_after_me_with_my_address_gains_nothing_by_my_confirming(desk: Desk) -> None:
    desk.apply("Mallory", THEIRS)
    mark = desk.apply("Pat", MINE)
    with pytest.raises(LinkExpired):
        desk.confirm(desk.secrets[0], mark, MINE)
    assert desk.account().name == "Pat"
    desk.apply("Mallory", THEIRS)
    # Now the newest link leads to an account with their password, and neither mark nor password of mine opens it.
    assert desk.confirm(desk.secrets[2], mark, MINE) is None
    assert desk.account().confirmed_at is None


def test_an_owner_is_told_and_the_account_stays_as_it_is(desk: Desk) -> None:
    mark = desk.apply("Pat", MINE)
    desk.confirm(desk.secrets[-1], mark)
    before = desk.account()
    sent = len(desk.secrets)
    mark = desk.apply("Mallory", THEIRS)
    after = desk.account()
    assert (after.name, after.password_hash) == (before.name, before.password_hash)
    assert len(desk.secrets) == sent
    assert len(mark) == len(digest_of_secret(""))


def test_the_password_is_hashed_for_owners_and_strangers_alike(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []
    digest = passwords.digest
    monkeypatch.setattr(passwords, "digest", lambda *words: hashed.append(words) or digest(*words))
    mark = desk.apply("Pat", MINE)
    desk.confirm(desk.secrets[0], mark)
    desk.apply("Mallory", THEIRS)
    assert hashed == [(MINE, EMAIL), (THEIRS, EMAIL)]


@pytest.mark.parametrize(
    ("name", "email", "password"), [("x" * 201, EMAIL, MINE), ("Pat", "pat", MINE), ("Pat", EMAIL, "short")]
)
def test_nobody_gets_in_with_nonsense(desk: Desk, name: str, email: str, password: str) -> None:
    with pytest.raises(InvalidRequest):
        desk.apply(name, password, email)


def test_a_new_password_by_mail_confirms_and_drops_the_name_that_somebody_else_may_have_given(
    desk: Desk, container: Container
) -> None:
    desk.apply("Mallory", THEIRS)
    secrets: list[str] = []
    with container.database.unit_of_work() as session:
        password_resets.request(session, EMAIL, lambda secret: secrets.append(secret) or "", container.clock())
    with container.database.unit_of_work() as session:
        account = password_resets.finish(session, secrets[0], MINE, container.clock())
    assert (account.name, account.confirmed_at) == ("", container.clock())
    with pytest.raises(LinkExpired):
        desk.confirm(desk.secrets[0], "", THEIRS)
    with container.database.read_session() as session:
        assert users.authenticate(session, EMAIL, THEIRS) is None
        assert users.authenticate(session, EMAIL, MINE)


def test_accounts_that_nobody_confirmed_are_forgotten_after_a_week(
    desk: Desk, container: Container, clock: FakeClock
) -> None:
    desk.apply("Pat", MINE)
    clock.pass_(days=4)
    container.sweep.everything()
    assert reading.count(container, Organization) == 1
    clock.pass_(days=2)
    desk.apply("Pat", MINE)
    clock.pass_(days=2)
    container.sweep.everything()
    assert reading.count(container, Organization) == 1, "a link still leads to it"
    clock.pass_(days=2)
    container.sweep.everything()
    assert reading.count(container, Organization) == 0


def test_what_holds_credits_or_was_confirmed_is_never_forgotten(
    desk: Desk, container: Container, clock: FakeClock
) -> None:
    desk.apply("Pat", MINE)
    with container.database.unit_of_work() as session:
        credits.adjust(session, accounts.find(session, EMAIL).organization_id, 5, "Gift", clock())
        accounts.create(session, "kim@example.com", clock())
    clock.pass_(days=30)
    container.sweep.everything()
    assert reading.count(container, Organization) == 2
