"""The reviewers' pages: the queue, keys, the log of what staff did, and who may see any of it."""

import pytest

from app.container import Container
from app.services.reviews import lists
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.person import Person
from tests.portal.reviews.review_hands import claimed, reject, results_of, text


def test_only_staff_know_of_reviews(
    person: Person, stranger: Person, container: Container, job_id: str, reviewer: Person
) -> None:
    image = results_of(container, job_id)[0].id
    pages = ["/reviews", "/reviews/settled", "/reviews/log", f"/reviews/{job_id}"]
    pages += [f"/reviews/{job_id}/hold", f"/reviews/{job_id}/finish"]
    forms = [f"/reviews/{job_id}/{act}" for act in ("claim", "release", "finish", f"results/{image}")]
    for path in pages:
        person.open(path, status=404)
        person.fragment(path, status=404)
        assert stranger.open(path).request.path == "/sign-in"
    token = person.open("/orders").forms["sign-out"]["csrf_token"].value
    for path in (*forms, "/reviews/keys"):
        answer = person.web.post(path, {"csrf_token": token, "verdict": "approved"}, expect_errors=True)
        assert answer.status_int == 404, path
    assert results_of(container, job_id)[0].decided_at is None
    assert "Nobody" in text(reviewer.open("/reviews"))


def test_customers_find_no_way_to_reviews_and_staff_do(person: Person, reviewer: Person) -> None:
    assert person.open("/orders").html.select_one('a[href="/reviews"]') is None
    assert reviewer.open("/orders").html.select_one('a[href="/reviews"]')


def test_staff_begin_at_what_waits_for_review(reviewer: Person, job_id: str) -> None:
    page = reviewer.open("/sign-in")
    assert page.request.path == "/reviews"
    assert page.html.select_one('[aria-label="Reviews"] a[aria-current]').text == "Waiting 1"


def test_an_empty_queue_says_so_and_looks_again(reviewer: Person) -> None:
    page = reviewer.open("/reviews")
    assert "Nothing waits for review" in text(page)
    assert page.html.select_one("#queue")["data-hx-trigger"] == "every 15s"


def test_the_queue_says_what_is_due_when_and_whose_it_is(
    reviewer: Person, sam: Person, clock: FakeClock, job_id: str
) -> None:
    reviewer.keep_using(clock, minutes=95)
    sam.begin_signed_in()
    page = reviewer.open("/reviews")
    assert "1 of 3 photos" in text(page)
    assert "1 h 35 min ago" in text(page)
    assert "Due in 25 min" in text(page)
    assert "Nobody" in text(page)
    claimed(sam, job_id)
    assert "Jo Agent, until 13:55 UTC" in text(reviewer.open("/reviews"))
    page = sam.open("/reviews")
    assert "You, until 13:55 UTC" in text(page)
    assert page.html.select_one(f"#go-on-{job_id}")
    clock.pass_(minutes=25)
    assert "Overdue" in text(sam.open("/reviews"))


def test_the_queue_asks_for_itself_and_tells_only_what_is_new(
    reviewer: Person, api: Api, container: Container, job_id: str
) -> None:
    path = reviewer.open("/reviews").html.select_one("#queue")["data-hx-get"]
    quiet = reviewer.fragment(path)
    assert "<html" not in quiet.text
    assert 'id="status"' not in quiet.text
    assert "HX-Request" in quiet.headers["Vary"]
    api.order(interior=[PHOTO])
    work(container, automatic=False)
    assert "1 more order waits for review." in reviewer.fragment(path).html.select_one("#status").text
    for strange in ("seen=x", "seen=" + "9" * 40, "seen=-1"):
        reviewer.fragment(f"/reviews?{strange}")


def test_the_focus_survives_a_poll(reviewer: Person, job_id: str) -> None:
    for path in ("/reviews", f"/reviews/{job_id}/hold"):
        for each in reviewer.fragment(path).html.select("a, button, [tabindex]"):
            assert each.get("id"), each


def test_the_queue_goes_on_on_further_pages(
    reviewer: Person, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [api.order(interior=[PHOTO])["jobId"] for _ in range(3)]
    work(container, automatic=False)
    monkeypatch.setattr(lists.queue, "__defaults__", (None, 2))
    first = reviewer.open("/reviews")
    second = reviewer.open(first.html.select_one("#next-page")["href"])
    assert second.html.select_one("#first-page")
    found = {each["id"] for page in (first, second) for each in page.html.select('tbody a[id^="order-"]')}
    assert found == {f"order-{job_id}" for job_id in jobs}
    reviewer.open("/reviews?after=nonsense", status=404)


def test_keys_are_listed_and_can_be_switched_off_for_good(reviewer: Person, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    frame = page.html.select_one("#review")
    assert frame.has_attr("data-keys")
    assert frame["tabindex"] == "0"
    assert [each["data-key"] for each in frame.select("[data-key]")] == ["ArrowRight", "a", "r"]
    assert "A approve and continue" in text(page)
    page = reviewer.send(page.forms["keys"], "keys")
    assert page.request.path_qs == f"/reviews/{job_id}?photo=1"
    assert not page.html.select_one("#review").has_attr("data-keys")
    page = reviewer.send(page.forms["keys"], "keys")
    assert page.html.select_one("#review").has_attr("data-keys")


def test_the_log_tells_who_did_what_and_is_filtered_by_its_address(
    reviewer: Person, sam: Person, api: Api, container: Container, job_id: str
) -> None:
    assert "Nothing was done yet" in text(reviewer.open("/reviews/log"))
    page = reject(reviewer, claimed(reviewer, job_id))
    other = api.order(interior=[PHOTO])["jobId"]
    work(container, automatic=False)
    claimed(sam, other)
    page = reviewer.open("/reviews/log")
    assert [each.text for each in page.html.select("tbody strong")] == ["Claimed", "Rejected a result", "Claimed"]
    assert "interior-1: Edges show a halo." in text(page)
    form = page.forms["filter"]
    form["staff"], form["job"] = sam.account_id, other
    page = reviewer.send(form)
    assert f"staff={sam.account_id}&job={other}" in page.request.query_string
    assert len(page.html.select("tbody tr")) == 1
    assert page.forms["filter"]["staff"].value == sam.account_id
    assert "Nothing matches" in text(reviewer.open(f"/reviews/log?staff={sam.account_id}&job={job_id}"))
    for strange in ("after=x", "after=" + "9" * 60, "job=%00", "staff='", "after=-1"):
        reviewer.open(f"/reviews/log?{strange}")
