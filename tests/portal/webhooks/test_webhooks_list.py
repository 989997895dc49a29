"""Webhooks in the browser: the list, one webhook and how it does, and its buttons."""

import pytest

from app.container import Container
from app.domain.sending import DeliveryState
from app.domain.webhooks import MAX_WEBHOOKS
from app.services.webhooks import health
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person, csrf_of
from tests.portal.webhooks.hooking import NOBODYS_WEBHOOK, happen, hook_of, main, text
from tests.services.hooks import TIMEOUT, FakeTransport, all_deliveries, answered, deliver_all, sweep, webhook


def give_up(container: Container, clock: FakeClock, times: int = 1) -> None:
    """Let so many waiting deliveries come to the end of their attempts."""
    for _ in range(4):
        clock.pass_(seconds=4000)
        for _ in range(times):
            sweep(container)


def test_who_has_none_hears_what_webhooks_replace_and_how_to_begin(person: Person) -> None:
    page = person.open("/webhooks")
    assert "every 30 seconds" in main(page)
    assert page.html.select_one(".empty a.primary")["href"] == "/webhooks/new"
    assert not page.html.select("table")


def test_it_is_one_of_the_areas_for_developers_for_who_is_signed_in(
    person: Person, stranger: Person, hook: str
) -> None:
    assert not stranger.open("/docs").html.select('nav[aria-label="Developers"]')
    page = person.open("/keys").click("Webhooks")
    assert page.html.select_one('nav[aria-label="Developers"] [aria-current="page"]').text == "Webhooks"
    for path in (f"/webhooks/{hook}", f"/webhooks/{hook}/deliveries"):
        assert (
            person.open(path).html.select_one('nav[aria-label="Main"] [aria-current="true"]').text == "Developers"
        )


