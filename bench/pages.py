"""Server time and SQL statements of the portal's pages, each against an empty Flask view asked in the same breath.

Usage: python -m bench.pages

On a file of SQLite with a million orders, a tenth of them one account's. Times are of whole requests inside this
process, without a socket: sign-in, queries, template.
"""

import gzip
import re
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, thread_time
from typing import BinaryIO

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from app.application import create_app
from app.container import Container
from app.migrations import migrate
from app.models import Job
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.orders import drafts, reorders
from app.services.security import api_keys
from app.settings import Settings
from bench.empty_view import application
from bench.queries import Statements
from bench.tables import say_where, show
from engine.quality.limits import LIMITS
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced
from engine.types.report import Figure
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, FakeEngine, FakeQueue

JOBS, SHARE = 1_000_000, 10
PHOTOS = 50
ROUNDS = 100
PASSWORD = "correct horse battery"


class MeasuringEngine(FakeEngine):
    """Gives every result the figures of a real one, so that pages are as long as they will be."""

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """The photo as it came, with its figures."""
        made = super().enhance(photo, request, context)
        figures = tuple(
            Figure(code=name, value=0.9, minimum=limit.minimum, maximum=limit.maximum, fault=limit.fault)
            for name, limit in LIMITS.items()
        )
        return Enhanced(made.picture, replace(made.report, figures=figures))


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in browser, and the account's program."""

    browser: FlaskClient
    api: Api


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it is asked for."""

    name: str
    person: Person
    path: str
    fragment: bool = False

    def ask(self) -> bytes:
        """The page, which must come."""
        headers = {"HX-Request": "true"} if self.fragment else {}
        answer = self.person.browser.get(self.path, headers=headers)
        if answer.status_code != 200:
            raise RuntimeError(f"{self.path}: {answer.status}")
        return answer.data


@contextmanager
def fresh(folder: Path) -> Iterator[tuple[Flask, Container]]:
    """The application over an empty database in a file."""
    settings = Settings(data_dir=folder, base_url="http://localhost", secret_key="s" * 32)
    container = Container(settings, FakeClock())
    container.queue, container.engine = FakeQueue(), MeasuringEngine()
    migrate(container.database)
    app = create_app(container=container)
    try:
        yield app, container
    finally:
        container.database.engine.dispose()


def person(app: Flask, container: Container, email: str, *, staff: bool = False) -> Person:
    """Somebody with an account, signed in."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock(), name="Jo", password=PASSWORD, staff=staff)
        credits.adjust(session, member.organization_id, 1000, "Opening balance", container.clock())
        _, secret = api_keys.create(session, member.organization_id, container.clock())
    browser = app.test_client()
    token = re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', browser.get("/sign-in").text)[0]
    answer = browser.post("/sign-in", data={"email": email, "password": PASSWORD, "csrf_token": token})
    if answer.status_code != 303:
        raise RuntimeError(f"signing in: {answer.status}")
    return Person(browser, Api(app.test_client(), member.organization_id, secret))


def crowd(session: Session, model_id: str, busy_id: str, others_id: str) -> None:
    """JOBS copies of one order, one in SHARE the busy account's, each a second older than the one before."""
    own = {
        "id": "printf('job_%022d', i)",
        "upload_session_id": "printf('ups_%022d', i)",
        "account_id": f"CASE WHEN i % {SHARE} THEN '{others_id}' ELSE '{busy_id}' END",
        "address": "i || ' Garden Lane, Springfield, IL 62704'",
        "created_at": "strftime('%Y-%m-%d %H:%M:%f000', created_at, '-' || i || ' seconds')",
    }
    columns = [column.name for column in Job.__table__.columns]
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {JOBS})"
    values = ", ".join(own.get(name, name) for name in columns)
    copies = f"{numbers} SELECT {values} FROM job, n WHERE id = '{model_id}'"
    session.connection().exec_driver_sql(f"INSERT INTO job ({', '.join(columns)}) {copies}")


