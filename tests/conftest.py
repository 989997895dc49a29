"""What tests share: a container over a fresh database, a client with a key, photos that get worked on."""

import gc
import json
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from sqlalchemy import select
from werkzeug.test import TestResponse

from app import database
from app.container import Container
from app.domain.reviews import QcMode
from app.models import Revision
from app.services import audit
from app.services.accounts import logos, passwords
from app.services.accounts.logo_worker import LogoWorker
from app.services.photos import packs, photos, pictures
from app.services.photos.make_pictures import PictureWorker
from app.services.photos.pack_worker import PackWorker
from app.services.previews import outlooks, previews
from app.services.previews.outlook_worker import OutlookWorker
from app.services.previews.worker import PreviewWorker
from app.services.revisions import settlement
from app.settings import Settings
from tests import apps, budgets, databases, lanes, redis_server, together
from tests.beginnings import USUAL, Beginnings, Known, Who, make, settings_over
from tests.engine_share import EngineShare
from tests.fakes import FakeClock, FakeEngine, FakeListingPictureMaker, FakePreviewMaker, FakeQueue, photo
from tests.lanes import Lane
from tests.leftovers import Leftovers
from tests.times import Times

pytest_plugins = ["tests.buckets", "tests.journeys.whole"]
KNOWN = pytest.StashKey[dict[str, Known]]()
"""Who is in a test's database from the start."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The suite's own options."""
    lanes_of = [lane.value for lane in Lane]
    parser.addoption("--lane", choices=lanes_of, default=Lane.ALL.value, help="which tests run: tests/lanes.py")
    parser.addoption("--times", metavar="FILE", help="write the seconds of each folder there, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Every run says where its time went and what was dear, and tries the same generated cases."""
    config.pluginmanager.register(Times(), "times")
    config.pluginmanager.register(budgets.Accounts(config), "budgets")
    config.pluginmanager.register(EngineShare(config), "engine share")
    config.pluginmanager.register(Leftovers(), "leftovers")
    slow = [HealthCheck.too_slow]
    hypothesis_settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=slow)
    hypothesis_settings.load_profile("suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Load no file of which nothing is in the lane."""
    return Lane(config.getoption("--lane")).passes_over(collection_path) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not of the lane."""
    items[:], others = lanes.select(items, Lane(config.getoption("--lane")))
    config.hook.pytest_deselected(items=others)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through all that was imported, again and again: it costs a tenth.

    What the tests themselves leave it looks through more seldom: that costs another 4 %.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure() -> None:
    """Nor to go through all that the tests left, when the process is about to end."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process for each core; two of them where tests wait for services and browsers, as everything together does.

    The quick lane waits for little: with more it takes an eighth longer. Beside servers that work too it is half as
    many again.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    of_a_lane = {Lane.QUICK: cores, Lane.ALL: cores * 2}
    return of_a_lane.get(Lane(config.getoption("--lane")), cores * 3 // 2)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> together.Scheduling:
    """How a parallel run hands out its tests."""
    return together.Scheduling(config, log)


@pytest.fixture(scope="session", autouse=True)
def _kept_engines() -> Iterator[None]:
    """One engine an address for all tests: it keeps its compiled statements, which cost more than to run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "engine_for", cache(databases.unsynced(database.engine_for)))
        yield


@pytest.fixture(scope="session", autouse=True)
def _unsynced_files() -> Iterator[None]:
    """Files that wait for no disk, as databases do: what a test stores need not outlive the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Passwords hashed quickly: almost every test signs somebody in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str | Path]:
    """A migrated database: a server's URL, or the SQLite file to copy."""
    if databases.GIVEN:
        with databases.server_database(f"brightlist_{databases.WORKER}_{os.getpid()}") as url:
            yield url
        return
    template = tmp_path_factory.mktemp("template") / "template.db"
    databases.migrate_and_close(f"sqlite:///{template}")
    yield template


@pytest.fixture(scope="session")
def beginnings(migrated: str | Path) -> Beginnings | None:
    """Databases in which somebody is already; None on a server, where nothing can be copied."""
    return Beginnings(migrated) if isinstance(migrated, Path) else None


@pytest.fixture
def database_url(
    request: pytest.FixtureRequest, migrated: str, beginnings: Beginnings | None, clock: FakeClock
) -> str:
    """A database with tables and no rows but of whom the test begins with, each time at the same address."""
    if beginnings is None:
        databases.empty(migrated)
        return migrated
    # Whoever is in a copy came at the time at which the usual clock stands.
    wanted = request.fixturenames if clock() == FakeClock()() else ()
    url, request.node.stash[KNOWN] = beginnings.copy(wanted)
    return url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis: the server TEST_REDIS_URL names, or the embedded one."""
    if databases.GIVEN_REDIS:
        yield databases.own_redis()
        return
    with redis_server.run_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
def clock() -> FakeClock:
    """The time, standing still until a test moves it."""
    return FakeClock()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings over the test's own folder and database."""
    return settings_over(database_url, tmp_path / "data")


@pytest.fixture
def container(settings: Settings, clock: FakeClock) -> Iterator[Container]:
    """The running parts, real but for clock, queue and engine. After the test, money and files must agree."""
    container = Container(settings, clock)
    container.queue, container.engine, container.previews = FakeQueue(), FakeEngine(), FakePreviewMaker()
    container.listing_pictures = FakeListingPictureMaker()
    yield container
    # A thread that goes on to write holds SQLite at any moment, also at that of a fork by a later test.
    renewals = container.renewals
    for use in list(renewals._added_at):
        renewals.remove(use)
    with container.database.read_session() as session:
        mismatches = list(audit.find_mismatches(session, container.storage))
    container.database.engine.dispose()
    assert mismatches == []


@pytest.fixture
def app(container: Container) -> Flask:
    """The application over the container."""
    return apps.over(container)


@dataclass
class Api:
    """A client of the API that holds a key."""

    client: FlaskClient
    account_id: str
    secret: str

    def call(self, method: str, path: str, **options: Any) -> TestResponse:
        """Ask, and hold every answer to what all answers share."""
        headers = {"Authorization": f"Bearer {self.secret}", **options.pop("headers", {})}
        answer = self.client.open(f"/api/v1{path}", method=method, headers=headers, **options)
        assert answer.headers["X-Request-Id"]
        assert answer.mimetype == "application/json", answer.text
        return answer

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        if body is not None:
            options["data"] = json.dumps(body)
        return self.call("POST", path, **options)

    def put(self, url: str, content: bytes, **options: Any) -> TestResponse:
        return self.client.put(url.removeprefix("http://localhost"), data=content, **options)

    def upload(self, interior: list[bytes] = (), exterior: list[bytes] = ()) -> dict[str, Any]:
        """Upload photos and return what an order for them needs."""
        counts = {"interiorCount": len(interior), "exteriorCount": len(exterior)}
        room = self.post("/orders/upload-urls", counts).json
        for targets, contents in ((room["interiorUrls"], interior), (room["exteriorUrls"], exterior)):
            for target, content in zip(targets, contents, strict=True):
                assert self.put(target["uploadUrl"], content).status_code == 200
        files = {f"{t}Files": [{"filePath": each["filePath"]} for each in room[f"{t}Urls"]] for t in TYPES}
        return {"uploadSessionId": room["uploadSessionId"], **{k: v for k, v in files.items() if v}}

    def order(self, interior: list[bytes] = (), exterior: list[bytes] = (), **fields: Any) -> dict[str, Any]:
        """Place an order for these photos and return its result."""
        body = {**order_body(bool(interior), bool(exterior)), **self.upload(interior, exterior), **fields}
        answer = self.post("/orders/from-uploads", body)
        assert answer.status_code == 200, answer.text
        return answer.json

    def status(self, job_id: str) -> dict[str, Any]:
        return self.get(f"/jobs/{job_id}/status").json

    def credits(self) -> float:
        return self.get("/user/credits").json["credits"]


TYPES = ("interior", "exterior")


def order_body(interior: bool = True, exterior: bool = False) -> dict[str, Any]:
    """An order's fields without its files."""
    service = "both" if interior and exterior else "interior" if interior else "exterior"
    body: dict[str, Any] = {"address": "12 Garden Lane, Springfield, IL 62704", "serviceType": service}
    if interior:
        body["interiorEnhancements"] = ["hdr_enhancement"]
    if exterior:
        body["exteriorEnhancements"] = ["sky_enhancement"]
    return body


def api_of(app: Flask, program: Known) -> Api:
    """The client of a program."""
    return Api(app.test_client(), program.account_id, program.secret)


def new_api(app: Flask, container: Container, email: str, amount: str = "100") -> Api:
    """A client with an account of its own."""
    return api_of(app, make(app, container, Who(email, amount)))


def usual(name: str) -> Callable[..., Known]:
    """A fixture of somebody whom many tests begin with, as the database has them already or made now."""

    def give(request: pytest.FixtureRequest, app: Flask, container: Container) -> Known:
        known = request.node.stash.get(KNOWN, {}).get(name)
        return known or make(app, container, USUAL[name])

    return pytest.fixture(give, name=name)


jo, kim, pat, rae = map(usual, USUAL)


@pytest.fixture
def api(app: Flask, jo: Known) -> Api:
    """A client whose account has 100 credits."""
    return api_of(app, jo)


@pytest.fixture
def other_api(app: Flask, kim: Known) -> Api:
    """Somebody else's client."""
    return api_of(app, kim)


def photo_worker(container: Container, automatic: bool = True, mode: QcMode | None = None) -> PictureWorker:
    """The work on pictures as a worker does it, without a watch; `mode` where it is not said by `automatic`."""
    parts = (container.database, container.storage, container.engine, container.open_release)
    more = (settlement.settle, container.call_limits, container.imagery, container.credentials)
    mode = mode or (QcMode.AUTO if automatic else QcMode.MANUAL)
    watched = (container.listing_pictures, container.clock, lambda *_: nullcontext())
    return PictureWorker(*parts, *watched, mode, *more)


def work(container: Container, automatic: bool = True, mode: QcMode | None = None) -> int:
    """Work on every photo that is due, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = photos.due(session, container.clock(), 1000)
    for photo_id in due:
        photo_worker(container, automatic, mode).process(photo_id)
    return len(due)


def preview_worker(container: Container) -> PreviewWorker:
    """The work on previews as a worker does it, without a watch."""
    parts = (container.storage, container.previews, container.listing_pictures, container.credentials)
    return PreviewWorker(container.database, container.clock, lambda _: nullcontext(), *parts)


def encode_logos(container: Container) -> None:
    """Make every logo that is due, as workers would."""
    with container.database.read_session() as session:
        due = logos.QUEUE.due(session, container.clock(), 1000)
    for account_id in due:
        parts = (container.database, container.clock, lambda _: nullcontext())
        LogoWorker(*parts, container.encode_logo).make(account_id)


def develop(container: Container) -> int:
    """Make every preview that is due, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = previews.QUEUE.due(session, container.clock(), 1000)
    for source_key in due:
        preview_worker(container).make(source_key)
    return len(due)


def look(container: Container) -> int:
    """Read every outlook that is due, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = outlooks.QUEUE.due(session, container.clock(), 1000)
    for outlook_id in due:
        parts = (container.database, container.clock, lambda _: nullcontext())
        OutlookWorker(*parts, container.storage, container.outlooks).make(outlook_id)
    return len(due)


def remake(container: Container) -> int:
    """Make every picture that is due besides the first ones, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = pictures.QUEUE.due(session, container.clock(), 1000)
    for picture_id in due:
        photo_worker(container).make(picture_id)
    return len(due)


def revision_worker(container: Container) -> SimpleNamespace:
    """The work on results sent back, to `make` by the ids of their rounds."""

    def make(revision_id: str) -> None:
        with container.database.read_session() as session:
            picture_id = session.scalar(select(Revision.made_id).where(Revision.id == revision_id))
        photo_worker(container).make(picture_id or "")

    return SimpleNamespace(make=make)


def revise(container: Container) -> int:
    """Make what open rounds wait for and is due, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = pictures.QUEUE.due(session, container.clock(), 1000)
        waiting = select(Revision.made_id).where(Revision.made_id.in_(due), Revision.outcome.is_(None))
        found = session.scalars(waiting.order_by(Revision.created_at)).all()
    for picture_id in found:
        photo_worker(container).make(picture_id or "")
    return len(found)


def pack_worker(container: Container) -> PackWorker:
    """The work on packs as a worker does it, without a watch."""
    parts = (container.storage, container.listing_pictures, container.settings.base_url)
    return PackWorker(container.database, container.clock, lambda _: nullcontext(), *parts)


def pack_up(container: Container) -> int:
    """Make every pack that is due, as workers would; how many there were."""
    with container.database.read_session() as session:
        due = packs.QUEUE.due(session, container.clock(), 1000)
    for pack_id in due:
        pack_worker(container).make(pack_id)
    return len(due)


PHOTO = photo()
