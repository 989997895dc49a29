"""What a reviewer is shown of an order, decides photo by photo, and may change until the end."""

from typing import Any

from app.container import Container
from app.domain.reviews import MAX_REASON, USUAL_REASONS
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo
from tests.portal.person import Person
from tests.portal.reviews.review_hands import approve, claimed, reject, results_of, text

STAGED = {
    "interiorEnhancements": ["virtual_staging", "virtual_renovation", "hdr_enhancement"],
    "virtualStaging": {"0": {"style": "mid_century_modern", "roomType": "living_room"}},
    "renovations": {
        str(place): [{"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "oak"}]
        for place in range(2)
    },
}


def test_decisions_lead_from_photo_to_photo_and_to_the_end(reviewer: Person, api: Api, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    assert "1 of 3 decided" in text(page)
    assert "2 photos still undecided." in text(page)
    assert page.html.select_one("[aria-disabled=true]").text == "Finish review"
    page = approve(reviewer, page)
    assert page.request.query_string == "photo=2"
    assert "2 of 3 decided" in text(page)
    page = reject(reviewer, page, own="Look at the lamp.")
    assert "3 of 3 decided" in text(page)
    assert "2 rejected. The customer gets 1 photo, and 2 credits are refunded." in text(page)
    page = reviewer.open(f"/reviews/{job_id}/finish")
    assert "interior-2: Edges show a halo. Look at the lamp." in text(page)
    assert "Nothing can be changed afterwards" in text(page)
    page = reviewer.send(page.forms["finish"])
    assert page.request.path == "/reviews"
    assert "The customer gets 1 photo, and 2 credits are refunded." in text(page)
    assert api.status(job_id)["status"] == "approved"
    assert api.credits() == 99


def test_after_the_last_photo_the_ones_passed_over_come(reviewer: Person, job_id: str) -> None:
    claimed(reviewer, job_id)
    page = approve(reviewer, reviewer.open(f"/reviews/{job_id}?photo=2"))
    assert page.request.query_string == "photo=1"
    assert approve(reviewer, page).request.query_string == "photo=1"


def test_rejecting_everything_says_what_becomes_of_the_order(reviewer: Person, api: Api, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    for _ in range(2):
        page = reject(reviewer, page)
    assert "All rejected: the order becomes Not deliverable, 3 credits are refunded." in text(page)
    page = reviewer.send(reviewer.open(f"/reviews/{job_id}/finish").forms["finish"])
    assert api.status(job_id)["status"] == "undeliverable"
    assert "Not deliverable" in text(reviewer.open("/reviews/settled"))


def test_a_rejection_without_a_reason_comes_back_with_the_page(reviewer: Person, job_id: str) -> None:
    page = claimed(reviewer, job_id)
    page = reject(reviewer, page, usual="", status=422)
    assert page.html.title.text.startswith("Error: ")
    assert page.html.select_one('.summary a[href="#usual"]').text == "Enter why it is rejected."
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


def test_staff_need_no_email_of_customers(reviewer: Person, job_id: str) -> None:
    for path in ("/reviews", f"/reviews/{job_id}", f"/reviews/{job_id}/finish", "/reviews/log"):
        answer = reviewer.web.get(path, expect_errors=True)
        assert "jo@example.com" not in answer.text


def test_an_undecided_review_cannot_be_finished(reviewer: Person, sam: Person, job_id: str, api: Api) -> None:
    reviewer.open(f"/reviews/{job_id}/finish", status=409)
    claimed(reviewer, job_id)
    page = reviewer.open(f"/reviews/{job_id}/finish", status=409)
    assert "Not yet: 2 photos still undecided." in text(page)
    reviewer.post(f"/reviews/{job_id}/finish", status=409, version="x")
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
