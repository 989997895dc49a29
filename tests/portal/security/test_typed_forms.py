"""What somebody typed when their sign-in had ended is theirs to send again, and is sent by nobody else."""

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.domain.kept_forms import MAX_CHARACTERS, select_fields
from app.models import KeptForm
from app.portal.typed_labels import describe_typed
from app.services.accounts import users
from tests import acts, reading
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import at_each
from tests.portal.person import PASSWORD, Person


def name_of(container: Container, person: Person) -> str:
    with container.database.read_session() as session:
        return users.get(session, person.user_id).name


def sign_in(person: Person, page: TestResponse, email: str = "") -> TestResponse:
    assert page.request.path == "/sign-in"
    form = page.forms["sign-in"]
    form["email"], form["password"] = email or person.email, PASSWORD
    return person.send(form)


@pytest.fixture
def too_late(person: Person, clock: FakeClock) -> TestResponse:
    """The page that a form for another name leads to, sent after two hours without use."""
    form = person.open("/account/name").forms["name-form"]
    form["name"] = "Pat Newname <b>"
    clock.pass_(hours=2)
    return person.send(form)


def test_what_was_typed_is_shown_after_the_sign_in_and_sent_by_a_press(
    person: Person, container: Container, too_late: TestResponse
) -> None:
    assert "What you typed is kept for an hour" in too_late.text
    page = sign_in(person, too_late)
    assert page.request.path == "/typed"
    assert page.html.select_one("dd.typed").text == "Pat Newname <b>"
    assert name_of(container, person) == "Jo Agent", "nothing is sent by itself"
    person.open("/typed")
    assert name_of(container, person) == "Jo Agent"
    person.send(page.forms["typed-form"])
    assert name_of(container, person) == "Pat Newname <b>"


def test_it_can_be_left_and_leads_back_to_its_page(
    person: Person, container: Container, too_late: TestResponse
) -> None:
    page = sign_in(person, too_late)
    assert person.send(page.forms["discard-form"]).request.path == "/account/name"
    assert reading.found(container, select(KeptForm)) == []
    assert name_of(container, person) == "Jo Agent"


def test_nobody_else_who_signs_in_at_this_browser_sees_it(
    person: Person, new_person: NewPerson, container: Container, too_late: TestResponse
) -> None:
    other = new_person("kim@example.com")
    page = sign_in(person, too_late, other.email)
    assert page.request.path == "/account/name"
    assert "Pat Newname" not in page.text
    assert "Pat Newname" not in person.open("/typed").text
    (row,) = reading.found(container, select(KeptForm))
    assert row.user_id == person.user_id
    assert "Pat" not in row.fields, "what is kept is sealed"


def test_it_is_shown_once_and_forgotten_after_an_hour(
    person: Person, container: Container, clock: FakeClock, too_late: TestResponse
) -> None:
    sign_in(person, too_late)
    person.send(person.open("/orders").forms["sign-out"])
    assert sign_in(person, person.open("/orders")).request.path == "/orders"
    clock.pass_(minutes=61)
    person.begin_signed_in()
    assert person.open("/typed").request.path == "/orders"
    container.sweep.forget_kept_forms()
    assert reading.found(container, select(KeptForm)) == []


def test_who_signed_out_leaves_nothing_behind_that_could_be_kept(person: Person, container: Container) -> None:
    form = person.open("/account/name").forms["name-form"]
    form["name"] = "Pat Newname"
    person.send(person.open("/orders").forms["sign-out"])
    assert person.send(form, status=400)
    assert reading.found(container, select(KeptForm)) == []


def test_a_stranger_has_nothing_kept(stranger: Person, container: Container) -> None:
    assert stranger.post("/account/name", name="Anybody").request.path == "/sign-in"
    assert reading.found(container, select(KeptForm)) == []


def test_a_form_with_a_password_is_not_kept(person: Person, container: Container, clock: FakeClock) -> None:
    form = person.open("/account/password").forms["password-form"]
    form["password"], form["new_password"] = PASSWORD, "ladder copper moss"
    clock.pass_(hours=2)
    page = person.send(form)
    assert "What you typed is kept" not in page.text
    assert sign_in(person, page).request.path != "/typed"
    assert reading.found(container, select(KeptForm)) == []


def test_a_deleted_account_keeps_none(person: Person, container: Container, too_late: TestResponse) -> None:
    assert len(reading.found(container, select(KeptForm))) == 1
    acts.delete_account(container, person.user_id)
    assert reading.found(container, select(KeptForm)) == []


def test_it_stands_under_the_labels_that_the_page_showed() -> None:
    fields = [
        ("version", "3"),
        ("seen", "abc"),
        ("postcode", "62704"),
        ("interior", "hdr_enhancement"),
        ("interior", "virtual_staging"),
        ("public_imagery_offered", "1"),
        ("staging_style", "mid_century_modern"),
        ("option-brightness", "brighter"),
        ("changes-0-description", "wide oak, style: modern"),
        ("changes-1-description", "modern"),
        ("account_note", "hello"),
        ("go", "leave"),
        ("city", " "),
    ]
    assert describe_typed(fields) == [
        ("ZIP or postal code", "62704"),
        ("For all interior photos", "HDR balance, Virtual staging"),
        ("Style of staged rooms", "Mid century modern"),
        ("Brightness", "Brighter"),
        ("New look", "wide oak, style: modern"),
        ("New look", "modern"),
        ("Account note", "hello"),
    ]


def test_the_labels_are_those_of_the_pages(person: Person) -> None:
    pages = [at_each(person, 1, 1)]
    draft = pages[0].request.path.rpartition("/")[2]
    photo = pages[0].html.select_one("[data-shots=interior] [name=photo]")["value"]
    pages += [person.open(f"/drafts/{draft}/{step}") for step in ("address", f"photos/{photo}")]
    pages += [person.open(path) for path in ("/presets/new", "/account/name", "/keys/new", "/webhooks/new")]
    asked = "main form[method=post] :is(input[type=text], input[type=url], select, textarea)"
    seen = set()
    for page in pages:
        for field in page.html.select(asked):
            label = page.html.select_one(f"label[for='{field['id']}']")
            ((told, _),) = describe_typed([(field["name"], "x")])
            assert label.text.strip() == told, (page.request.path, field["name"])
            seen.add(field["name"])
    assert len(seen) >= 12


@pytest.mark.parametrize(
    ("sent", "is_kept"),
    [
        ([("csrf_token", "x"), ("name", "Pat")], True),
        ([("name", "Pat"), ("name", "Kim"), ("empty", "")], True),
        ([("name", "Pat"), ("password", "x")], False),
        ([("name", "Pat"), ("New-Password", "x")], False),
        ([("code", "123456")], False),
        ([("recovery_code", "x")], False),
        ([("codes", "x")], False),
        ([("pin", "471100")], False),
        ([("share-pin", "471100")], False),
        ([("pinned", "x"), ("spinning", "y"), ("barcode", "z")], True),
        ([("street", "7 Elm Street"), ("postcode", "62704")], True),
        ([("csrf_token", "x"), ("form_token", "y")], False),
        ([("name", "  ")], False),
        ([("name", "x" * MAX_CHARACTERS)], False),
        ([], False),
    ],
)
def test_what_is_kept_of_a_form(sent: list[tuple[str, str]], is_kept: bool) -> None:
    fields = [each for each in sent if each[0] not in ("csrf_token", "form_token")]
    assert list(select_fields(sent)) == (fields if is_kept else [])
