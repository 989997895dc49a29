"""GET /api/v1/jobs: the account's jobs, newest first, by filters, page by page."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from app.api.v1 import lists
from app.container import Container
from app.domain.api_types import iso
from app.services.orders import job_list
from tests.acts import expire
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.statements import counted

GARDEN, OAK = "12 Garden Lane, Springfield, IL 62704", "9 Öak Street, Reno, NV 89501"
DANA, SAM = {"agent": "Dana Reyes", "team": "A"}, {"agent": "Sam", "team": "A"}


def listed(api: Api, **query: Any) -> dict[str, Any]:
    answer = api.get(f"/jobs?{urlencode(query, doseq=True)}")
    assert answer.status_code == 200, answer.text
    return answer.json


def ids(api: Api, **query: Any) -> list[str]:
    """All that is listed, page by page, with pages of two."""
    found, cursor = [], {}
    while True:
        page = listed(api, limit=2, **query, **cursor)
        assert len(page["jobs"]) <= 2
        found += [job["jobId"] for job in page["jobs"]]
        if page["nextCursor"] is None:
            return found
        cursor = {"cursor": page["nextCursor"]}


@pytest.fixture
def orders(api: Api, other_api: Api, container: Container, clock: FakeClock) -> list[str]:
    """Six jobs, oldest first: the first failed, the second has expired, the last two are of one moment. Another
    account has a job like them.
    """
    failed = api.order([PHOTO], address=GARDEN, externalId="A-1", metadata=DANA)["jobId"]
    clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    expired = api.order([PHOTO], address=OAK, externalId="A-2", metadata=SAM)["jobId"]
    work(container)
    expire(container)
    made = [failed, expired]
    for number, address in enumerate([GARDEN, OAK]):
        clock.pass_(minutes=1)
        made.append(api.order([photo(f"{number}")], address=address, externalId="A-3", metadata=DANA)["jobId"])
    work(container)
    clock.pass_(minutes=1)
    last = [api.order([photo(text)], address=GARDEN.upper(), metadata=SAM)["jobId"] for text in ("x", "y")]
    other_api.order([PHOTO], address=GARDEN, externalId="A-3", metadata=DANA)
    return [*made, *sorted(last)]


def test_pages_follow_each_other_newest_first_without_gap_or_repeat(api: Api, orders: list[str]) -> None:
    assert ids(api) == orders[::-1]


def test_an_entry_says_what_was_ordered_and_what_came_of_it(
    api: Api, orders: list[str], container: Container, clock: FakeClock
) -> None:
    found = {job["jobId"]: job for job in listed(api)["jobs"]}
    facts = {"address": OAK, "serviceType": "interior", "photoCount": {"interior": 1, "exterior": 0}}
    times = {"createdAt": found[orders[1]]["createdAt"], "expiredAt": found[orders[1]]["expiredAt"]}
    done = {"progress": {"total": 1, "completed": 1, "percentage": 100}, "creditCost": 0.5, "creditsRefunded": 0}
    own = {"externalId": "A-2", "metadata": SAM}
    assert found[orders[1]] == {"jobId": orders[1], "status": "approved", **facts, **times, **done, **own}
    assert (found[orders[0]]["status"], found[orders[0]]["creditsRefunded"]) == ("failed", 0.5)
    assert found[orders[0]]["error"]
    assert found[orders[5]]["progress"] == {"total": 1, "completed": 0, "percentage": 0}
    assert "externalId" not in found[orders[5]]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ({"status": "failed"}, [0]),
        ({"status": ["pending", "approved"]}, [5, 4, 3, 2, 1]),
        ({"externalId": "A-3"}, [3, 2]),
        ({"externalId": "a-3"}, []),
        ({"metadata[agent]": "Dana Reyes"}, [3, 2, 0]),
        ({"metadata[agent]": "Dana"}, []),
        ({"metadata[agent]": "Dana Reyes", "status": "failed"}, [0]),
        ({"metadata[team]": "A", "externalId": "A-2"}, [1]),
        ({"metadata[agent]": "Sam", "externalId": "A-3"}, []),
        ({"address": "12 garden LANE"}, [5, 4, 2, 0]),
        ({"address": "12 Garden Lane, Spring"}, [5, 4, 2, 0]),
        ({"address": "9 öak"}, [3, 1]),
        ({"address": "garden"}, []),
        ({"address": "1", "status": "pending"}, [5, 4]),
        ({"address": "9 Öak", "externalId": "A-3"}, [3]),
    ],
)
def test_filters_select_what_meets_all_of_them(
    api: Api, orders: list[str], query: dict[str, Any], places: list[int]
) -> None:
    assert ids(api, **query) == [orders[place] for place in places]


@pytest.mark.parametrize(
    "others", [{}, {"metadata[team]": "A"}, {"address": "12"}, {"status": ["pending", "approved"]}]
)
def test_times_follow_each_other_without_gap(
    api: Api, orders: list[str], clock: FakeClock, others: dict[str, Any]
) -> None:
    middle = iso(clock.now - timedelta(minutes=1))
    later, earlier = ids(api, createdAfter=middle, **others), ids(api, createdBefore=middle, **others)
    assert later + earlier == ids(api, **others)
    assert orders[5] in later


def test_a_page_looks_only_so_far_and_the_next_goes_on(
    api: Api, orders: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_list, "WINDOW", 2)
    first = listed(api, **{"metadata[team]": "A", "status": "failed"})
    assert first["jobs"] == []
    assert ids(api, **{"metadata[team]": "A", "status": "failed"}) == [orders[0]]
    assert ids(api, address="12 garden", status="failed") == [orders[0]]


def test_a_cursor_is_good_for_its_account_its_list_and_its_filters_alone(
    api: Api, other_api: Api, orders: list[str]
) -> None:
    cursor = listed(api, limit=1, status="approved")["nextCursor"]
    assert listed(api, limit=2, status="approved", cursor=cursor)["jobs"]
    forged = cursor[:-5] + ("A" if cursor[-5] != "A" else "B") + cursor[-4:]
    refused = [
        other_api.get(f"/jobs?status=approved&cursor={cursor}"),
        api.get(f"/jobs?cursor={cursor}"),
        api.get(f"/credits/ledger?cursor={cursor}"),
        api.get(f"/jobs?status=approved&cursor={forged}"),
        api.get(f"/jobs?status=approved&cursor={orders[0]}"),
    ]
    assert [(each.status_code, list(each.json["details"])) for each in refused] == [(400, ["cursor"])] * 5


@pytest.mark.parametrize(
    ("query", "where", "words"),
    [
        ("status=done", "status[0]", "Must be one of: pending"),
        ("status=failed&status=x", "status[1]", "Must be one of"),
        ("createdAfter=yesterday", "createdAfter", "such as 2026-11-20T14:03:00Z"),
        ("createdAfter=2026-11-20T14:03:00", "createdAfter", "offset"),
        ("createdBefore=0001-01-01T00:00:00%2B23:59", "createdBefore", "offset"),
        ("createdBefore=2026-02-30T00:00:00Z", "createdBefore", "offset"),
        ("address=,.", "address", "letter or digit"),
        ("externalId=", "externalId", "at least 1"),
        ("metadata=x", "metadata", "Must be an object."),
        ("metadata[a]=1&metadata[b]=2", "metadata", "at most 1 entries"),
        ("metadata[a]=1&metadata[a]=2", "metadata[a]", "Given twice"),
        ("metadata=x&metadata[a]=1", "metadata", "Given twice"),
        ("limit=5&limit[x]=1", "limit", "Given twice"),
        ("limit[x]=1&limit=5", "limit", "Given twice"),
        ("createdafter=2026-11-20T14:03:00Z", "createdafter", "Did you mean createdAfter?"),
        ("sort[by]=x", "sort", "Unknown field."),
    ],
)
def test_a_query_that_means_nothing_is_refused(api: Api, query: str, where: str, words: str) -> None:
    answer = api.get(f"/jobs?{query}")
    assert (answer.status_code, list(answer.json["details"])) == (400, [where])
    assert words in answer.json["details"][where]


def test_an_offset_may_be_sent_as_people_write_it(api: Api, orders: list[str]) -> None:
    assert len(listed(api, createdAfter="2026-11-01T00:00:00 02:00")["jobs"]) == 6


def test_a_page_takes_the_same_few_statements_however_long_it_is(api: Api, orders: list[str]) -> None:
    short, long = (counted(lambda limit=limit: listed(api, limit=limit)) for limit in (1, lists.MAX_LIMIT))
    assert short == long <= 4