def test_a_row_tells_the_webhook_in_words(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    clock.pass_(seconds=1)
    hook_of(person, container, "job.created", "job.failed", url="https://two.example/x")
    transport.results = [answered(503)]
    happen(container, hook)
    first, second = person.open("/webhooks").html.select("tbody tr")
    assert first.a["href"] == f"/webhooks/{hook}"
    assert [text(each) for each in first.select("td")] == [
        "The usual events",
        "Nothing sent yet",
        "To be retried 503 Nov 20, 2026, 12:00 UTC",
    ]
    assert [text(each) for each in second.select("td")] == ["2 events", "Nothing sent yet", "None yet"]
    transport.results = [answered(204)]
    happen(container, hook)
    (row, _) = person.open("/webhooks").html.select("tbody tr")
    assert [text(each) for each in row.select("td")][1:] == ["Working", "Delivered 204 Nov 20, 2026, 12:00 UTC"]


def test_after_three_failed_deliveries_a_banner_says_so(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    happen(container, hook, 2)
    give_up(container, clock, 2)
    person.begin_signed_in()
    page = person.open("/webhooks")
    assert not page.html.select(".notice")
    assert "Some failures" in main(page)
    happen(container, hook)
    give_up(container, clock)
    person.begin_signed_in()
    page = person.open("/webhooks")
    assert "agency.example is failing. 3 deliveries failed for good" in text(page.html.select_one(".notice.bad"))
    assert page.html.select_one(".notice a")["href"] == f"/webhooks/{hook}/deliveries?result=failed"
    assert "Failing" in text(page.html.tbody)
    shown = person.open(f"/webhooks/{hook}")
    assert "It is failing. 3 deliveries failed for good" in text(shown.html.select_one(".notice.bad"))
    assert shown.html.select_one(f'.notice a[href="/webhooks/{hook}/deliveries/failed"]')


def test_the_page_tells_health_in_figures(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    assert "No attempts" in main(person.open(f"/webhooks/{hook}"))
    transport.meanwhile = lambda _: clock.pass_(seconds=0.4)
    transport.results = [answered(200)] * 3 + [answered(500)]
    happen(container, hook, 4)
    page = person.open(f"/webhooks/{hook}")
    figures = {text(each.dt): text(each.dd) for each in page.html.select(".figures div")}
    assert figures == {
        "Last success": "Nov 20, 2026, 12:00 UTC",
        "Failed, last 24 hours": "25 % of 4 attempts",
        "95 % answer within": "400 ms",
        "Waiting": "1 waiting",
        "Held": "0",
        "Failed": "0",
    }
    assert page.html.select_one(".figures a")["href"] == f"/webhooks/{hook}/deliveries?result=waiting"


def test_a_slow_receiver_is_told_so(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [TIMEOUT]
    happen(container, hook)
    page = person.open(f"/webhooks/{hook}")
    assert "It answers slowly. It gets one delivery at a time until Nov 20, 2026, 12:05 UTC" in main(page)
    assert "No answer in 10 s" in main(person.open("/webhooks"))


def test_many_are_counted_so_far_and_no_further(
    person: Person, container: Container, hook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "MAX_COUNTED", 2)
    person.post(f"/webhooks/{hook}/off")
    happen(container, hook, 4)
    assert "2+ held" in text(person.open(f"/webhooks/{hook}").html.select_one(".figures + .figures"))


def test_off_holds_and_on_again_sends_what_is_held_with_one_click(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    page = person.open(f"/webhooks/{hook}")
    (off,) = [form for form in page.forms.values() if form.action == f"/webhooks/{hook}/off"]
    page = person.send(off)
    assert "The webhook is off. New events are held" in main(page)
    assert "You switched it off." in main(page)
    assert not page.html.select("#send-test"), "nothing can be tried while it is off"
    happen(container, hook, 2)
    assert transport.sent == []
    page = person.open(f"/webhooks/{hook}")
    assert not [form for form in page.forms.values() if form.action.endswith("/release")]
    on = next(form for form in page.forms.values() if form.action == f"/webhooks/{hook}/on")
    page = person.send(on)
    assert "2 deliveries are held" in main(page)
    (release,) = [form for form in page.forms.values() if form.action.endswith("/release")]
    page = person.send(release)
    assert "2 held deliveries are on their way" in main(page)
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.SUCCEEDED] * 2


def test_releasing_while_it_is_off_is_refused_in_plain_words(person: Person, hook: str) -> None:
    person.post(f"/webhooks/{hook}/off")
    page = person.post(f"/webhooks/{hook}/release", status=409)
    assert page.html.select_one("[role=alert]").text == "The webhook is off; turn it on first."
    assert page.html.h1.text == "agency.example"


def test_a_reason_for_being_off_is_told(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(410)]
    happen(container, hook)
    assert "Off The receiver answered 410 Gone." in main(person.open("/webhooks"))
    assert "The webhook is off. The receiver answered 410 Gone." in main(person.open(f"/webhooks/{hook}"))


def test_a_test_event_leads_to_its_delivery(person: Person, container: Container, hook: str) -> None:
    page = person.send(person.open(f"/webhooks/{hook}").forms["send-test"])
    assert page.request.path.startswith("/webhooks/deliveries/dlv_")
    assert page.html.select_one("#refresh")["href"] == page.request.path
    deliver_all(container)
    page = person.open(page.html.select_one("#refresh")["href"])
    assert "Delivered 204" not in main(page)
    assert "Delivered 200" in main(page)


def test_its_answer_comes_inline_and_is_asked_for_until_there_is_one(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.meanwhile = lambda _: clock.pass_(seconds=0.12)
    form = person.open(f"/webhooks/{hook}").html.select_one("#send-test")
    assert form["data-hx-post"] == form["action"]
    token = {"csrf_token": csrf_of(person.open("/webhooks"))}
    answer = person.web.post(form["data-hx-post"], token, headers={"HX-Request": "true"})
    outcome = answer.html.select_one("#outcome")
    assert (outcome["data-hx-trigger"], text(outcome.select_one(".result"))) == ("every 2s", "Waiting")
    assert answer.html.select_one("#status").text.strip() == "Test event: Waiting"
    asked = outcome["data-hx-get"]
    assert not person.fragment(asked).html.select("#status"), "nothing moved, so nothing is said"
    deliver_all(container)
    answer = person.fragment(asked)
    outcome = answer.html.select_one("#outcome")
    assert text(outcome).startswith("Delivered 200 in 120 ms Open the delivery")
    assert not outcome.has_attr("data-hx-get"), "what ended is not asked for again"
    assert answer.html.select_one("#status").text == "Test event: Delivered 200"
    assert person.open(asked).request.path == outcome.a["href"], "without htmx it is the delivery's page"


def test_a_failing_test_event_says_why_and_when_it_is_tried_again(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [TIMEOUT]
    page = person.send(person.open(f"/webhooks/{hook}").forms["send-test"])
    deliver_all(container)
    outcome = person.fragment(f"{page.request.path}/outcome").html.select_one("#outcome")
    assert "To be retried No answer in 10 s" in text(outcome)
    assert "It is tried again in 3" in text(outcome)
    assert outcome["data-hx-trigger"] == "every 15s"


def test_a_test_while_it_is_off_is_refused_in_both_manners(person: Person, hook: str) -> None:
    person.post(f"/webhooks/{hook}/off")
    page = person.post(f"/webhooks/{hook}/test", status=409)
    assert "The webhook is off; turn it on first." in text(page.html.select_one("[role=alert]"))
    token = {"csrf_token": csrf_of(page)}
    asked = {"headers": {"HX-Request": "true"}, "expect_errors": True}
    answer = person.web.post(f"/webhooks/{hook}/test", token, **asked)
    assert answer.status_int == 422, "which htmx shows; a 409 it would drop"
    assert "turn it on first" in answer.text
    assert "<h1" not in answer.text


def test_deleting_asks_first_and_says_what_goes(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(500)]
    happen(container, hook, 3)
    page = person.open(f"/webhooks/{hook}/delete")
    assert "3 deliveries that wait or are held are not sent" in main(page)
    assert webhook(container, hook).active, "looking deletes nothing"
    (form,) = [form for form in page.forms.values() if form.action == f"/webhooks/{hook}/delete"]
    page = person.send(form)
    assert "The webhook is deleted" in main(page)
    assert "No webhooks yet" in main(page)
    person.open(f"/webhooks/{hook}", 404)
    person.post(f"/webhooks/{hook}/delete", status=404)


def test_at_twenty_the_list_says_so_and_offers_no_more(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    for number in range(MAX_WEBHOOKS):
        hook_of(person, container, url=f"https://{number}.example/")
    page = person.open("/webhooks")
    assert "20 of 20 that an account may have. Delete one to add another" in text(page.html.caption)
    assert not page.html.select('main a[href="/webhooks/new"]')


GETS = (
    "",
    "/edit",
    "/secret",
    "/delete",
    "/deliveries",
    "/deliveries/failed",
    "/deliveries/failed?since=2026-11-01T00:00",
)
POSTS = ("/edit", "/secret", "/secret/switch", "/delete", "/on", "/off", "/test", "/release", "/deliveries/failed")


def test_nothing_of_anothers_webhook_can_be_seen_or_done(
    new_person: NewPerson, container: Container, hook: str
) -> None:
    other = new_person("kim@example.com")
    before = webhook(container, hook).__dict__.copy()
    fields = {"url": "https://evil.example/", "events": "job.created", "since": "2026-11-01T00:00", "version": "x"}
    for webhook_id in (hook, NOBODYS_WEBHOOK, "nonsense", "%00", "whk_" + "%C3%A9" * 22):
        for path in GETS:
            assert "Not found" in other.open(f"/webhooks/{webhook_id}{path}", 404).text
        for path in POSTS:
            other.post(f"/webhooks/{webhook_id}{path}", status=404, **fields)
    after = webhook(container, hook).__dict__
    ignored = ("_sa_instance_state",)
    assert {k: v for k, v in after.items() if k not in ignored} == {
        k: v for k, v in before.items() if k not in ignored
    }
    assert all_deliveries(container) == []


def test_script_in_an_address_is_shown_and_not_obeyed(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    hook = hook_of(person, container, url='https://x.example/"><script>alert(1)</script>')
    for path in ("", f"/{hook}", f"/{hook}/edit", f"/{hook}/delete", f"/{hook}/deliveries", f"/{hook}/secret"):
        page = person.open(f"/webhooks{path}")
        assert "<script>alert" not in page.text
    assert "<script>alert(1)</script>" in person.open("/webhooks").html.select_one("tbody th").text
