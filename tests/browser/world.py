"""A small world to look at: people, and the parts that serve them, over a database and a folder of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import numpy as np
import pyotp
from flask import Flask
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from app.application import create_app
from app.container import Container
from app.domain.ports import Engine
from app.models import User
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from app.settings import Settings
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced
from engine.types.pictures import Picture as Made
from engine.types.report import Figure, Reason
from tests import scenes
from tests.browser.previews import KeptPreviews
from tests.browser.site import Site
from tests.browser.visits import Visits
from tests.conftest import Api
from tests.engine.rooms import ROOMS
from tests.fakes import FakeClock, FakeEngine, FakeQueue

PASSWORD = "correct horse battery"
PLENTY = 1_000_000
WIDTH, SMALL = 900, 240
"""Of the photos, in pixels."""
NAMES = {"interior": ("living-room.jpg", "bedroom.jpg", "kitchen.jpg"), "exterior": ("front.jpg",)}
NOWHERE = "http://127.0.0.1:9/v1"
"""Stands for a picture server where none is asked."""


class Day(StrEnum):
    """When one looks: before anything happened, or in the middle of everything."""

    FIRST = "first"
    BUSY = "busy"


class Who(StrEnum):
    """Those who look at pages."""

    NOBODY = "nobody"
    CUSTOMER = "pat@example.com"
    NEWCOMER = "nia@example.com"
    STAFF = "rae@example.com"
    CAREFUL = "cora@example.com"
    COLLEAGUE = "sam@example.com"
    TEAM = "tina@example.com"
    READER = "rita@example.com"


@dataclass
class LightTable(FakeEngine):
    """Does what the markers in a photo say like FakeEngine, and gives a picture one can see was worked on."""

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        made = super().enhance(photo, request, context)
        if made.picture is None:
            return made
        better = np.clip(_lit(scenes.decoded(made.picture.content), context), 0, 255).astype(np.uint8)
        picture = Made(scenes.encoded(better, quality=85), "image/jpeg", better.shape[1], better.shape[0])
        figures = (
            Figure(code="size_kept", value=1, minimum=1, fault=Reason.SIZE_CHANGED),
            Figure(code="clipped_share", value=0.012, maximum=0.08, fault=Reason.CLIPPED),
        )
        return Enhanced(picture, replace(made.report, figures=figures))


def _lit(photo: np.ndarray, context: EngineContext) -> np.ndarray:
    return photo * (1 + 0.18 * context.strength) + 6 + 3 * context.photo_seed


@cache
def outside(marker: str = "", width: int = WIDTH) -> bytes:
    """A photo of a house, with a marker for the engine."""
    return scenes.encoded(scenes.house(width, width * 2 // 3), quality=85) + marker.encode()


@cache
def inside(number: int = 0, marker: str = "", width: int = WIDTH) -> bytes:
    """A photo of a room, with a marker for the engine."""
    return scenes.encoded(ROOMS[number % len(ROOMS)].drawn(width, width * 2 // 3), quality=85) + marker.encode()


class Customer(Api):
    """Somebody's account and their key, on whatever port their world is."""

    def put(self, url: str, content: bytes, **options: Any) -> TestResponse:
        return super().put(url.removeprefix(f"http://{urlsplit(url).netloc}"), content, **options)

    def upload(self, interior: list[bytes] = (), exterior: list[bytes] = ()) -> dict[str, Any]:
        files = super().upload(interior, exterior)
        for kind, names in NAMES.items():
            for place, file in enumerate(files.get(f"{kind}Files", [])):
                file["fileName"] = names[place % len(names)]
        return files


@dataclass
class World:
    """The parts, the people by who they are, and what was seeded, by name."""

    container: Container
    app: Flask
    site: Site
    people: dict[Who, Customer] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    photos: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    kept: dict[Who, dict[str, Any]] = field(default_factory=dict)

    @property
    def clock(self) -> FakeClock:
        """The time, standing still until it is moved."""
        assert isinstance(self.container.clock, FakeClock)
        return self.container.clock

    def person(self, who: Who, amount: str = "100", name: str = "Pat Agent") -> Customer:
        """An account with a password, credits and a key."""
        staff, now = who in (Who.STAFF, Who.COLLEAGUE), self.container.clock()
        with self.container.database.unit_of_work() as session:
            made = accounts.create(session, who, now, name=name, password=PASSWORD, staff=staff)
            if Decimal(amount):
                credits.adjust(session, made.organization_id, Decimal(amount), "Opening balance", now)
            _, secret = api_keys.create(session, made.organization_id, now)
            self.people[who] = Customer(self.app.test_client(), made.organization_id, secret)
        return self.people[who]

    def code_of(self, who: Who) -> str:
        """What their app shows."""
        with self.container.database.read_session() as session:
            account = session.get_one(User, self.people[who].account_id)
            assert account.totp_secret is not None
            return pyotp.TOTP(self.container.vault.open(account.totp_secret)).at(self.clock())

    def window(self, visits: Visits, who: Who, **options: Any) -> Page:
        """A window in which they are signed in; the form is filled in once and the cookies kept."""
        if who is not Who.NOBODY and who not in self.kept:
            page = visits(base_url=self.site.url)
            sign_in(page, who)
            if "/sign-in/code" in page.url:
                page.locator("input[name=code]").fill(self.code_of(who))
                page.get_by_role("button", name="Continue").click()
                page.wait_for_url(lambda url: "/sign-in" not in url)
            self.kept[who] = page.context.storage_state()
        return visits(base_url=self.site.url, storage_state=self.kept.get(who), **options)


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    """Sign in by the form, wherever the page asks for it."""
    if "/sign-in" not in page.url:
        page.goto("/sign-in")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url or "/sign-in/code" in url)


def _break() -> str:
    raise RuntimeError("a page that breaks, to see what comes then")


@contextmanager
def living(folder: Path, database_url: str, engine: Engine | None = None, **settings: Any) -> Iterator[World]:
    """A world without people, at an address of its own until the block is left; its settings may be given.

    Its engine is a LightTable unless another is given.
    """
    with Site().running() as site:
        limits = dict.fromkeys(("rate_limit_reads", "rate_limit_writes", "rate_limit_sign_ins"), PLENTY)
        given = {"data_dir": folder, "database_url": database_url, "base_url": site.url, "secret_key": "s" * 32}
        # No worker runs beside, so an order need not wait for one that looks at its files.
        offers = {"generative_url": NOWHERE, "demo_payments": True, "order_look_seconds": 0}
        container = Container(Settings(**{**given, **limits, **offers, **settings}), FakeClock())
        container.queue, container.engine = FakeQueue(), engine or LightTable()
        container.previews = KeptPreviews(container.previews)
        site.app = create_app(container=container)
        site.app.testing = False
        site.app.add_url_rule("/broken", view_func=_break)
        try:
            yield World(container, site.app, site)
        finally:
            container.database.engine.dispose()
