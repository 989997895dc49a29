"""One delivery in the browser: what was sent, what came back, every attempt, and sending it again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from app.container import Container
from app.domain.sending import AttemptOutcome, DeliveryResult, DeliveryState
from app.portal.webhooks.words import DASH, MAX_SHOWN, write_duration, write_percent, write_time_left
from tests.conftest import PHOTO
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.portal.webhooks.hooking import NOBODYS_DELIVERY, happen, main, text
from tests.services.hooks import TIMEOUT, FakeTransport, all_deliveries, answered, deliver_all, sweep, webhook


def rows(page) -> list[list[str]]:
    return [[text(cell) for cell in row.select("th, td")] for row in page.html.select(".tries tbody tr")]


def facts(page) -> dict[str, str]:
    return {text(each.dt): text(each.dd) for each in page.html.select(".points div")}


def headers(page) -> dict[str, str]:
    return {text(each.dt): text(each.dd) for each in page.html.select(".headers div")}


def test_a_delivery_tells_its_order_and_every_attempt_with_its_times(
    person: Person, app: Flask, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.meanwhile = lambda _: clock.pass_(seconds=0.25)
    transport.results = [
        DeliveryResult(
            AttemptOutcome.TIMEOUT, "No connection within 10 seconds.", phases={"resolve": 0.004, "connect": 9.99}
        ),
        answered(500, address="93.184.216.34", phases={"resolve": 0.003, "tls": 0.04, "answer": 1.2}),
        answered(204),
    ]
    job_id = api_of(person, app, container).order([PHOTO])["jobId"]
    deliver_all(container)
    for _ in range(2):
        clock.pass_(minutes=10)
        sweep(container)
    [delivery] = all_deliveries(container)
    page = person.open(f"/webhooks/deliveries/{delivery.id}")
    assert page.html.h1.text == "job.created"
    assert text(page.html.select_one(".title .result")) == "Delivered 204"
    told = facts(page)
    assert told["Order"] == f"12 Garden Lane, Springfield, IL 62704 {job_id}"
    assert page.html.select_one("#to-order")["href"] == f"/properties/{job_id}"
    assert (told["Created"], told["Attempts"]) == ("Nov 20, 2026, 12:00 UTC", "3 of 5")
    assert page.html.select_one("#delivery-id").text == delivery.id
    assert rows(page) == [
        ["3", "204", "Nov 20, 2026, 12:20 UTC", "250 ms", DASH],
        [
            "2",
            "500",
            "Nov 20, 2026, 12:10 UTC",
            "250 ms Find the address 3 ms TLS 40 ms Wait for the answer 1.2 s",
            "93.184.216.34",
        ],
        [
            "1",
            "No answer in 10 s No connection within 10 seconds.",
            "Nov 20, 2026, 12:00 UTC",
            "250 ms Find the address 4 ms Connect 10.0 s",
            DASH,
        ],
    ]
    assert not page.html.select("[data-hx-get]"), "what is settled is not asked for again"


@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        (500, "The receiver answered 500.", "500"),
        (302, "The receiver answered 302; redirects are not followed.", None),
    ],
)
def test_a_status_is_not_said_twice_but_what_goes_beyond_it_is(
    person: Person, container: Container, transport: FakeTransport, hook: str, status: int, message: str, told: str
) -> None:
    transport.results = [replace(answered(status), message=message)]
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}?show=response")
    assert rows(page)[0][1] == (told or f"{status} {message}")
    assert (message in main(page)) is (told is None)


def test_the_request_shows_the_signature_and_never_the_secret(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    body = '{"event":"job.created","data":{"address":"5 </pre><script>alert(1)</script> Lane"}}'
    [delivery_id] = happen(container, hook, body=body)
    page = person.open(f"/webhooks/deliveries/{delivery_id}?show=request")
    sent = dict(transport.sent[0].headers)
    assert headers(page) == sent
    assert "sha256=" in headers(page)["X-Service-Signature"]
    secret = container.vault.open(webhook(container, hook).secret)
    assert secret not in page.text
    assert secret.removeprefix("whsec_") not in page.text
    assert '\n  "event": "job.created",' in page.html.select_one("#body pre").text
    assert page.html.select_one("#raw pre").text == body
    assert "<script>alert" not in page.text
    assert page.html.select_one('.tabs [aria-current="page"]').text == "Request"


def test_the_response_is_shown_as_text_in_part_and_never_obeyed(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    hostile = {"X-Bad": "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>': "y", "Server": "nginx"}
    content = b"</pre><script>alert(2)</script>\x00\xff\x1b[31m" + b"x" * 16_000
    transport.results = [answered(500, headers=hostile, body=content)]
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert page.html.select_one('.tabs [aria-current="page"]').text == "Response", "where the news is"
    assert headers(page) == hostile
    shown = page.html.select_one("#body pre").text
    assert shown.startswith("</pre><script>alert(2)</script> \ufffd [31mxxx")
    assert len(shown) == MAX_SHOWN
    assert "Only the beginning is shown." in main(page)
    assert "<script>alert" not in page.text
    assert "<img src=x" not in page.text
    assert "\x00" not in page.text


def test_a_timeout_is_told_in_words_and_not_as_a_code(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [TIMEOUT]
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert text(page.html.select_one(".title .result")) == "To be retried No answer in 10 s"
    assert "No answer within 10 seconds." in main(page)


def test_each_attempt_and_each_side_has_an_address(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500, body=b"first answer"), answered(200, body=b"second answer")]
    [delivery_id] = happen(container, hook)
    clock.pass_(minutes=1)
    sweep(container)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert "second answer" in main(page)
    page = person.open(page.html.select_one("#attempt-1")["href"])
    assert "first answer" in main(page)
    assert text(page.html.select_one("#content")) == "Attempt 1"
    page = person.open(page.html.select_one("#request")["href"])
    assert headers(page)["X-Service-Attempt"] == "1"
    page = person.open(page.html.select_one("#attempt-2")["href"])
    assert headers(page)["X-Service-Attempt"] == "2", "the side stays"
    for odd in ("attempt=99", "attempt=0", "attempt=-1", "attempt=x", "attempt=99999999999999999999", "show=<b>"):
        assert "second answer" in main(person.open(f"/webhooks/deliveries/{delivery_id}?{odd}"))


def test_redelivering_sends_the_same_id_once_more_by_hand(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    form = page.forms["redeliver"]
    page = person.send(form)
    assert "Sent again" in main(page)
    live = page.html.select_one("#delivery")
    assert live["data-hx-trigger"] == "every 2s"
    assert "redeliver" not in page.forms, "while it is under way it is not offered"
    page = person.send(form, status=409)
    assert text(page.html.select_one("[role=alert]")) == "The delivery is on its way already."
    deliver_all(container)
    answer = person.fragment(live["data-hx-get"])
    assert "<h1" in answer.text
    assert "<header" not in answer.text
    assert not answer.html.select_one("#delivery").has_attr("data-hx-get")
    assert answer.html.select_one("#status").text == "job.created: Delivered 200"
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert facts(page)["Attempts"] == "2, by hand"
    assert [row[0] for row in rows(page)] == ["2, by hand", "1"]
    assert [each.headers["X-Service-Delivery"] for each in transport.sent] == [delivery_id] * 2
    assert transport.sent[1].headers["X-Service-Redelivery"] == "true"


def test_a_delivery_that_waits_for_its_next_try_can_be_retried_now(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(500), answered(204)]
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert "redeliver" not in page.forms
    form = page.forms["retry"]
    page = person.send(form)
    assert "The next try is on its way now." in main(page)
    assert "retry" not in page.forms, "it is due already"
    page = person.send(form, status=409)
    assert text(page.html.select_one("[role=alert]")) == "The delivery does not wait for another try."
    deliver_all(container)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert facts(page)["Attempts"].startswith("2")
    assert text(page.html.select_one(".title .result")).startswith("Delivered")


def test_while_the_webhook_is_off_nothing_is_redelivered_and_the_page_says_why(
    person: Person, container: Container, hook: str
) -> None:
    [delivery_id] = happen(container, hook)
    person.post(f"/webhooks/{hook}/off")
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert "redeliver" not in page.forms
    assert "The webhook is off. Turn it on to send this again." in main(page)
    page = person.post(f"/webhooks/deliveries/{delivery_id}/redeliver", status=409)
    assert text(page.html.select_one("[role=alert]")) == "The webhook is off; turn it on first."


def test_a_held_delivery_leads_to_where_it_is_released(person: Person, container: Container, hook: str) -> None:
    person.post(f"/webhooks/{hook}/off")
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert text(page.html.select_one(".title .result")) == "Held"
    link = page.html.select_one("#to-held")
    assert (link["href"], link.text) == (f"/webhooks/{hook}", "Go to the webhook to turn it on")
    assert "Nothing was sent yet." in main(person.open(f"/webhooks/deliveries/{delivery_id}?show=response"))


def test_while_it_moves_the_page_asks_often_at_first_and_seldom_before_a_retry(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    [delivery_id] = happen(container, hook)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    live = page.html.select_one("#delivery")
    assert live["data-hx-trigger"] == "every 15s"
    assert "The next try is in 3" in main(page)
    assert page.html.select("[data-stale][hidden]")
    assert all(each.get("id") for each in live.select("a, button, summary, [tabindex]")), "the focus is kept by ids"
    clock.pass_(seconds=40)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert page.html.select_one("#delivery")["data-hx-trigger"] == "every 2s"
    assert "It will be sent in a moment." in main(page)
    clock.pass_(minutes=3)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert page.html.select_one("#delivery")["data-hx-trigger"] == "every 15s", "nobody sends: there is no hurry"


def test_one_that_is_being_sent_says_so(
    person: Person, container: Container, transport: FakeTransport, hook: str
) -> None:
    seen = []
    transport.meanwhile = lambda request: seen.append(
        person.open(f"/webhooks/deliveries/{request.headers['webhook-id']}?show=response")
    )
    happen(container, hook)
    [page] = seen
    assert "It is being sent to your receiver now." in main(page)
    assert "No answer yet." in main(page)
    assert text(page.html.select_one(".title .result")) == "Being sent"


@pytest.mark.long
def test_of_very_many_attempts_the_newest_are_listed(person: Person, container: Container, hook: str) -> None:
    [delivery_id] = happen(container, hook)
    for _ in range(55):
        person.web.post(
            f"/webhooks/deliveries/{delivery_id}/redeliver",
            {"csrf_token": person.token()},
        )
        deliver_all(container)
    page = person.open(f"/webhooks/deliveries/{delivery_id}")
    assert len(rows(page)) == 50
    assert "The newest 50 of 56" in main(page)
    assert facts(page)["Attempts"] == "56, by hand"
    assert "Attempt 1" in text(
        person.open(f"/webhooks/deliveries/{delivery_id}?attempt=1").html.select_one("#content")
    )


def test_nothing_of_anothers_delivery_can_be_seen_or_sent(
    person: Person, new_person: NewPerson, container: Container, hook: str
) -> None:
    other = new_person("kim@example.com")
    [delivery_id] = happen(container, hook)
    for each in (delivery_id, NOBODYS_DELIVERY, "nonsense", "%00", "dlv_" + "%00" * 22):
        for path in ("", "?show=response", "/outcome"):
            assert "Not found" in other.open(f"/webhooks/deliveries/{each}{path}", 404).text
        other.fragment(f"/webhooks/deliveries/{each}/outcome", 404)
        other.post(f"/webhooks/deliveries/{each}/redeliver", status=404)
    person.post(f"/webhooks/{hook}/delete")
    person.open(f"/webhooks/deliveries/{delivery_id}", 404)


@pytest.mark.parametrize("path", ["/webhooks/{hook}/on", "/webhooks/deliveries/{delivery}/redeliver", "/webhooks"])
def test_a_form_without_its_token_changes_nothing(
    person: Person, container: Container, hook: str, path: str
) -> None:
    [delivery_id] = happen(container, hook)
    answer = person.web.post(path.format(hook=hook, delivery=delivery_id), {"url": "x"}, expect_errors=True)
    assert answer.status_int == 400
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.SUCCEEDED]


def test_lengths_of_time_are_short_and_never_rounded_over_an_edge() -> None:
    assert [write_duration(each) for each in (None, 0, 0.0004, 0.9994, 0.9996, 10, timedelta(seconds=1.26))] == [
        DASH,
        "0 ms",
        "0 ms",
        "999 ms",
        "1.0 s",
        "10.0 s",
        "1.3 s",
    ]
    assert [write_percent(each) for each in (None, 0, 0.004, 0.25, 1)] == [DASH, "0 %", "0.4 %", "25 %", "100 %"]
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    told = [write_time_left(now + timedelta(seconds=each), now) for each in (-5, 0, 0.2, 99, 100, 600, 3600, 3700)]
    assert told == ["Now", "Now", "In 1 s", "In 99 s", "In 2 min", "In 10 min", "In 1 h", "In 1 h 2 min"]