def pages(app: Flask, container: Container) -> list[Page]:
    """Everything there is to ask for, over a full database."""
    newcomer, busy, careful, staff = (
        person(app, container, f"{name}@example.com", staff=name == "staff")
        for name in ("newcomer", "busy", "careful", "staff")
    )
    newcomer.api.order([PHOTO])
    chosen = {"interiorEnhancements": ["declutter", "virtual_staging", "hdr_enhancement"]}
    job_id = careful.api.order([PHOTO] * PHOTOS, **chosen)["jobId"]
    work(container)
    model_id = busy.api.order([PHOTO])["jobId"]
    work(container)
    running = careful.api.order([PHOTO] * PHOTOS, **chosen)["jobId"]
    again = (container.database, container.storage, careful.api.account_id, job_id)
    draft_id = reorders.make_draft(*again, container.upload_quota, container.clock())
    with container.database.unit_of_work() as session:
        crowd(session, model_id, busy.api.account_id, staff.api.account_id)
        drafts.begin(session, busy.api.account_id, container.upload_quota, container.clock())
    oldest = f"job_{SHARE * 30:022d}"
    middle = f"job_{JOBS // 2:022d}"
    return [
        Page("orders, 1 of them", newcomer, "/orders"),
        Page("orders, 100,000 of them", busy, "/orders"),
        Page("  a page in the middle", busy, f"/orders?before={middle}"),
        Page("  and back", busy, f"/orders?after={middle}"),
        Page("  one status", busy, "/orders?status=approved"),
        Page("  a search that finds many", busy, "/orders?q=garden+lane", fragment=True),
        Page("  a search that finds the last", busy, f"/orders?q={JOBS}+garden", fragment=True),
        Page("  a search that finds none", busy, "/orders?q=nowhere", fragment=True),
        Page(f"order, {PHOTOS} photos, done", careful, f"/properties/{job_id}"),
        Page(f"order, {PHOTOS} photos, running: a poll", careful, f"/properties/{running}/news", fragment=True),
        Page(f"one of {PHOTOS} photos", careful, one_photo(container, job_id)),
        Page(f"board, {PHOTOS} photos", careful, f"/properties/{draft_id}"),
        Page(f"board, {PHOTOS} photos: after a change", careful, f"/properties/{draft_id}", fragment=True),
        Page("account", careful, "/account"),
        Page("queue of reviews", staff, "/reviews"),
        Page("an older order", busy, f"/properties/{oldest}"),
    ]


def one_photo(container: Container, job_id: str) -> str:
    """The page of the order's first photo."""
    with container.database.read_session() as session:
        return f"/properties/{job_id}/photos/{session.get_one(Job, job_id).photos[0].id}"


def seconds(ask: Callable[[], object]) -> tuple[float, float]:
    """How long it takes once: by the clock, and of the processor alone, which others' work disturbs far less."""
    start, began = perf_counter(), thread_time()
    ask()
    return perf_counter() - start, thread_time() - began


def measured(page: Page, statements: Statements) -> tuple[object, ...]:
    """The line of one page: it and the empty view take turns, so that both meet the same machine."""
    floor = application.test_client()
    page.ask()
    rounds = [(seconds(page.ask), seconds(lambda: floor.get("/"))) for _ in range(ROUNDS)]
    by_clock = statistics.median(page_took for (page_took, _), _ in rounds)
    worked, least = (statistics.median(each[side][1] for each in rounds) for side in (0, 1))
    return (
        page.name,
        f"{by_clock * 1000:.1f}",
        f"{worked * 1000:.1f}",
        f"{worked / least:.0f}",
        statements.of(page.ask),
        f"{len(gzip.compress(page.ask(), 9)) / 1000:.1f}",
    )


def main() -> None:
    """Every page in a table."""
    say_where()
    with tempfile.TemporaryDirectory() as folder, fresh(Path(folder)) as (app, container):
        every = pages(app, container)
        statements = Statements()
        rows = [measured(page, statements) for page in every]
    head = ("", "ms", "processor ms", "times empty view", "statements", "kB gz")
    show(f"Pages over {JOBS:,} orders, {ROUNDS} rounds", head, rows)
    middle = (statistics.median(float(str(row[column])) for row in rows) for column in (1, 2))
    print("the median page: {:.1f} ms, of the processor {:.1f}".format(*middle))


if __name__ == "__main__":
    main()
