"""The tables move on while the release before still serves: nothing is lost, and nobody is refused.

    python -m bench.soak upgrades [--count 60] [--seed S] [--database postgresql://…]

The release before is the last commit whose migrations are others than those of this checkout; its code is taken
from git. It fills a database, this code migrates that under it, the old code goes on to take orders and finish
jobs, and then the new code takes over. Aims: no row lost, no ledger line changed, no 5xx, every picture as it was.
"""

import argparse
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import requests
from sqlalchemy import MetaData, select
from sqlalchemy.engine import Engine

from app.database import engine_for
from app.migrations import migrate
from app.models import LedgerLine
from app.settings import load_settings
from bench.soak.places import fresh_database
from bench.tables import say_where, show
from tests import scenes
from tests.journeys.service import ROOT, Client, Service

MIGRATIONS = "app/migrations/versions"
OWNER = "soak@example.com"
LEDGER = LedgerLine.__tablename__
SETTLE_SECONDS = 1200
MEANWHILE = 20
"""So many times as many orders as usual may come in while the tables move on, where that takes long."""
SETTLED = ("approved", "delivered", "undeliverable", "failed")
Rows = dict[str, set[tuple[Any, ...]]]


def _git(*words: str) -> bytes:
    return subprocess.run(("git", *words), cwd=ROOT, check=True, capture_output=True).stdout


def _migrations_at(commit: str) -> set[str]:
    return set(_git("ls-tree", "--name-only", commit, f"{MIGRATIONS}/").decode().split())


def release_before() -> str:
    """The last commit whose migrations are others than those that lie here; of branches only their merge counts."""
    here = {f"{MIGRATIONS}/{path.name}" for path in (ROOT / MIGRATIONS).glob("*.py")}
    touching = _git("log", "--first-parent", "--format=%H", "--", MIGRATIONS).decode().split()
    # The history of some checkouts is cut short; a commit without its parent tells nothing.
    parents = _git("rev-parse", "HEAD", *(f"{commit}^" for commit in touching[:-1])).decode().split()
    return next(commit for commit in parents if _migrations_at(commit) != here)


def unpacked(commit: str, folder: Path) -> Path:
    """The code of the commit, able to run."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
        archive.extractall(folder, filter="data")
    vendor = folder / "static" / "vendor"
    if not vendor.exists():
        vendor.symlink_to(ROOT / "static" / "vendor")
    return folder


@dataclass
class Traffic:
    """A customer who orders one picture after the other, whoever serves; every answer is counted."""

    client: Client
    random: Random
    answers: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)

    def call(self, method: str, path: str, **options: Any) -> requests.Response:
        """One request; no second try, as there is for a service that is killed."""
        url = path if path.startswith("http") else f"{self.client.url}{path}"
        answer = self.client.session.request(method, url, timeout=120, **options)
        self.answers[answer.status_code] += 1
        if not answer.ok:
            self.wrong.append(f"{method} {path} {answer.status_code} {answer.text[:300]}")
        return answer

    def order(self) -> None:
        """Upload a picture of this order's own, and order."""
        upload_session = self.call("POST", "/orders/upload-urls", json={"interiorCount": 1}).json()
        (target,) = upload_session["interiorUrls"]
        side = self.random.randrange(64, 200)
        self.call("PUT", target["uploadUrl"], data=scenes.encoded(scenes.room(side + 40, side)))
        body = {
            "address": f"{self.random.randrange(1, 999)} Garden Lane, Springfield, IL 62704",
            "serviceType": "interior",
            "uploadSessionId": upload_session["uploadSessionId"],
            "interiorFiles": [{"filePath": target["filePath"]}],
            "interiorEnhancements": [self.random.choice(["hdr_enhancement", "declutter"])],
        }
        self.jobs.append(self.call("POST", "/orders/from-uploads", json=body).json()["jobId"])

    def settle(self) -> None:
        """Wait until every job has an end."""
        deadline = time.monotonic() + SETTLE_SECONDS
        waiting = list(self.jobs)
        while waiting:
            statuses = {job_id: self.call("GET", f"/jobs/{job_id}/status").json()["status"] for job_id in waiting}
            self.wrong += [f"{job_id} failed" for job_id, status in statuses.items() if status == "failed"]
            waiting = [job_id for job_id, status in statuses.items() if status not in SETTLED]
            if time.monotonic() > deadline:
                self.wrong += [f"{job_id} did not settle: {statuses[job_id]}" for job_id in waiting]
                return
            time.sleep(0.5)

    @contextmanager
    def going(self, most: int) -> Iterator[None]:
        """Order one after the other, so many at most, until the block is left."""
        done = threading.Event()

        def go() -> None:
            for _ in range(most):
                if done.is_set():
                    return
                try:
                    self.order()
                except (requests.RequestException, KeyError, ValueError) as error:
                    self.wrong.append(f"an order broke: {error!r}")

        thread = threading.Thread(target=go)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def pictures(self) -> dict[str, list[str]]:
        """What every job that has pictures gives, by their digests."""
        found = {}
        for job_id in self.jobs:
            status = self.call("GET", f"/jobs/{job_id}/status").json()["status"]
            if status in ("approved", "delivered"):
                images = self.call("GET", f"/downloads/{job_id}").json()["images"]
                files = [self.call("GET", image["url"]).content for image in images]
                found[job_id] = [hashlib.sha256(each).hexdigest() for each in files]
        return found


