"""Whose an order under review is: taken, kept, run out, released, and only looked at."""

from typing import Any

import pytest

from app.container import Container
from app.domain.reviews import CLAIM_VALID_FOR
from app.services.reviews import claims
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.portal.person import Person
from tests.portal.reviews.review_hands import claimed, form_to, reject, text


def test_a_second_reviewer_is_told_who_was_first(reviewer: Person, sam: Person, job_id: str) -> None:
    ready = sam.open("/reviews")
    page = claimed(reviewer, job_id)
    assert page.request.path == f"/reviews/{job_id}"
    assert "Yours until 12:20 UTC" in text(page)
    late = sam.send(ready.forms[form_to(ready, f"/reviews/{job_id}/claim")], status=409)
    assert "Jo Agent has claimed this order, until 12:20 UTC." in late.html.select_one("[role=alert]").text
    assert "decision" not in late.forms


def test_a_claim_that_runs_out_is_warned_of_and_then_told(
    reviewer: Person, sam: Person, clock: FakeClock, job_id: str
) -> None:
    page = claimed(reviewer, job_id)
    hold = f"/reviews/{job_id}/hold"
    assert "Yours until" in reviewer.fragment(hold).text
    clock.pass_(minutes=17, seconds=50)
    fragment = reviewer.fragment(hold)
    assert "Yours until" in fragment.text
    assert fragment.html.select_one("#hold")["data-hx-trigger"] == "every 11s"
    clock.pass_(seconds=10)
    fragment = reviewer.fragment(hold)
    assert "Your claim runs out at" in fragment.html.select_one("[role=alert]").text
    assert fragment.html.select_one("#hold")["data-hx-trigger"] == "every 121s"
    clock.pass_(minutes=2)
    assert "Your claim ran out at 12:20 UTC" in reviewer.fragment(hold).html.select_one("[role=alert]").text
    late = reject(reviewer, page, own="All these words.", status=409)
    assert "ran out at 12:20 UTC" in text(late)
    assert "All these words." in text(late)
    claimed(sam, job_id)
    assert "Jo Agent took the order over, until 12:40 UTC" in reviewer.fragment(hold).text
    assert "took the order over" in text(approve_late(reviewer, page))
    assert reviewer.open(hold).request.path == f"/reviews/{job_id}"


def approve_late(reviewer: Person, page: Any) -> Any:
    page.forms["decision"]["verdict"] = "approved"
    return reviewer.send(page.forms["decision"], status=409)


def test_a_claim_is_kept_released_and_taken_again_from_the_page(
    reviewer: Person, sam: Person, clock: FakeClock, job_id: str
) -> None:
    claimed(reviewer, job_id)
    clock.pass_(minutes=19)
    page = reviewer.open(f"/reviews/{job_id}")
    page = reviewer.send(page.forms[form_to(page, f"/reviews/{job_id}/claim")])
    assert "Yours until 12:39 UTC" in text(page)
    stale = page.forms[form_to(page, f"/reviews/{job_id}/release")]
    page = reviewer.send(stale)
    assert "Released" in text(page)
    claimed(sam, job_id)
    assert "has claimed this order" in text(reviewer.send(stale, status=409))


def test_settled_orders_can_be_looked_at_but_not_changed(reviewer: Person, api: Api, container: Container) -> None:
    assert "Nothing is settled yet" in text(reviewer.open("/reviews/settled"))
    job_id = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    work(container)
    page = reviewer.open("/reviews/settled")
    assert "1 approved, 1 rejected" in text(page)
    page = reviewer.open(f"/reviews/{job_id}?photo=2")
    assert "The review is over: Ready." in text(page)
    assert "The picture is blank." in text(page)
    assert "decision" not in page.forms
    assert page.html.select_one("#hold").get("data-hx-get") is None
    reviewer.post(f"/reviews/{job_id}/claim", status=409)


def test_an_order_that_is_still_worked_on_can_be_looked_at(reviewer: Person, api: Api) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    page = reviewer.open(f"/reviews/{job_id}")
    assert "still being worked on" in text(page)
    assert "No result yet" in text(page)


@pytest.mark.parametrize("job", ["job_nobody", "job_" + "0" * 22, "%27", "keys"])
def test_an_unknown_order_is_not_there(reviewer: Person, job: str) -> None:
    for path in (f"/reviews/{job}", f"/reviews/{job}/finish"):
        assert reviewer.web.get(path, expect_errors=True).status_int == 404
    for act in ("claim", "release", "finish", "results/img_x"):
        reviewer.post(f"/reviews/{job}/{act}", status=404, verdict="approved")


def test_a_claim_holds_as_long_as_the_pages_say(container: Container, reviewer: Person, job_id: str) -> None:
    claimed(reviewer, job_id)
    with container.database.read_session() as session:
        job = claims.get_job(session, job_id)
    assert job.review_until == container.clock() + CLAIM_VALID_FOR
