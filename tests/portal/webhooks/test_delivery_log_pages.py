"""The log of deliveries in the browser: told, filtered, paged, polled; and everything that failed sent again."""

import re

import pytest
from flask import Flask

from app.container import Container
from app.domain.sending import DeliveryState
from app.portal.webhooks.words import DASH
from app.services.webhooks.pages import PAGE
from tests.conftest import PHOTO, work
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.portal.webhooks.hooking import NOBODYS_DELIVERY, happen, hook_of, main, text
from tests.services.hooks import TIMEOUT, FakeTransport, all_deliveries, answered, deliver_all, sweep


def cells(page) -> list[dict[str, str]]:
    return [
        {each["data-label"]: text(each) for each in row.select("[data-label]")}
        for row in page.html.select("#deliveries tbody tr")
    ]


def ids(page) -> list[str]:
    return [each.a["id"] for each in page.html.select("#deliveries tbody th")]


def fail(container: Container, clock: FakeClock, hook: str, count: int) -> list[str]:
    """So many deliveries that are given up, as the receiver answers now."""
    made = happen(container, hook, count)
    for _ in range(4):
        clock.pass_(seconds=4000)
        for _ in range(count):
            sweep(container)
    return made


def test_an_empty_log_says_so_and_offers_a_test(person: Person, container: Container, hook: str) -> None:
    page = person.open(f"/webhooks/{hook}/deliveries")
    assert "No deliveries yet" in main(page)
    assert "Redeliver failed deliveries" not in main(page)
    (form,) = [form for form in page.forms.values() if form.action.endswith("/test")]
    assert person.send(form).request.path.startswith("/webhooks/deliveries/")
    person.post(f"/webhooks/{hook}/off")
    other = hook_of(person, container)
    person.post(f"/webhooks/{other}/off")
    page = person.open(f"/webhooks/{other}/deliveries")
    assert "The webhook is off. Turn it on to try it." in main(page)
    assert not [form for form in page.forms.values() if form.action.endswith("/test")]


def test_a_row_tells_result_event_delivery_order_times_and_attempts(
    person: Person, app: Flask, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(204), TIMEOUT]
    job_id = api_of(person, app, container).order([PHOTO])["jobId"]
    deliver_all(container)
    clock.pass_(minutes=1)
    [second] = happen(container, hook)
    page = person.open(f"/webhooks/{hook}/deliveries")
    first = all_deliveries(container)[0].id
    soon = cells(page)[0]["Next try"]
    assert re.fullmatch(r"In 3\d s", soon), "half a minute, and a little more that nobody can foresee"
    assert cells(page) == [
        {
            "Result": "To be retried No answer in 10 s",
            "Event": "job.created",
            "Delivery": second,
            "Order": "None",
            "Created": "Nov 20, 2026, 12:01 UTC",
            "Attempts": "1 of 5",
            "Next try": soon,
        },
        {
            "Result": "Delivered 204",
            "Event": "job.created",
            "Delivery": first,
            "Order": f"12 Garden Lane, Springfield, IL 62704 {job_id}",
            "Created": "Nov 20, 2026, 12:00 UTC",
            "Attempts": "1 of 5",
            "Next try": DASH,
        },
    ]
    assert page.html.select_one(f"#order-of-{first}")["href"] == f"/properties/{job_id}"
    assert "newest first" in text(page.html.caption)
    assert "kept for 7 days" in main(page)


