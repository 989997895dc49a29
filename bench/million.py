"""What pages, API and workers take on PostgreSQL at a thousand orders and at a million, asked in turns in one run.

    python -m bench.million --database postgresql://… [--jobs 1000000] [--rounds 60]

Makes two databases on that server and drops them; a million orders with all that belongs to them take 2 GB and a
few minutes. As many orders wait in one as in the other (tests.crowds): what is compared is what the settled ones
cost. Times are by the clock, of whole requests in this process without a socket, for the server works in others.
Aims: at most 1.3 times as long at a million, and a search that finds nothing at most twice as long as one that
finds something. Ends with 1 where one is missed.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from flask.testing import FlaskClient
from sqlalchemy import text, update
from sqlalchemy.orm import Session

from app.application import create_app
from app.container import Container
from app.domain.ports import QueueName
from app.migrations import migrate
from app.models import User
from app.services.accounts import passwords
from app.services.mail import outbox
from app.services.orders import jobs
from app.services.photos import photos
from app.services.previews import previews
from app.services.retention import expiry
from app.services.security import api_keys
from app.services.webhooks import deliveries
from app.settings import Settings
from bench.ledger_pages import get, signed_in
from bench.pages import PASSWORD, person
from bench.soak.places import fresh_database
from bench.tables import say_where, show
from engine.types.enhancements import WorkSize
from tests import crowds
from tests.conftest import Api
from tests.fakes import FakeClock, FakeQueue

FEW = 1000
MOST, MOST_OF_SEARCH = 1.3, 2.0
NOW = crowds.later(60)
Ask = Callable[[], object]
PAGES = {
    "orders: the newest": "/orders",
    "orders: a page further down": f"/orders?before=job_{500:022d}",
    "orders: one status": "/orders?status=delivered",
    "search that finds many": "/orders?q=garden+lane",
    "search that finds a few": "/orders?q=990+garden",
    "search that finds none": "/orders?q=nowhere",
    "one order": f"/properties/job_{50:022d}",
}
STAFF = {
    "staff: jobs": "/staff/jobs",
    "staff: jobs that failed": "/staff/jobs?status=failed",
    "staff: jobs of an account": f"/staff/jobs?q={crowds.BUSY}",
    "staff: jobs by address": "/staff/jobs?q=99+garden",
    "staff: accounts": "/staff/accounts",
    "staff: deliveries": "/staff/deliveries",
    "staff: queue": "/staff/queue",
}
WORK: dict[str, Callable[[Session], object]] = {
    "worker: whose turn it is": lambda s: photos.next_due(s, NOW, WorkSize.LIGHT),
    "worker: claim a photo": lambda s: photos.claim(s, f"pho_{1:022d}", NOW),
    "worker: claim a mail": lambda s: outbox.claim(s, f"mai_{1:022d}", NOW),
    "sweep: photos that are due": lambda s: photos.due(s, NOW, 100, WorkSize.LIGHT),
    "sweep: mails that are due": lambda s: outbox.QUEUE.due(s, NOW, 100),
    "sweep: previews that are due": lambda s: previews.QUEUE.due(s, NOW, 100),
    "sweep: deliveries that are due": lambda s: deliveries.due(s, NOW, 100, QueueName.HOOKS_FAST),
    "sweep: jobs out of time": lambda s: jobs.list_overdue(s, NOW),
    "sweep: files to be removed": expiry.list_unpurged,
}


@contextmanager
def filled(server: str, count: int, folder: Path) -> Iterator[Container]:
    """The running parts over a database with so many orders."""
    with fresh_database(server, folder) as url:
        limits = {"rate_limit_reads": 1_000_000}
        settings = Settings(
            data_dir=folder, base_url="http://localhost", secret_key="s" * 32, database_url=url, **limits
        )
        container = Container(settings, FakeClock())
        container.queue = FakeQueue()
        migrate(container.database)
        start = perf_counter()
        with container.database.engine.begin() as connection:
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            crowds.fill(connection, count)
        with container.database.engine.connect() as connection:
            alone = connection.execution_options(isolation_level="AUTOCOMMIT")
            alone.execute(text("SET statement_timeout = 0"))
            alone.execute(text("VACUUM (ANALYZE)"))
        print(f"{count:,} orders are there after {perf_counter() - start:.0f} s", flush=True)
        try:
            yield container
        finally:
            container.database.engine.dispose()


def asks(container: Container) -> dict[str, Ask]:
    """Everything there is to ask for."""
    app = create_app(container=container)
    with container.database.unit_of_work() as session:
        kept = passwords.digest(PASSWORD)
        session.execute(update(User).where(User.id == crowds.BUSY).values(password_hash=kept))
        _, secret = api_keys.create(session, crowds.BUSY, container.clock())
    busy = signed_in(app, "p1@example.com")
    staff = person(app, container, "staff@example.com", staff=True).browser
    api = Api(app.test_client(), crowds.BUSY, secret)
    statuses = {"API: status": lambda: api.get(f"/jobs/job_{10:022d}/status").data}
    return {**statuses, **_pages(busy, PAGES), **_pages(staff, STAFF), **_work(container)}


def _pages(browser: FlaskClient, paths: dict[str, str]) -> dict[str, Ask]:
    return {name: lambda path=path: get(browser, path) for name, path in paths.items()}  # type: ignore[misc]


def _work(container: Container) -> dict[str, Ask]:
    def undone(act: Callable[[Session], object]) -> None:
        with container.database.read_session() as session:
            act(session)

    return {name: lambda act=act: undone(act) for name, act in WORK.items()}  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Compared:
    """Seconds that both took, round by round."""

    few: list[float]
    many: list[float]

    def ratio(self, of: Callable[[list[float]], float]) -> float:
        """How many times as long the many took."""
        return of(self.many) / of(self.few)

    def row(self, name: str) -> tuple[str, ...]:
        """The line of the table."""
        medians = (f"{median(each) * 1000:.1f}" for each in (self.few, self.many))
        return (name, *medians, f"{self.ratio(median):.2f}", f"{self.ratio(quickest):.2f}")


def quickest(seconds: list[float]) -> float:
    """The tenth round of a hundred, by speed: what it takes where nothing else wants the machine."""
    return quantiles(seconds, n=10, method="inclusive")[0]


def compared(few: Ask, many: Ask, rounds: int) -> Compared:
    """Both in turns, so many rounds."""
    for ask in (few, many):
        ask()
    took: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        # Who is asked first meets colder caches.
        for side in (0, 1) if number % 2 else (1, 0):
            start = perf_counter()
            (few, many)[side]()
            took[side].append(perf_counter() - start)
    return Compared(*took)


def main(argv: Sequence[str]) -> int:
    """Every comparison in a table; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.million")
    parser.add_argument("--database", required=True, metavar="URL", help="postgresql://… of a server")
    parser.add_argument("--jobs", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=60)
    asked = parser.parse_args(argv)
    say_where()
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / each for each in ("few", "many")]
        with (
            filled(asked.database, FEW, folders[0]) as few,
            filled(asked.database, asked.jobs, folders[1]) as many,
        ):
            sides = asks(few), asks(many)
            found = {name: compared(ask, sides[1][name], asked.rounds) for name, ask in sides[0].items()}
    head = ("", f"{FEW:,} orders, ms", f"{asked.jobs:,}, ms", "ratio", "of the quickest")
    show(f"Median of {asked.rounds} rounds", head, [each.row(name) for name, each in found.items()])
    nothing, something = (median(found[f"search that finds {each}"].many) for each in ("none", "a few"))
    print(f"\na search that finds none takes {nothing / something:.2f} times one that finds a few")
    most = {name: MOST_OF_SEARCH if "search" in name else MOST for name in found}
    missed = [name for name, each in found.items() if each.ratio(median) > most[name]]
    missed += ["search that finds none"] if nothing / something > MOST_OF_SEARCH else []
    print(f"aims missed: {', '.join(missed) or 'none'}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
