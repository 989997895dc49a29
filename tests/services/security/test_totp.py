"""Two-factor: codes of the app, each good once and for a moment, and recovery codes for a day without it."""

import re
from concurrent.futures import ThreadPoolExecutor

import pyotp
import pytest
from sqlalchemy import select

from app.adapters.vault import FernetVault
from app.container import Container
from app.domain.errors import Conflict
from app.models import RecoveryCode, User
from app.services.accounts import accounts, users
from app.services.security import recovery_codes, totp
from tests.fakes import FakeClock


class Phone:
    """The owner's account and app."""

    def __init__(self, container: Container) -> None:
        self.container = container
        with container.database.unit_of_work() as session:
            self.account_id = accounts.create(session, "a@example.com", container.clock()).user_id
        self.begin()

    def begin(self) -> None:
        with self.container.database.unit_of_work() as session:
            totp.begin(session, self.container.vault, self.account_id)

    def secret(self) -> str | None:
        with self.container.database.read_session() as session:
            return totp.find_unconfirmed_secret(session, self.container.vault, self.account_id)

    def switch_on(self, code: str) -> list[str] | None:
        here = self.container
        with here.database.unit_of_work() as session:
            return totp.switch_on(session, here.vault, self.account_id, code, here.clock())

    def prove(self, code: str) -> bool:
        here = self.container
        with here.database.unit_of_work() as session:
            return totp.use_code(session, here.vault, self.account_id, code, here.clock())

    def account(self) -> User:
        with self.container.database.read_session() as session:
            return users.get(session, self.account_id)


@pytest.fixture
def phone(container: Container) -> Phone:
    return Phone(container)


@pytest.fixture
def app_code(phone: Phone, clock: FakeClock):
    """app_code(steps) -> what the app shows so many steps from now; two-factor is on."""
    totp = pyotp.TOTP(phone.secret())
    phone.codes = phone.switch_on(totp.at(clock()))
    clock.pass_(minutes=5)
    return lambda steps=0: totp.at(clock(), counter_offset=steps)


def test_it_is_on_only_after_a_right_code(phone: Phone, clock: FakeClock) -> None:
    totp = pyotp.TOTP(phone.secret())
    right = totp.at(clock())
    assert phone.switch_on(f"{(int(right) + 1) % 10**6:06}") is None
    assert phone.account().totp_since is None
    assert not phone.prove(totp.at(clock()))
    assert len(phone.switch_on(right)) == 10
    assert phone.account().totp_since == clock()
    assert phone.secret() is None, "the secret is shown no more"


def test_the_code_that_switched_it_on_is_used_up(phone: Phone, clock: FakeClock) -> None:
    code = pyotp.TOTP(phone.secret()).at(clock())
    phone.switch_on(code)
    assert not phone.prove(code)


def test_beginning_twice_keeps_the_secret_and_not_when_it_is_on(phone: Phone, clock: FakeClock) -> None:
    secret = phone.secret()
    phone.begin()
    assert phone.secret() == secret
    phone.switch_on(pyotp.TOTP(secret).at(clock()))
    with pytest.raises(Conflict):
        phone.begin()
    with pytest.raises(Conflict):
        phone.switch_on(pyotp.TOTP(secret).at(clock(), counter_offset=1))


def test_the_secret_is_unreadable_in_the_database(phone: Phone) -> None:
    assert phone.secret() not in phone.account().totp_secret


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_code_is_good_for_its_step_and_the_ones_beside_it(phone: Phone, app_code, steps: int, good: bool) -> None:
    assert phone.prove(app_code(steps)) is good


def test_a_code_is_good_once_and_ends_all_before_it(phone: Phone, app_code) -> None:
    assert phone.prove(app_code())
    assert not phone.prove(app_code())
    assert not phone.prove(app_code(-1))
    assert phone.prove(app_code(1))


def test_of_two_browsers_with_the_same_code_one_comes_in(phone: Phone, app_code) -> None:
    code = app_code()
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(phone.prove, [code] * 4)) == [False, False, False, True]


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "\x00" * 6, "\ud800", "x" * 10_000, "١٢٣٤٥٦"])
def test_what_is_no_code_is_wrong(phone: Phone, app_code, code: str) -> None:
    assert not phone.prove(code)


def test_a_code_may_be_typed_with_a_space(phone: Phone, app_code) -> None:
    code = app_code()
    assert phone.prove(f" {code[:3]} {code[3:]}\n")


def test_recovery_codes_are_ten_each_good_once_and_not_kept(phone: Phone, app_code, container: Container) -> None:
    assert len(set(phone.codes)) == 10
    assert all(re.fullmatch(r"[a-z2-9]{5}(-[a-z2-9]{5}){2}", code) for code in phone.codes)
    with container.database.read_session() as session:
        kept = " ".join(session.scalars(select(RecoveryCode.digest)))
    assert not [code for code in phone.codes if code in kept]
    assert phone.prove(phone.codes[3])
    assert not phone.prove(phone.codes[3])
    assert phone.prove(phone.codes[4].upper().replace("-", " "))
    with container.database.read_session() as session:
        assert recovery_codes.count_left(session, phone.account_id) == 8


def test_a_recovery_code_is_good_for_its_own_account_only(phone: Phone, app_code, container: Container) -> None:
    with container.database.unit_of_work() as session:
        other = accounts.create(session, "b@example.com", container.clock()).user_id
        assert not recovery_codes.use(session, other, phone.codes[0], container.clock())


def test_new_recovery_codes_end_the_old_ones(phone: Phone, app_code, container: Container) -> None:
    with container.database.unit_of_work() as session:
        fresh = totp.renew_recovery_codes(session, phone.account_id)
    assert not phone.prove(phone.codes[0])
    assert phone.prove(fresh[0])


def test_switched_off_nothing_of_it_is_left(phone: Phone, app_code, container: Container, clock: FakeClock) -> None:
    with container.database.unit_of_work() as session:
        totp.switch_off(session, phone.account_id, clock())
    account = phone.account()
    assert (account.totp_secret, account.totp_since, account.totp_last_step) == (None, None, None)
    assert not phone.prove(phone.codes[0])
    with container.database.unit_of_work() as session, pytest.raises(Conflict):
        totp.renew_recovery_codes(session, phone.account_id)


def test_under_another_secret_key_recovery_codes_still_let_in(phone: Phone, app_code, container: Container) -> None:
    container.vault = FernetVault("another secret key altogether")
    assert not phone.prove(app_code())
    assert phone.prove(phone.codes[0])
