"""What the page of credits and its file cost with a ledger of 100,000 lines, beside one of 100.

Usage: python -m bench.ledger_pages

The two accounts' pages are asked for in turns, so that both meet the same machine; what counts is their ratio.
"""

import gzip
import re
import statistics
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from app.container import Container
from app.services.billing import ledger_pages
from app.services.billing.ledger_pages import LedgerFilter
from bench.pages import PASSWORD, fresh, person, seconds
from bench.queries import Statements
from bench.tables import say_where, show
from tests import ledgers

FEW, MANY = 100, 100_000
BEGIN, YEAR = datetime(2025, 12, 1, tzinfo=UTC), timedelta(days=350)
ROUNDS = 40
NAMES = ("short", "long")
PAGES = {
    "newest lines": "/credits",
    "  lines in the middle": "/credits?before={middle}",
    "  and back": "/credits?after={middle}",
    "  one kind": "/credits?kind=refund",
    "  a kind without lines": "/credits?kind=reversal",
    "  a month": "/credits?month=2026-05",
    "  one kind of a month": "/credits?month=2026-05&kind=order",
    "  the last page of a month": "/credits?month=2026-05&after=1",
}


def signed_in(app: Flask, email: str) -> FlaskClient:
    """A browser in which they are signed in today."""
    browser = app.test_client()
    token = re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', browser.get("/sign-in").text)[0]
    fields = {"email": email, "password": PASSWORD, "csrf_token": token}
    if browser.post("/sign-in", data=fields).status_code != 303:
        raise RuntimeError(f"{email} cannot sign in")
    return browser


def get(browser: FlaskClient, path: str) -> bytes:
    """The page, which must come."""
    answer = browser.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return answer.data


def first_batch(browser: FlaskClient) -> bytes:
    """The beginning of the file."""
    answer = browser.get("/credits/ledger.csv", buffered=False)
    return b"".join(islice(answer.response, 2))


def middle(container: Container, account_id: str) -> int:
    """A line of June."""
    with container.database.read_session() as session:
        page = ledger_pages.paginate(session, account_id, LedgerFilter(until=(BEGIN + YEAR / 2).date()))
    return page.rows[0].line_id


def compared(
    name: str, few: Callable[[], bytes], many: Callable[[], bytes], statements: Statements
) -> list[object]:
    """The line of one page: processor time of both, their ratio, statements, weight."""
    rounds = [(seconds(few)[1], seconds(many)[1]) for _ in range(ROUNDS)]
    short, long = (statistics.median(each[side] for each in rounds) for side in (0, 1))
    weight = len(gzip.compress(many(), 9)) / 1000
    figures = (f"{short * 1000:.1f}", f"{long * 1000:.1f}", f"{long / short:.2f}")
    return [name, *figures, statements.of(few), statements.of(many), f"{weight:.1f}"]


def main() -> None:
    """Every page in a table."""
    say_where()
    with tempfile.TemporaryDirectory() as folder, fresh(Path(folder)) as (app, container):
        today, container.clock.now = container.clock.now, BEGIN
        ids = [person(app, container, f"{name}@example.com").api.account_id for name in NAMES]
        for account_id, count in zip(ids, (FEW, MANY), strict=True):
            with container.database.unit_of_work() as session:
                ledgers.fill(session, account_id, count, BEGIN, YEAR / count)
        container.clock.now = today
        browsers = [signed_in(app, f"{name}@example.com") for name in NAMES]
        statements = Statements()
        rows = []
        for name, path in PAGES.items():
            paths = [path.format(middle=middle(container, account_id)) for account_id in ids]
            asks = [partial(get, browser, each) for browser, each in zip(browsers, paths, strict=True)]
            rows.append(compared(name, asks[0], asks[1], statements))
        asks = [partial(first_batch, browser) for browser in browsers]
        rows.append(compared("file: its first lines", asks[0], asks[1], statements))
    head = ("", f"{FEW} lines, ms", f"{MANY:,} lines, ms", "ratio", "statements", "statements", "kB gz")
    show(f"Pages of credits, processor time, median of {ROUNDS}", head, rows)


if __name__ == "__main__":
    main()