def test_result_event_and_order_filter_and_stand_in_the_address(
    person: Person, app: Flask, container: Container, transport: FakeTransport, hook: str
) -> None:
    transport.results = [answered(200), answered(200), answered(500)]
    client = api_of(person, app, container)
    jobs = [client.order([PHOTO])["jobId"] for _ in range(2)]
    deliver_all(container)
    work(container)
    deliver_all(container)
    page = person.open(f"/webhooks/{hook}/deliveries")
    assert [option[2] for option in page.forms["filter"]["result"].options] == [
        "All",
        "Delivered",
        "Failed",
        "Waiting",
        "Being sent",
        "Held",
    ]

    def filtered(**wanted: str) -> list[dict[str, str]]:
        form = person.open(f"/webhooks/{hook}/deliveries").forms["filter"]
        for name, value in wanted.items():
            form[name] = value
        page = person.send(form)
        assert all(f"{name}={value}" in page.request.query_string for name, value in wanted.items())
        assert all(page.forms["filter"][name].value == value for name, value in wanted.items())
        assert page.html.select_one("#filter a")["href"] == f"/webhooks/{hook}/deliveries"
        return cells(page)

    assert [each["Result"] for each in filtered(result="succeeded")] == ["Delivered 200"] * 2
    assert {each["Event"] for each in filtered(event="job.approved")} == {"job.approved"}
    of_one = filtered(job=jobs[0])
    assert {each["Order"].split()[-1] for each in of_one} == {jobs[0]}
    assert len(of_one) == len(all_deliveries(container)) // 2
    assert [each["Event"] for each in filtered(job=jobs[1], result="succeeded", event="job.created")] == [
        "job.created"
    ]
    assert filtered(result="held") == []


@pytest.mark.parametrize("query", ["job=job_x", "job=%00", "job=%F0%9F", "job=" + "x" * 5000, 'job="><script>'])
def test_an_order_number_may_be_anything_and_finds_nothing(
    person: Person, container: Container, hook: str, query: str
) -> None:
    happen(container, hook)
    page = person.open(f"/webhooks/{hook}/deliveries?{query}")
    if page.forms["filter"]["job"].value:
        assert "Nothing matches" in main(page)
        assert page.html.select_one("#clear")["href"] == f"/webhooks/{hook}/deliveries"
    else:
        assert len(cells(page)) == 1


def test_results_and_events_that_do_not_exist_filter_nothing(
    person: Person, container: Container, hook: str
) -> None:
    happen(container, hook)
    assert len(cells(person.open(f"/webhooks/{hook}/deliveries?result=nonsense&event=%00"))) == 1


def test_pages_are_links_that_keep_the_filter(person: Person, container: Container, hook: str) -> None:
    made = happen(container, hook, PAGE + 2)
    first = person.open(f"/webhooks/{hook}/deliveries?result=succeeded&event=job.created")
    assert ids(first) == made[:1:-1]
    assert not first.html.select("#newest")
    second = person.open(first.html.select_one("#older")["href"])
    assert {"result=succeeded", "event=job.created"} < {*second.request.query_string.split("&")}
    assert ids(second) == made[1::-1]
    assert not second.html.select("#older")
    assert ids(person.open(second.html.select_one("#newest")["href"])) == ids(first)
    last = person.open(f"/webhooks/{hook}/deliveries?after={made[0]}")
    assert "No older deliveries" in main(last)


def test_a_place_in_another_log_is_not_found(
    person: Person, new_person: NewPerson, container: Container, hook: str
) -> None:
    theirs = happen(container, hook_of(new_person("kim@example.com"), container))[0]
    beside = happen(container, hook_of(person, container))[0]
    for after in (theirs, beside, NOBODYS_DELIVERY, "x", "%00"):
        person.open(f"/webhooks/{hook}/deliveries?after={after}", 404)


def test_the_log_asks_again_while_something_on_it_moves_and_then_stops(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500), answered(200)]
    happen(container, hook)
    page = person.open(f"/webhooks/{hook}/deliveries?event=job.created")
    shown = page.html.select_one("#deliveries")
    assert shown["data-hx-trigger"] == "every 15s"
    assert shown.has_attr("data-poll")
    assert "event=job.created" in shown["data-hx-get"]
    focusable = shown.select("a, button")
    assert focusable
    assert all(each.get("id") for each in focusable)
    answer = person.fragment(shown["data-hx-get"])
    assert "<h1" not in answer.text
    assert "HX-Request" in answer.headers["Vary"]
    clock.pass_(minutes=1)
    sweep(container)
    settled = person.fragment(shown["data-hx-get"]).html.select_one("#deliveries")
    assert not {"data-hx-get", "data-hx-trigger", "data-poll"} & {*settled.attrs}


