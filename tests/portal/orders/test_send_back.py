"""A customer sends a result back on the page of results, watches it, compares it with the picture before."""

from collections.abc import Callable

import pytest

from app.container import Container
from tests.conftest import PHOTO, Api, develop, pack_up, revise, work
from tests.fakes import FakeClock, photo
from tests.portal.person import Person
from tests.sent_back import ordered, result_of, rounds

NewPerson = Callable[..., Person]
STEPS = ("hdr_enhancement", "virtual_staging")


@pytest.fixture
def job_id(container: Container, api: Api) -> str:
    """The person's finished order of two rooms."""
    return ordered(api, container, *STEPS, contents=(PHOTO, photo("SECOND")))


def results(job_id: str, number: int = 1) -> str:
    return f"/orders/{job_id}/results?photo={number}"


def fill(page, reason: str | None = None, message: str = "", without: str = ""):
    """The form of the page, filled in."""
    form = page.forms["send-back"]
    if reason:
        form["reason"] = reason
    form["message"], form["without"] = message, without
    return form


def section(page) -> str:
    return " ".join(page.html.select_one("#not-right").text.split())


def test_a_result_is_sent_back_and_made_again_without_scripts(
    person: Person, container: Container, job_id: str
) -> None:
    page = person.open(results(job_id, 2))
    assert "Not right? Send it back" in section(page)
    assert not page.html.select_one("#not-right details").has_attr("open")
    page = person.send(fill(page, "furniture_place", "It bars\nthe door."))
    assert page.request.path == person.web.get(results(job_id, 2)).location
    for words in ("Sent back", "Being redone", "Furniture stands in the wrong place", "“It bars the door.”"):
        assert words in section(page)
    assert "send-back" not in page.forms
    assert "Sent back" in person.open(f"/properties/{job_id}").html.select_one(".shots").text
    revise(container)
    develop(container)
    page = person.open(results(job_id, 2))
    for words in ("Redone", "Compare", "The picture before"):
        assert words in section(page)
    assert "Round 2" not in section(page)
    assert "Sent back" not in person.open(f"/properties/{job_id}").html.select_one(".shots").text


def test_another_look_is_asked_for_as_in_the_order_form(person: Person, container: Container, job_id: str) -> None:
    page = person.open(results(job_id))
    assert {"Too dark", "Too bright"} <= {each.text.strip() for each in page.html.select(".flaws label")}
    offered = page.html.select('#send-back [name="options.brightness"] option')
    assert [each["value"] for each in offered] == ["", "darker", "brighter"]
    assert not page.html.select('#send-back [name="options.sky"]'), "there is no sky in it"
    form = fill(page, "too_bright")
    form["options.brightness"].force_value("blinding")
    assert "Choose from the list." in person.send(form, status=422).text
    form = fill(page, "too_bright")
    form["options.brightness"] = "darker"
    assert "Brightness: darker" in section(person.send(form))
    revise(container)
    assert container.engine.requests[-1].brightness == "darker"
    assert "Redone" in section(person.open(results(job_id)))


def test_the_picture_before_is_compared_and_downloaded(person: Person, container: Container, job_id: str) -> None:
    before = result_of(container, job_id)
    person.send(fill(person.open(results(job_id)), "furniture_place"))
    revise(container)
    develop(container)
    page = person.open(results(job_id)).click("Compare", index=0)
    shown = [each["src"] for each in page.html.select("[data-compare] img")]
    assert [person.web.get(each).content_type for each in shown] == ["image/jpeg"] * 2
    answer = page.forms["download-before"].submit("before", value=rounds(container, job_id)[0].id).follow()
    assert "interior-1-before-round-1.jpg" in answer.headers["Content-Disposition"]
    with container.storage.open(before.storage_key) as file:
        assert answer.body == file.read()


def test_a_browser_that_keeps_pictures_is_led_to_the_new_one(person: Person, container: Container, job_id) -> None:
    def stage() -> str:
        return person.open(results(job_id)).html.select_one(".stage .after img")["src"]

    before = stage()
    person.send(fill(person.open(results(job_id)), "cast"))
    revise(container)
    develop(container)
    assert stage() != before


def test_a_step_that_is_left_out_is_paid_back(person: Person, container: Container, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id)), "melted", without="virtual_staging"))
    assert "To be redone without Virtual staging." in section(page)
    revise(container)
    assert "Refunded to your balance: 1 credit." in section(person.open(results(job_id)))


def test_while_it_is_made_the_page_asks_again_and_then_no_more(
    person: Person, container: Container, job_id
) -> None:
    page = person.send(fill(person.open(results(job_id)), "cast"))
    part = page.html.select_one("#not-right[data-poll]")
    asked = {"HX-Request": "true"}
    assert person.web.get(part["data-hx-get"], headers=asked).html.select_one("#not-right[data-poll]")
    revise(container)
    answer = person.web.get(part["data-hx-get"], headers=asked).html
    done = answer.select_one("#not-right")
    assert answer.select_one("#balance[data-hx-swap-oob]").text.strip() == "Balance: 97 credits"
    assert not done.has_attr("data-poll")
    assert "See the result now" in done.text
    page = person.open(part["data-hx-get"].split("localhost")[-1])
    assert "/photos/" in page.request.path


def test_with_a_reviewer_it_says_so_and_does_not_ask(person: Person, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id)), "other"))
    assert "With a reviewer" in section(page)
    assert not page.html.select("#not-right[data-poll]")


