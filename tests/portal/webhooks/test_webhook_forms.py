"""Adding and changing webhooks in the browser: what the form takes, and secrets that are shown once."""

import re

import pytest
from webtest import TestResponse

from app.container import Container
from app.domain.events import OPT_IN, USUAL_EVENTS, EventName
from app.domain.webhooks import MAX_WEBHOOKS
from app.models import Webhook
from app.services.webhooks import webhooks
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.webhooks.hooking import add, happen, hook_of, main, text
from tests.services.hooks import URL, FakeTransport, webhook
from tests.services.webhooks.test_webhooks import signed_by_standard, signed_for_interface

SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{44}")


def all_of(person: Person, container: Container) -> list[Webhook]:
    with container.database.read_session() as session:
        return webhooks.get_all(session, person.account_id)


def secret_in(page: TestResponse) -> str:
    return page.html.select_one("#secret")["value"]


def errors(page: TestResponse) -> list[str]:
    return [text(each).removeprefix("Error: ") for each in page.html.select(".field .error")]


def test_a_new_webhook_hears_everything_unless_something_is_left_out(
    person: Person, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    page = person.open("/webhooks/new")
    boxes = page.html.select("input[name=events]")
    usual = [each for each in USUAL_EVENTS if each is not EventName.WEBHOOK_TEST]
    assert [box["value"] for box in boxes] == [*usual, *(each for each in EventName if each in OPT_IN)]
    assert [box["value"] for box in boxes if box.has_attr("checked")] == usual
    hints = [page.html.select_one("#" + box["aria-describedby"]) for box in boxes]
    assert all(text(hint) for hint in hints), "each with one line about it"
    add(person)
    clock.pass_(minutes=1)
    add(person, URL, "job.created", "job.failed")
    everything, some = all_of(person, container)
    assert (everything.url, everything.events) == (URL, [])
    assert some.events == ["job.created", "job.failed"]


def test_the_secret_is_shown_once_with_receivers_that_verify(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    page = add(person)
    (made,) = all_of(person, container)
    assert secret_in(page) == container.vault.open(made.secret)
    assert page.html.select_one("#secret").has_attr("readonly")
    assert page.html.select_one('button[data-copy="secret"]')
    assert "You will not see it again." in main(page)
    assert page.headers["Cache-Control"] == "no-store"
    assert [each.text for each in page.html.select("details summary")] == ["Python", "Node", "PHP"]
    assert "hmac.compare_digest" in page.html.select_one("#receiver-py").text
    for path in ("", "/edit", "/secret", "/deliveries"):
        assert not SECRET.search(person.open(f"/webhooks/{made.id}{path}").text)
    assert not SECRET.search(person.open("/webhooks").text)


def test_the_form_sent_twice_makes_one_webhook_and_shows_no_secret_again(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    form = person.open("/webhooks/new").forms["webhook-form"]
    form["url"] = URL
    secret = secret_in(person.send(form))
    again = person.send(form)
    (made,) = all_of(person, container)
    assert again.request.path == f"/webhooks/{made.id}"
    assert "This form already created" in main(again)
    assert not SECRET.search(again.text)
    assert container.vault.open(made.secret) == secret
    add(person)
    assert len(all_of(person, container)) == 2, "another form makes another one, to the same address if need be"


def test_the_form_of_a_webhook_deleted_since_makes_none(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    form = person.open("/webhooks/new").forms["webhook-form"]
    form["url"] = URL
    person.send(form)
    person.post(f"/webhooks/{all_of(person, container)[0].id}/delete")
    assert "was deleted since" in main(person.send(form, status=409))
    assert all_of(person, container) == []


def test_two_people_with_the_same_token_have_a_webhook_each(
    person: Person, new_person: NewPerson, container: Container, transport: FakeTransport
) -> None:
    other = new_person("kim@example.com")
    fields = {"url": URL, "events": "job.created", "form_token": "t" * 32}
    pages = [each.post("/webhooks", **fields) for each in (person, other)]
    assert len({secret_in(page) for page in pages}) == 2
    assert [len(all_of(each, container)) for each in (person, other)] == [1, 1]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "Enter the address."),
        ("   ", "Enter the address."),
        ("https://private.example/", "The address is not allowed."),
        ("https://x.example/" + "a" * 2048, "Must have at most 2048 characters."),
    ],
)
def test_a_bad_address_is_refused_beside_its_field_and_nothing_typed_is_lost(
    person: Person, container: Container, transport: FakeTransport, url: str, said: str
) -> None:
    page = add(person, url, "job.failed", status=422)
    assert errors(page) == [said]
    assert page.html.title.text.startswith("Error: ")
    assert page.html.select_one(".summary a")["href"] == "#url"
    form = page.forms["webhook-form"]
    assert form["url"].value == url.strip()
    assert [box["value"] for box in page.html.select("input[name=events][checked]")] == ["job.failed"]
    assert all_of(person, container) == []
    form["url"] = URL
    assert SECRET.search(person.send(form).text), "mended, the same form goes through"


def test_what_leads_inside_or_nowhere_is_refused_by_the_real_transport(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    for url in (
        "http://x.example/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.8/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://2130706433/",
        "https://me:secret@1.1.1.1/",
        "https://1.1.1.1:22/",
        "ftp://1.1.1.1/",
        "javascript:alert(1)",
        "https://1.1.1.1/a\x00b",
        "nonsense",
    ):
        with subtests.test(url=url):
            page = add(person, url, status=422)
            assert len(errors(page)) == 1
            assert all_of(person, container) == []


def test_no_event_is_an_error(person: Person, container: Container, transport: FakeTransport) -> None:
    page = person.post("/webhooks", status=422, url=URL)
    assert errors(page) == ["Choose at least one event."]
    first = page.html.select_one("input[name=events]")
    assert page.html.select_one(".summary a")["href"] == f"#{first['id']}"
    assert page.forms["webhook-form"]["url"].value == URL
    page = person.post("/webhooks", status=422, url=URL, events="job.<script>")
    assert len(errors(page)) == 1
    assert "job.<script>" not in page.text
    assert all_of(person, container) == []


def test_at_twenty_the_form_says_so_and_keeps_what_was_typed(
    person: Person, container: Container, transport: FakeTransport
) -> None:
    for _ in range(MAX_WEBHOOKS):
        hook_of(person, container)
    page = add(person, "https://one.more.example/", status=409)
    assert "at most 20 webhooks" in text(page.html.select_one(".summary"))
    assert page.forms["webhook-form"]["url"].value == "https://one.more.example/"


def test_address_and_events_are_changed(person: Person, container: Container, hook: str) -> None:
    form = person.open(f"/webhooks/{hook}/edit").forms["webhook-form"]
    assert form["url"].value == URL
    assert {box._value for box in form.fields["events"] if not box.checked} == OPT_IN
    form["url"] = "https://private.example/"
    page = person.send(form, status=422)
    assert errors(page) == ["The address is not allowed."]
    assert webhook(container, hook).url == URL
    form = page.forms["webhook-form"]
    form["url"] = "https://new.example/"
    for box in form.fields["events"][1:]:
        box.checked = False
    assert "The webhook is changed." in main(person.send(form))
    changed = webhook(container, hook)
    assert (changed.url, changed.events) == ("https://new.example/", ["job.created"])
    boxes = person.open(f"/webhooks/{hook}/edit").html.select("input[name=events][checked]")
    assert [box["value"] for box in boxes] == ["job.created"]


def test_a_new_secret_waits_beside_the_old_one_until_somebody_switches(
    person: Person, container: Container, transport: FakeTransport, hook: str, clock: FakeClock
) -> None:
    old = container.vault.open(webhook(container, hook).secret)
    page = person.send(person.open(f"/webhooks/{hook}/secret").forms["rotate"])
    new = secret_in(page)
    assert "Until Nov 21, 2026, 12:00 UTC deliveries to agency.example are signed with the old secret" in main(page)
    page = person.open(f"/webhooks/{hook}/secret")
    assert "Being replaced" in main(page)
    assert "Until Nov 21, 2026, 12:00 UTC" in main(page)
    assert "two secrets sign until Nov 21, 2026, 12:00 UTC" in main(person.open(f"/webhooks/{hook}"))
    happen(container, hook)
    assert signed_for_interface(transport.sent[-1], old)
    assert all(signed_by_standard(transport.sent[-1], each, clock) for each in (old, new))
    (switch,) = [form for form in page.forms.values() if form.action.endswith("/secret/switch")]
    page = person.send(switch)
    assert "Only the new secret signs from now on" in main(page)
    happen(container, hook)
    assert signed_for_interface(transport.sent[-1], new)
    assert "There is no new secret" in main(person.send(switch, status=409))


def test_the_form_for_a_new_secret_works_once(person: Person, container: Container, hook: str) -> None:
    form = person.open(f"/webhooks/{hook}/secret").forms["rotate"]
    secret = secret_in(person.send(form))
    again = person.send(form, status=409)
    assert "was changed since this page was loaded" in text(again.html.select_one("[role=alert]"))
    assert not SECRET.search(again.text)
    assert container.vault.open(webhook(container, hook).next_secret) == secret
    other = secret_in(person.send(again.forms["rotate"]))
    assert container.vault.open(webhook(container, hook).next_secret) == other != secret


def test_after_a_day_the_new_secret_is_the_only_one(person: Person, hook: str, clock: FakeClock) -> None:
    person.send(person.open(f"/webhooks/{hook}/secret").forms["rotate"])
    clock.pass_(hours=25)
    person.sign_in()
    page = person.open(f"/webhooks/{hook}/secret")
    assert "One secret signs every delivery" in main(page)
    assert not [form for form in page.forms.values() if form.action.endswith("/switch")]
