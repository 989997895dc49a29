"""The reviewers' pages: the queue, one order, decisions, the end of a review, and who may see any of it."""

from typing import Any

import pytest

from app.container import Container
from app.domain.reviews import CLAIM_HOLDS, MAX_REASON, USUAL_REASONS
from app.services.reviews import claims, lists
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person

STAGED = {
    "interiorEnhancements": ["virtual_staging", "virtual_renovation", "hdr_enhancement"],
    "virtualStaging": {"0": {"style": "mid_century_modern", "roomType": "living_room"}},
    "renovations": {
        str(place): [{"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "oak"}]
        for place in range(2)
    },
}


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """Two results to decide on, and a photo that gave none."""
    both = ["hdr_enhancement", "flambient_enhancement"]
    order = api.order(interior=[PHOTO, photo("HALF"), photo("BROKEN")], interiorEnhancements=both)
    work(container, automatic=False)
    return order["jobId"]


@pytest.fixture
def sam(new_person: NewPerson) -> Person:
    """Another reviewer."""
    return new_person("sam@example.com", "0", staff=True)


def text(page: Any) -> str:
    return " ".join(page.html.text.split())


def claimed(reviewer: Person, job_id: str) -> Any:
    page = reviewer.open("/reviews")
    return reviewer.send(page.forms[form_to(page, f"/reviews/{job_id}/claim")])


def form_to(page: Any, action: str) -> Any:
    return next(key for key, form in page.forms.items() if form.action == action)


def approve(reviewer: Person, page: Any) -> Any:
    page.forms["decision"]["verdict"] = "approved"
    return reviewer.send(page.forms["decision"])


def reject(reviewer: Person, page: Any, usual: str = USUAL_REASONS[2], own: str = "", status: int = 200) -> Any:
    form = page.forms["decision"]
    form["verdict"], form["usual"], form["own"] = "rejected", usual, own
    return reviewer.send(form, status=status)


def results_of(container: Container, job_id: str) -> list[Any]:
    with container.database.read_session() as session:
        found = lists.review(session, "acc_x", job_id, container.clock())
    return [each.result for each in found.photos]


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


def test_an_empty_queue_says_so_and_looks_again(reviewer: Person) -> None:
    page = reviewer.open("/reviews")
    assert "Nothing waits for review" in text(page)
    assert page.html.select_one("#queue")["data-hx-trigger"] == "every 15s"


def test_the_queue_says_what_is_due_when_and_whose_it_is(
    reviewer: Person, sam: Person, api: Api, container: Container, clock: FakeClock, job_id: str
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


def test_a_second_reviewer_is_told_who_was_first(reviewer: Person, sam: Person, job_id: str) -> None:
    ready = sam.open("/reviews")
    page = claimed(reviewer, job_id)
    assert page.request.path == f"/reviews/{job_id}"
    assert "Yours until 12:20 UTC" in text(page)
    late = sam.send(ready.forms[form_to(ready, f"/reviews/{job_id}/claim")], status=409)
    assert "Jo Agent has claimed this order, until 12:20 UTC." in late.html.select_one("[role=alert]").text
    assert "decision" not in late.forms


def test_decisions_lead_from_photo_to_photo_and_to_the_end(
    reviewer: Person, api: Api, container: Container, job_id: str
) -> None:
    page = claimed(reviewer, job_id)
    assert "1 of 3 decided" in text(page)
    assert "2 photos still to be decided." in text(page)
    assert page.html.select_one("[aria-disabled=true]").text == "Finish review"
    page = approve(reviewer, page)
    assert page.request.query_string == "photo=2"
    assert "2 of 3 decided" in text(page)
    page = reject(reviewer, page, own="Look at the lamp.")
    assert "3 of 3 decided" in text(page)
    assert "2 rejected. The customer gets 1 photo and 2.0 credits back." in text(page)
    page = reviewer.open(f"/reviews/{job_id}/finish")
    assert "interior-2: Edges show a halo. Look at the lamp." in text(page)
    assert "Nothing can be changed afterwards" in text(page)
    page = reviewer.send(page.forms["finish"])
    assert page.request.path == "/reviews"
    assert "The customer gets 1 photo and 2.0 credits back." in text(page)
    assert api.status(job_id)["status"] == "approved"
    assert api.credits() == 99


def test_after_the_last_photo_the_ones_passed_over_come(reviewer: Person, job_id: str) -> None:
    claimed(reviewer, job_id)
    page = approve(reviewer, reviewer.open(f"/reviews/{job_id}?photo=2"))
    assert page.request.query_string == "photo=1"
    assert approve(reviewer, page).request.query_string == "photo=1"


def test_rejecting_everything_says_what_becomes_of_the_order(
    reviewer: Person, api: Api, container: Container, job_id: str
) -> None:
    page = claimed(reviewer, job_id)
    for _ in range(2):
        page = reject(reviewer, page)
    assert "All rejected: the order becomes Not deliverable, 3.0 credits are refunded." in text(page)
    page = reviewer.send(reviewer.open(f"/reviews/{job_id}/finish").forms["finish"])
    assert api.status(job_id)["status"] == "undeliverable"
    assert "Not deliverable" in text(reviewer.open("/reviews/settled"))


def test_a_rejection_without_a_reason_comes_back_with_the_page(reviewer: Person, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    page = reject(reviewer, page, usual="", status=422)
    assert page.html.title.text.startswith("Error: ")
    assert page.html.select_one('.summary a[href="#usual"]').text == "Say why it is rejected."
    assert page.forms["decision"]["verdict"].value == "rejected"
    page = reject(reviewer, page, usual="", own=" \x0b\t ", status=422)
    page = reviewer.send(claimed_page(reviewer, job_id).forms["decision"], status=422)
    assert page.html.select_one('.summary a[href="#verdict"]').text == "Choose Approve or Reject."


def claimed_page(reviewer: Person, job_id: str) -> Any:
    return reviewer.open(f"/reviews/{job_id}")


def test_a_long_reason_comes_back_with_the_page_and_a_strange_one_is_made_plain(
    reviewer: Person, container: Container, job_id: str
) -> None:
    page = reject(reviewer, claimed(reviewer, job_id), own="x" * 10_000, status=422)
    assert f"at most {MAX_REASON} characters" in page.html.select_one('.summary a[href="#own"]').text
    assert page.forms["decision"]["own"].value == "x" * 10_000
    reject(reviewer, page, usual="", own="<b>no\r\n\tgood</b>")
    assert results_of(container, job_id)[0].message == "<b>no good</b>"
    page = reviewer.open(f"/reviews/{job_id}?photo=1")
    assert page.forms["decision"]["own"].value == "<b>no good</b>"


def test_what_the_form_does_not_offer_is_refused(reviewer: Person, container: Container, job_id: str) -> None:
    claimed(reviewer, job_id)
    image = results_of(container, job_id)[0].id
    for fields in ({"verdict": "undecided"}, {"verdict": "x"}, {}, {"verdict": "rejected", "usual": "my own"}):
        reviewer.post(f"/reviews/{job_id}/results/{image}", status=422, **fields)
    for strange in ("img_nobody", results_of(container, job_id)[0].photo_id):
        reviewer.post(f"/reviews/{job_id}/results/{strange}", status=404, verdict="approved")
    without_picture = results_of(container, job_id)[2].id
    reviewer.post(f"/reviews/{job_id}/results/{without_picture}", status=422, verdict="approved")
    assert results_of(container, job_id)[0].decided_at is None


def test_a_decision_may_be_changed_until_the_end(reviewer: Person, job_id: str) -> None:
    page = reject(reviewer, claimed(reviewer, job_id), own="Look.")
    page = reviewer.open(f"/reviews/{job_id}?photo=1")
    form = page.forms["decision"]
    assert (form["verdict"].value, form["usual"].value, form["own"].value) == (
        "rejected",
        USUAL_REASONS[2],
        "Look.",
    )
    approve(reviewer, page)
    assert reviewer.open(f"/reviews/{job_id}?photo=1").forms["decision"]["verdict"].value == "approved"


def test_a_result_without_a_picture_is_shown_as_rejected_and_offers_nothing_to_decide(
    reviewer: Person, job_id: str
) -> None:
    claimed(reviewer, job_id)
    page = reviewer.open(f"/reviews/{job_id}?photo=3")
    assert "decision" not in page.forms
    assert "No picture" in page.html.select_one(".side").text
    assert "The photo cannot be decoded." in page.html.select_one(".side").text
    assert "it counts as rejected" in text(page)


def test_the_page_shows_what_was_asked_for_and_what_the_machine_found(
    reviewer: Person, api: Api, container: Container
) -> None:
    job_id = api.order(interior=[photo("HALF"), PHOTO], **STAGED)["jobId"]
    work(container, automatic=False)
    page = reviewer.open(f"/reviews/{job_id}")
    for words in (
        "Virtual staging",
        "Mid century modern, as living room",
        "Floor: Light oak planks",
        "Reference: oak",
        "Declined HDR balance: Not available.",
        "Would pass",
    ):
        assert words in text(page)
    for strange in ("0", "9", "-1", "x", "9" * 40):
        assert "Photo 1 of 2" in text(reviewer.open(f"/reviews/{job_id}?photo={strange}"))


def test_staff_need_no_email_of_customers(reviewer: Person, job_id: str, api: Api) -> None:
    for path in ("/reviews", f"/reviews/{job_id}", f"/reviews/{job_id}/finish", "/reviews/log"):
        answer = reviewer.web.get(path, expect_errors=True)
        assert "jo@example.com" not in answer.text


def test_a_claim_that_runs_out_is_warned_of_and_then_told(
    reviewer: Person, sam: Person, clock: FakeClock, job_id: str, container: Container
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


def test_an_undecided_review_cannot_be_finished(reviewer: Person, sam: Person, job_id: str, api: Api) -> None:
    reviewer.open(f"/reviews/{job_id}/finish", status=409)
    claimed(reviewer, job_id)
    page = reviewer.open(f"/reviews/{job_id}/finish", status=409)
    assert "Not yet: 2 photos still to be decided." in text(page)
    reviewer.post(f"/reviews/{job_id}/finish", status=409, seal="x")
    sam.post(f"/reviews/{job_id}/finish", status=409)
    assert api.status(job_id)["status"] == "qc_review"


def test_what_was_changed_in_another_tab_is_shown_before_finishing(reviewer: Person, api: Api, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    for _ in range(2):
        page = approve(reviewer, page)
    ready = reviewer.open(f"/reviews/{job_id}/finish")
    reject(reviewer, reviewer.open(f"/reviews/{job_id}?photo=1"))
    page = reviewer.send(ready.forms["finish"], status=409)
    assert "A decision was changed" in text(page)
    assert api.status(job_id)["status"] == "qc_review"
    done = reviewer.open(f"/reviews/{job_id}/finish").forms["finish"]
    reviewer.send(done)
    assert "The review is over" in text(reviewer.send(done, status=409))


def test_settled_orders_can_be_looked_at_but_not_changed(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
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


def test_keys_are_listed_and_can_be_switched_off_for_good(reviewer: Person, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    frame = page.html.select_one("#review")
    assert frame.has_attr("data-keys")
    assert frame["tabindex"] == "0"
    assert [each["data-key"] for each in frame.select("[data-key]")] == ["ArrowRight", "a", "r"]
    assert "A approve and go on" in text(page)
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


def test_a_claim_holds_as_long_as_the_pages_say(container: Container, reviewer: Person, job_id: str) -> None:
    claimed(reviewer, job_id)
    with container.database.read_session() as session:
        job = claims.job(session, job_id)
    assert job.review_until == container.clock() + CLAIM_HOLDS