def test_what_is_asked_fits_what_was_done_to_the_photo(person: Person, container: Container, api: Api) -> None:
    job_id = api.order(exterior=[PHOTO], interior=[PHOTO])["jobId"]
    work(container)
    outside, inside = (section(person.open(results(job_id, number))) for number in (1, 2))
    assert "became sky" in outside
    assert "became sky" not in inside
    form = person.open(results(job_id)).forms["send-back"]
    assert [value for value, *_ in form["without"].options] == [""]


def test_a_form_with_faults_comes_back_open_as_it_was_filled_in(person, container: Container, job_id) -> None:
    page = person.send(fill(person.open(results(job_id, 2)), message="n" * 501), status=422)
    assert page.html.title.text.startswith("Error: ")
    assert page.html.select_one("#not-right details").has_attr("open")
    assert [link["href"] for link in page.html.select("#send-back .summary a")] == ["#reason", "#message"]
    assert page.forms["send-back"]["message"].value == "n" * 501
    assert rounds(container, job_id) == []


def test_own_words_are_shown_as_text_whatever_they_are(person: Person, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id)), "other", "<b>bold</b>\x00"))
    assert "<b>bold</b>" in section(page)
    assert not page.html.select("#not-right b")


def test_sent_from_two_tabs_it_is_one_round_and_the_second_learns_why(
    person: Person, container: Container, job_id: str
) -> None:
    first, second = (person.open(results(job_id)) for _ in range(2))
    person.send(fill(first, "cast"))
    page = person.send(fill(second, "cast"))
    assert "already sent back" in page.text
    assert len(rounds(container, job_id)) == 1


def test_nobody_else_can_send_it_back_or_see_the_rounds(
    person: Person, container: Container, new_person: NewPerson, job_id: str
) -> None:
    action = person.open(results(job_id)).forms["send-back"].action
    person.send(fill(person.open(results(job_id)), "cast"))
    (sent,) = rounds(container, job_id)
    develop(container)
    other = new_person("kim@example.com")
    other.post(action, status=404, reason="cast")
    other.web.get(f"{action}/{sent.id}", status=404)
    for which in ("before", "made"):
        other.web.get(f"/pictures/jobs/{job_id}/rounds/{sent.id}/{which}/view", status=404)
    person.web.get(f"/pictures/jobs/{job_id}/rounds/{sent.id}/before/view", status=200)
    person.web.get(f"/pictures/jobs/{job_id}/rounds/{sent.id}/made/view", status=404)


def test_a_form_without_its_token_sends_nothing_back(person: Person, container: Container, job_id: str) -> None:
    action = person.open(results(job_id)).forms["send-back"].action
    answer = person.web.post(action, {"reason": "other"}, status=400)
    assert "open too long" in answer.text
    assert rounds(container, job_id) == []


def test_once_the_pictures_are_gone_nothing_is_sent_back(person, container: Container, clock, job_id) -> None:
    action = person.open(results(job_id)).forms["send-back"].action
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    person.sign_in()
    page = person.post(action, reason="other")
    assert "its files were removed" in page.text


def test_results_that_are_kept_for_long_say_when_it_is_too_late(person: Person, clock: FakeClock, job_id) -> None:
    clock.pass_(days=14)
    person.sign_in()
    page = person.open(results(job_id))
    assert "it is too long ago" in section(page)
    assert "send-back" not in page.forms


def test_a_pack_that_holds_an_earlier_picture_says_so(person: Person, container: Container, job_id: str) -> None:
    form = person.open(f"/orders/{job_id}/packs").forms["make-pack"]
    form["mls"] = "crmls"
    page = person.send(form)
    pack_up(container)
    person.send(fill(person.open(results(job_id)), "cast"))
    revise(container)
    assert "This pack is outdated." in person.open(page.request.path).text


def test_a_photo_without_a_result_goes_to_a_person_from_its_page(
    person: Person, container: Container, api: Api
) -> None:
    job_id = ordered(api, container, *STEPS, contents=(PHOTO, photo("DECLINE")))
    page = person.open(results(job_id, 2))
    form = page.forms["send-back"]
    form["message"] = "x" * 501
    page = person.send(form, status=422)
    assert "Use at most 500 characters" in page.html.select_one("#send-back .summary").text
    form = page.forms["send-back"]
    form["message"] = "The room is empty."
    page = person.send(form)
    for words in ("With a person", "Round 1", "“The room is empty.”", "A person looks at it"):
        assert words in section(page)
    assert "send-back" not in page.forms
    assert "Sent back" in person.open(f"/properties/{job_id}").html.select_one(".shots").text
    action = page.html.select_one("#not-right form[action$='/withdraw']")["action"]
    page = person.post(action).maybe_follow()
    assert "Withdrawn." in page.text
    assert "picture stays" not in page.text
    assert "send-back" in page.forms


def test_a_round_that_is_open_is_taken_back_and_one_that_is_over_is_not(
    person: Person, container: Container, job_id: str
) -> None:
    page = person.send(fill(person.open(results(job_id)), "cast"))
    action = page.html.select_one("#not-right form[action$='/withdraw']")["action"]
    page = person.post(action).maybe_follow()
    assert "Withdrawn. The picture stays as it is." in page.text
    assert "Withdrawn" in section(page)
    assert "send-back" in page.forms
    assert revise(container) == 0
    person.send(fill(person.open(results(job_id)), "cast"))
    action = action.replace(rounds(container, job_id)[0].id, rounds(container, job_id)[1].id)
    revise(container)
    assert "is over" in person.post(action).maybe_follow().text