def rows(engine: Engine) -> Rows:
    """The primary keys of every table; of the ledger whole lines."""
    tables = MetaData()
    with engine.connect() as connection:
        tables.reflect(connection)
        return {
            name: {tuple(row) for row in connection.execute(select(*_told(name, table)))}
            for name, table in tables.tables.items()
        }


def _told(name: str, table: Any) -> list[Any]:
    columns = [each for each in table.columns if each.primary_key] if name != LEDGER else list(table.columns)
    return sorted(columns, key=lambda column: column.name)


def lost(before: Rows, after: Rows) -> dict[str, int]:
    """How many rows of each table are gone, or of the ledger changed."""
    gone = {name: len(keys - after.get(name, set())) for name, keys in before.items()}
    return {name: many for name, many in gone.items() if many and name != "alembic_version"}


def _account(service: Service) -> Client:
    service.flask("accounts", "create", OWNER, "--credits", "100000")
    made = service.flask("keys", "create", OWNER)
    if made.returncode:
        raise SystemExit(made.stderr)
    return Client(service.url, made.stdout.strip())


@dataclass
class Outcome:
    """What an upgrade came to."""

    seconds: float = 0.0
    orders: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    mismatches: list[str] = field(default_factory=list)


def upgrade(old: Service, new: Service, count: int, traffic: Traffic, outcome: Outcome) -> None:
    """Fill by the old code, migrate under it, go on, then let the new code take over."""
    engine = engine_for(load_settings(new.environ).database_url)
    for _ in range(count):
        traffic.order()
    traffic.settle()
    pictures, before = traffic.pictures(), rows(engine)
    outcome.orders["filled by the old code"] = len(traffic.jobs)
    most = len(traffic.jobs) + MEANWHILE * count
    with traffic.going(MEANWHILE * count), new.books() as here:
        start = time.monotonic()
        migrate(here.database)
        outcome.seconds = time.monotonic() - start
        wanted = min(len(traffic.jobs) + count, most)
        while len(traffic.jobs) < wanted and not traffic.wrong:
            time.sleep(0.1)
    traffic.settle()
    outcome.orders["and while and after the tables moved on"] = len(traffic.jobs)
    middle = rows(engine)
    if old.stop():
        traffic.wrong.append("the old code did not stop well")
    new.start()
    for _ in range(count):
        traffic.order()
    traffic.settle()
    outcome.orders["and by the new code"] = len(traffic.jobs)
    after, now = rows(engine), traffic.pictures()
    engine.dispose()
    outcome.lost = lost(before, middle) | lost(middle, after)
    outcome.changed = [job_id for job_id, digests in pictures.items() if now.get(job_id) != digests]
    outcome.mismatches = new.mismatches()


def run(count: int, seed: int, server: str | None, **settings: str) -> int:
    """One upgrade on a database of its own, both releases with these settings, and its figures; 1 where an aim is
    missed.
    """
    commit = release_before()
    print(f"release before: {_git('log', '-1', '--format=%h %s', commit).decode().strip()}", flush=True)
    with tempfile.TemporaryDirectory(prefix="brightlist-soak-") as name, fresh_database(server, Path(name)) as url:
        folder = Path(name)
        code = unpacked(commit, folder / "code")
        settings |= {"DATABASE_URL": url, "SECRET_KEY": "s" * 32}
        old = Service(folder, code, **settings)
        # On the port, and so under the address, that the old one had.
        new = Service(folder, **settings, PORT=str(old.port.number), BASE_URL=old.url)
        new.url = old.url
        try:
            old.start()
            traffic = Traffic(_account(old), Random(seed))
            outcome = Outcome()
            try:
                upgrade(old, new, count, traffic, outcome)
            except (requests.RequestException, KeyError, ValueError, AssertionError) as error:
                traffic.wrong.append(f"the upgrade broke off: {error!r}")
            if traffic.wrong:
                print(old.log.read_text()[-5000:])
        finally:
            for each in (old, new):
                each.kill_everything()
    return _told_of(outcome, traffic)


def _told_of(outcome: Outcome, traffic: Traffic) -> int:
    show("Orders", ("", "in all"), sorted(outcome.orders.items(), key=lambda each: each[1]))
    show("Answers", ("", "requests"), sorted(traffic.answers.items()))
    at_fault = sum(many for status, many in traffic.answers.items() if status >= 500)
    print(f"\nmigrated in {outcome.seconds:.2f} s under the old code")
    print(f"5xx {at_fault}, wrong {len(traffic.wrong)}, rows lost {outcome.lost or 0}")
    print(f"pictures changed {len(outcome.changed)}, books that disagree {len(outcome.mismatches)}")
    for each in [*traffic.wrong[:20], *outcome.mismatches[:20]]:
        print(each)
    return int(bool(at_fault or traffic.wrong or outcome.lost or outcome.changed or outcome.mismatches))


def main(argv: Sequence[str]) -> int:
    """Run, print the figures; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak upgrades")
    parser.add_argument("--count", type=int, default=60, help="orders by each of the three")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    parser.add_argument("--database", metavar="URL", help="postgresql://… (default: SQLite)")
    asked = parser.parse_args(argv)
    say_where()
    print(f"seed {asked.seed}, {'PostgreSQL' if asked.database else 'SQLite'}", flush=True)
    return run(asked.count, asked.seed, asked.database)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
