"""Whom most tests begin with: an account with credits, a key or a sign-in.

The usual ones are made once a process and copied with the database: to make them takes more than many a test.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from flask import Flask

from app.container import Container
from app.models import Membership
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from app.settings import Settings
from tests import apps, databases
from tests.fakes import FakeClock
from tests.portal.person import PASSWORD, Person

SECRET_KEY = "s" * 32


@dataclass(frozen=True)
class Who:
    """Somebody to begin with: a program with a key, or a person who is signed in."""

    email: str
    amount: str = "100"
    staff: bool = False
    signs_in: bool = False


USUAL = {
    "jo": Who("jo@example.com"),
    "kim": Who("kim@example.com"),
    "pat": Who("pat@example.com", signs_in=True),
    "rae": Who("rae@example.com", "0", staff=True, signs_in=True),
}
"""By the name of the fixture that gives them."""


@dataclass(frozen=True)
class Known:
    """Somebody of whom the database holds all that they need."""

    email: str
    account_id: str
    user_id: str
    secret: str = ""
    """Of their key, where they are a program."""
    cookies: Mapping[str, str] = field(default_factory=dict)
    """Of their browser, where they are signed in."""

    def person(self, app: Flask) -> Person:
        """Them at their browser."""
        person = Person(app, self.email, self.account_id, self.user_id)
        for name, value in self.cookies.items():
            person.web.set_cookie(name, value)
        return person


def make(app: Flask, container: Container, who: Who) -> Known:
    """Let them have what they begin with."""
    secret, password = "", PASSWORD if who.signs_in else None
    with container.database.unit_of_work() as session:
        now = container.clock()
        member: Membership = accounts.create(
            session, who.email, now, name="Jo Agent", password=password, staff=who.staff
        )
        if Decimal(who.amount):
            credits.adjust(session, member.organization_id, Decimal(who.amount), "Opening balance", now)
        if not who.signs_in:
            _, secret = api_keys.create(session, member.organization_id, now)
    known = Known(who.email, member.organization_id, member.user_id, secret)
    if not who.signs_in:
        return known
    person = known.person(app)
    person.begin_signed_in()
    # WebTest quotes what it is given, each time.
    cookies = {name: value.strip('"') for name, value in person.web.cookies.items()}
    return replace(known, cookies=cookies)


class Beginnings:
    """SQLite databases in which some of the usual ones are already, made of the empty one when first wanted."""

    def __init__(self, empty: Path) -> None:
        self._folder = empty.parent
        self._made: dict[tuple[str, ...], tuple[Path, dict[str, Known]]] = {(): (empty, {})}

    def copy(self, wanted: Collection[str]) -> tuple[str, dict[str, Known]]:
        """A database with those wanted, each time at the same address; and who is in it."""
        names = tuple(name for name in USUAL if name in wanted)
        if names not in self._made:
            self._made[names] = self._make(names)
        template, known = self._made[names]
        return databases.copy_of(template, self._folder), known

    def _make(self, names: tuple[str, ...]) -> tuple[Path, dict[str, Known]]:
        url, _ = self.copy(())
        container = Container(settings_over(url, self._folder / "nothing"), FakeClock())
        app = apps.over(container)
        known = {name: make(app, container, USUAL[name]) for name in names}
        return databases.kept_as(url, self._folder / f"{'-'.join(names)}.db"), known


def settings_over(database_url: str, data_dir: Path) -> Settings:
    """Settings over this database and this folder."""
    return Settings(
        data_dir=data_dir,
        database_url=database_url,
        base_url="http://localhost",
        secret_key=SECRET_KEY,
        # No worker runs beside most tests.
        order_look_seconds=0,
    )
