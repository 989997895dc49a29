"""The page about callbacks of orders: its secret is shown once, and its URLs lead to their log."""

from app.container import Container
from app.services.webhooks import callbacks
from tests.portal.person import Person
from tests.portal.webhooks.hooking import faking, main
from tests.statements import counted

URL = "https://agency.example/orders"


def test_the_secret_is_shown_once_and_replaced_only_on_purpose(person: Person, container: Container) -> None:
    page = person.open("/webhooks").click(href="/webhooks/callbacks$")
    assert "There is no callback secret yet." in main(page)
    stale = page.forms["rotate"]
    made = person.send(stale)
    first = made.html.select_one("#secret")["value"]
    assert first not in person.open("/webhooks/callbacks").text
    refused = stale.submit(expect_errors=True)
    assert refused.status_int == 409
    assert "secret already" in main(refused)
    form = person.open("/webhooks/callbacks").forms["rotate"]
    second = person.send(form).html.select_one("#secret")["value"]
    assert form.submit(expect_errors=True).status_int == 409
    pending = person.open("/webhooks/callbacks")
    assert "Being replaced" in main(pending)
    third = person.send(pending.forms["rotate"]).html.select_one("#secret")["value"]
    assert len({first, second, third}) == 3
    person.post("/webhooks/callbacks/secret/switch")
    with container.database.read_session() as session:
        row = callbacks.find_secret(session, person.account_id)
    assert container.vault.open(row.secret) == third


def test_urls_lead_to_their_log_in_as_many_queries_and_are_not_edited_there(
    person: Person, container: Container
) -> None:
    faking(container)
    with container.database.unit_of_work() as session:
        callbacks.create_or_rotate_secret(session, container.vault, person.account_id, container.clock())
        callback = callbacks.subscribe(session, person.account_id, f"{URL}/0", container.clock()).id
    person.open("/webhooks/callbacks")
    few = counted(lambda: person.open("/webhooks/callbacks"))
    with container.database.unit_of_work() as session:
        for number in range(1, 60):
            callbacks.subscribe(session, person.account_id, f"{URL}/{number}", container.clock())
    assert counted(lambda: person.open("/webhooks/callbacks")) == few
    page = person.open("/webhooks/callbacks")
    assert len(page.html.select("tbody tr")) == 50
    assert len(page.click("Older URLs").html.select("tbody tr")) == 10
    one = person.open(f"/webhooks/{callback}")
    assert not [link for link in one.html.select("nav.tabs a") if link.text in ("Edit", "Secret")]
    assert person.web.get(f"/webhooks/{callback}/secret").location.endswith("/webhooks/callbacks")
    assert person.open("/webhooks").html.select("tbody tr") == []
