"""Ten thousand orders at once against a balance for a hundred; then money that moves in random order."""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from app.container import Container
from app.domain.budgets import Payer
from app.domain.errors import InsufficientCredits
from app.domain.ledger import LedgerKind
from app.domain.order_rules import read_order
from app.migrations import migrate
from app.models import Job, LedgerLine, Organization, UploadSession
from app.services import audit
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.orders import orders
from app.services.uploads import quotas, uploads
from app.settings import Settings
from bench.soak import command
from bench.soak.books import Line
from tests import databases
from tests.conftest import PHOTO, order_body
from tests.fakes import FakeClock, FakeEngine, FakePreviewMaker, FakeQueue
from tests.faults.money import machine

ORDERS, THREADS, AFFORDABLE = 10_000, 64, 100
COST = Decimal("0.5")
LIMIT = timedelta(hours=2)
BUSY = "the database was busy, sent again"
MOST_TRIES = 20
EXAMPLES, STEPS = 20, 50


@contextmanager
def parts(server: str) -> Iterator[Container]:
    """The running parts over a fresh database and an empty store; queue, engine and clock are fakes."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brightlist-soak-")))
        url = f"sqlite:///{folder / 'soak.db'}"
        if server:
            url = stack.enter_context(
                databases.server_database(f"soak_{token_hex(4)}", server=server, tables=False)
            )
        here = Container(Settings(data_dir=folder, database_url=url, secret_key="s" * 32), FakeClock())
        here.queue, here.engine, here.previews = FakeQueue(), FakeEngine(), FakePreviewMaker()
        migrate(here.database)
        yield here
        here.database.engine.dispose()


def uploaded(here: Container, amount: int) -> tuple[str, list[dict[str, Any]]]:
    """An account that can afford AFFORDABLE orders, and the bodies of so many, each with a photo of its own."""
    with here.database.unit_of_work() as session:
        member = accounts.create(session, f"{token_hex(8)}@example.com", here.clock())
        credits.adjust(session, member.organization_id, COST * AFFORDABLE, "Opening balance", here.clock())
        upload_sessions = [_upload_session(member.organization_id, here) for _ in range(amount)]
        session.add_all(upload_sessions)
        session.flush()
        use = quotas.get_or_create(session, member.organization_id)
        use.open_sessions, use.held_bytes = amount, sum(each.held_bytes for each in upload_sessions)
    keys = [uploads.list_slots(upload_session)[0].key for upload_session in upload_sessions]
    writing = here.storage.create(keys[0], len(PHOTO))
    writing.write(PHOTO)
    writing.publish()
    for key in keys[1:]:
        here.storage.copy(keys[0], key)
    files = [
        {"uploadSessionId": upload_session.id, "interiorFiles": [{"filePath": key}]}
        for upload_session, key in zip(upload_sessions, keys, strict=True)
    ]
    return member.organization_id, [{**order_body(), **each} for each in files]


def _upload_session(account_id: str, here: Container) -> UploadSession:
    return UploadSession(account_id=account_id, interior_count=1, exterior_count=0, created_at=here.clock())


def spend(here: Container, account_id: str, bodies: list[dict[str, Any]], threads: int) -> Counter[str]:
    """Place all these orders from so many threads; how each went."""
    went: Counter[str] = Counter()

    def place(body: dict[str, Any]) -> str:
        order = read_order(body, False)
        found = uploads.stat_files(here.storage, order.upload_session_id, orders.list_named_files(order).values())
        for _ in range(MOST_TRIES):
            try:
                with here.database.unit_of_work() as session:
                    orders.place(session, Payer(account_id), order, found, here.clock(), LIMIT)
                return "placed"
            except InsufficientCredits:
                return "refused"
            except OperationalError:
                went[BUSY] += 1
        return "gave up"

    with ThreadPoolExecutor(threads) as pool:
        went.update(pool.map(place, bodies))
    return went


def judged(here: Container, account_id: str, went: Counter[str], amount: int) -> list[Line]:
    """What the database says of it."""
    lines = select(LedgerLine).where(LedgerLine.account_id == account_id, LedgerLine.kind == LedgerKind.ORDER)
    with here.database.read_session() as session:
        jobs = session.scalar(select(func.count()).select_from(Job).where(Job.account_id == account_id)) or 0
        charged = -sum((line.amount for line in session.scalars(lines)), Decimal(0))
        left = session.get_one(Organization, account_id).credits
        mismatches = list(audit.find_mismatches(session, here.storage))
    told = dict(went)
    return [
        Line("orders sent, as customers were told", told, went["placed"] + went["refused"] == amount),
        Line("orders placed", jobs, jobs == went["placed"] == AFFORDABLE),
        Line("credits charged", charged, charged == COST * AFFORDABLE),
        Line("credits left", left, left == 0),
        Line("faults that the service's own audit finds", mismatches[:3] or 0, not mismatches),
    ]


def run(seconds: float, first_seed: int, server: str, amount: int = ORDERS, threads: int = THREADS) -> list[Line]:
    """Spend at once, then move money at random for so long, with a seed that counts up from the first."""
    deadline = time.monotonic() + seconds
    with parts(server) as here:
        account_id, bodies = uploaded(here, amount)
        began = time.monotonic()
        went = spend(here, account_id, bodies, threads)
        took = Line("orders a second", round(amount / (time.monotonic() - began)))
        found = [*judged(here, account_id, went, amount), took]
    with parts(server) as here:
        numbers = count()
        many = settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        )
        for each in count(first_seed):
            seeded = seed(each)(partial(machine, here, numbers)())
            run_state_machine_as_test(seeded, settings=many)
            if time.monotonic() > deadline:
                break
        runs = next(numbers)
    last = f"{first_seed} to {each}"
    return [*found, Line(f"runs of the state machine, {STEPS} steps each, seeds {last}", runs)]


def main(arguments: Sequence[str]) -> int:
    """The command."""
    return command.main("spending", run, arguments)