def test_what_failed_since_a_time_is_counted_first_and_then_sent_again(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    fail(container, clock, hook, 1)
    clock.pass_(minutes=5)
    since = f"{clock():%Y-%m-%dT%H:%M}"
    fail(container, clock, hook, 2)
    person.begin_signed_in()
    form = person.open(f"/webhooks/{hook}/deliveries").html.select_one('a[href$="/failed"]')
    form = person.open(form["href"]).forms["since-form"]
    form["since"] = since
    page = person.send(form)
    assert "2 deliveries failed since then" in main(page)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.FAILED] * 3, (
        "counting sends nothing"
    )
    again = page.forms["redeliver-failed"]
    assert text(page.html.select_one("#redeliver-failed button")) == "Redeliver 2 deliveries"
    transport.results = [answered(200)]
    page = person.send(again)
    assert page.request.path == f"/webhooks/{hook}/deliveries"
    assert "2 sent again" in main(page)
    deliver_all(container)
    states = [each.state for each in all_deliveries(container)]
    assert states == [DeliveryState.FAILED, DeliveryState.SUCCEEDED, DeliveryState.SUCCEEDED]
    assert "Nothing failed since then." in main(person.send(again)), "pressed twice it sends nothing twice"
    assert len([each for each in transport.sent if "X-Service-Redelivery" in each.headers]) == 2


def test_the_usual_times_are_links_and_a_count_of_none_has_no_button(person: Person, hook: str) -> None:
    page = person.open(f"/webhooks/{hook}/deliveries/failed")
    assert page.forms["since-form"]["since"].value == "2026-11-19T12:00"
    links = page.html.select("#since-form a")
    assert [each.text for each in links] == ["Last hour", "Last 24 hours", "Last 7 days"]
    page = person.open(links[2]["href"])
    assert "Nothing failed since then" in main(page)
    assert "Since Nov 13, 2026, 12:00 UTC" in main(page)
    assert "redeliver-failed" not in page.forms


@pytest.mark.parametrize(
    "since", ["", "yesterday", "2026-13-01T00:00", "%00", "0001-01-01T00:00%2B14:00", "9" * 500]
)
def test_a_time_that_is_none_is_an_error_beside_its_field(person: Person, hook: str, since: str) -> None:
    page = person.open(f"/webhooks/{hook}/deliveries/failed?since={since}", 422)
    assert "Choose a date and a time, in UTC." in text(page.html.select_one("#since-error"))
    assert page.html.select_one(".summary a")["href"] == "#since"
    assert page.html.title.text.startswith("Error: ")
    person.post(f"/webhooks/{hook}/deliveries/failed", status=422, since=since)


def test_times_of_other_zones_and_far_ages_are_understood(person: Person, hook: str) -> None:
    for since, said in (
        ("2026-11-20T12:00%2B02:00", "Since Nov 20, 2026, 10:00 UTC"),
        ("0001-01-01T00:00", "Since Jan 1, 1,"),
        ("9999-12-31T23:59", "Since Dec 31, 9999, 23:59 UTC"),
    ):
        assert said in main(person.open(f"/webhooks/{hook}/deliveries/failed?since={since}"))


def test_while_the_webhook_is_off_all_that_failed_stays_where_it_is(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    fail(container, clock, hook, 1)
    person.begin_signed_in()
    person.post(f"/webhooks/{hook}/off")
    page = person.open(f"/webhooks/{hook}/deliveries/failed?since=2026-11-01T00:00")
    assert "1 delivery failed since then" in main(page)
    assert "The webhook is off. Turn it on first." in main(page)
    assert "redeliver-failed" not in page.forms
    page = person.post(f"/webhooks/{hook}/deliveries/failed", status=409, since="2026-11-01T00:00")
    assert text(page.html.select_one("[role=alert]")) == "The webhook is off; turn it on first."
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.FAILED]
