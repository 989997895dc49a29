"""GET /api/v1/credits/ledger, and what all lists have in common: pages by cursor, bounds, and faults by name."""

from decimal import Decimal
from itertools import pairwise

import pytest

from app.container import Container
from app.services.billing import credits
from tests.conftest import Api, work
from tests.fakes import photo

PATH = "/credits/ledger"


def read_all(api: Api, path: str, name: str, limit: int) -> list[dict]:
    """Every entry of a list, page by page."""
    found, cursor = [], ""
    while True:
        page = api.get(f"{path}?limit={limit}{cursor}").json
        assert set(page) == {"livemode", name, "nextCursor"}
        assert len(page[name]) <= limit
        found += page[name]
        if page["nextCursor"] is None:
            return found
        cursor = f"&cursor={page['nextCursor']}"


def test_each_line_says_what_it_is_for_and_leaves_the_balance_that_follows(api: Api, container: Container) -> None:
    job = api.order([photo("BROKEN"), photo("GOOD")])["jobId"]
    work(container)
    lines = api.get(PATH).json["ledger"]
    assert [line["cause"] for line in lines] == ["photo_refund", "order", "adjustment"]
    assert [line["kind"] for line in lines] == ["refund", "order", "adjustment"]
    assert [line.get("jobId") for line in lines] == [job, job, None]
    assert lines[0]["photoId"].startswith("pho_")
    assert lines[0]["balanceAfter"] == api.credits()
    for newer, older in pairwise(lines):
        assert newer["balanceAfter"] - newer["amount"] == older["balanceAfter"]
    assert api.get(f"{PATH}?jobId={job}&kind=refund").json["ledger"] == lines[:1]
    assert api.get(f"{PATH}?until=2000-01-01").json == {"livemode": True, "ledger": [], "nextCursor": None}


def test_pages_have_every_line_once_also_if_lines_are_added_between(api: Api, container: Container) -> None:
    for amount in range(1, 7):
        with container.database.unit_of_work() as session:
            credits.adjust(session, api.account_id, Decimal(amount), f"No. {amount}", container.clock())
    whole = api.get(PATH).json["ledger"]
    assert len(whole) == 7
    for limit in (1, 2, 3, 7, 100):
        assert read_all(api, PATH, "ledger", limit) == whole
    first = api.get(f"{PATH}?limit=3").json
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, Decimal(9), "Later", container.clock())
    rest = api.get(f"{PATH}?limit=100&cursor={first['nextCursor']}").json
    assert first["ledger"] + rest["ledger"] == whole


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("limit=0", "limit", "at least 1"),
        ("limit=101", "limit", "at most 100"),
        ("limit=ten", "limit", "whole number"),
        ("limit=" + "9" * 5000, "limit", ""),
        ("limit=1&limit=2", "limit", "Given twice"),
        ("cursor=job_1", "cursor", "nextCursor of an earlier page with the same filters"),
        ("cursor=", "cursor", ""),
        ("cursor=" + "1" * 101, "cursor", ""),
        ("cursor=%00", "cursor", "control characters"),
        ("kind=refunds", "kind", "Did you mean refund?"),
        ("kinds=refund", "kinds", "Did you mean kind?"),
        ("since=yesterday", "since", "date"),
    ],
)
def test_a_query_that_means_nothing_is_refused_by_its_parameter(
    api: Api, query: str, field: str, words: str
) -> None:
    answer = api.get(f"{PATH}?{query}")
    assert (answer.status_code, list(answer.json["details"])) == (400, [field])
    assert words in answer.json["details"][field]


def test_a_cursor_of_another_account_is_refused(api: Api, other_api: Api, container: Container) -> None:
    api.order([photo("GOOD")])
    page = api.get(f"{PATH}?limit=1").json
    refused = other_api.get(f"{PATH}?cursor={page['nextCursor']}")
    assert (refused.status_code, list(refused.json["details"])) == (400, ["cursor"])
