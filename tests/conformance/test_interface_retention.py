"""Retention: seven days after a job settled its pictures are gone and the API knows it no more."""

from datetime import timedelta

import pytest

from app.models import Job, LedgerLine
from tests.conformance.shapes import rows, stored_files
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo

ALMOST = timedelta(days=7) - timedelta(seconds=1)


def without_id(answer) -> dict:
    """The body but for what differs in every answer."""
    return {name: value for name, value in answer.json.items() if name != "requestId"}


@pytest.mark.parametrize("marker", ["", "BLANK"])
def test_after_seven_days_a_job_is_not_found_and_its_files_are_gone(
    api: Api, container, clock, marker: str
) -> None:
    job = api.order(interior=[photo(marker)])["jobId"]
    work(container)
    clock.now += ALMOST
    container.sweep.everything()
    assert api.get(f"/jobs/{job}/status").status_code == 200
    assert stored_files(container) != []
    clock.pass_(seconds=1)
    container.sweep.everything()
    unknown = without_id(api.get("/jobs/job_0000000000000000000000/status"))
    for path in (f"/jobs/{job}/status", f"/downloads/{job}"):
        answer = api.get(path)
        assert (answer.status_code, without_id(answer)) == (404, unknown)
    assert stored_files(container) == []


def test_the_seven_days_count_from_approval_and_a_download_does_not_extend_them(api: Api, container, clock) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    clock.pass_(hours=1)
    work(container)
    clock.pass_(days=6)
    url = api.get(f"/downloads/{job}").json["images"][0]["url"]
    clock.pass_(hours=23)
    container.sweep.everything()
    assert api.client.get(url).status_code == 200
    clock.pass_(hours=1)
    container.sweep.everything()
    assert api.get(f"/downloads/{job}").status_code == 404
    assert api.client.get(url).status_code in {404, 410}


def test_the_order_and_its_ledger_lines_stay(api: Api, container, clock) -> None:
    api.order(interior=[PHOTO])
    work(container)
    clock.pass_(days=7)
    container.sweep.everything()
    assert [job.expired_at for job in rows(container, Job)] == [clock.now]
    assert len(rows(container, LedgerLine)) == 2
    assert api.credits() == 99.5


def test_a_job_under_way_is_not_touched(api: Api, container, clock) -> None:
    first = api.order(interior=[PHOTO])["jobId"]
    work(container)
    clock.pass_(days=7)
    second = api.order(interior=[PHOTO])["jobId"]
    container.sweep.everything()
    assert api.get(f"/jobs/{first}/status").status_code == 404
    assert api.status(second)["status"] == "pending"
    assert len(stored_files(container)) == 1
