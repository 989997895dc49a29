"""Whether pictures may be used to improve quality is their owner's to say, and nobody agrees by doing nothing."""

from app.container import Container
from app.models import Organization
from tests import reading
from tests.fakes import FakeClock
from tests.portal.person import Person

PATH = "/account/pictures"


def save(person: Person, agreed: bool) -> str:
    form = person.open(PATH).forms["picture-use-form"]
    form["agreed"].checked = agreed
    page = person.send(form)
    assert "Your choice is saved." in page.text
    assert page.forms["picture-use-form"]["agreed"].checked is agreed
    return page.text


def test_it_is_off_at_first_and_the_account_page_leads_there(person: Person, container: Container) -> None:
    page = person.open("/account")
    assert "For your orders only" in page.html.select_one("[aria-labelledby=data]").text
    page = person.open(page.html.select_one(f'main a[href="{PATH}"]')["href"])
    assert not page.forms["picture-use-form"]["agreed"].checked
    assert reading.one(container, Organization, person.account_id).pictures_agreed_at is None


def test_a_choice_is_kept_with_its_time_and_can_be_taken_back(
    person: Person, container: Container, clock: FakeClock
) -> None:
    assert "On since" in save(person, True)
    agreed_at = clock()
    assert reading.one(container, Organization, person.account_id).pictures_agreed_at == agreed_at
    assert "to improve quality" in person.open("/account").text
    clock.pass_(minutes=5)
    save(person, True)
    assert reading.one(container, Organization, person.account_id).pictures_agreed_at == agreed_at
    assert "On since" not in save(person, False)
    assert reading.one(container, Organization, person.account_id).pictures_agreed_at is None


def test_the_choice_is_part_of_the_data_that_its_owner_downloads(person: Person) -> None:
    save(person, True)
    document = person.send(person.open("/account").forms["download-data"]).json
    assert document["account"]["picturesAgreedAt"] == "2026-11-20T12:00:00.000Z"


def test_who_is_not_signed_in_has_no_choice_to_make(stranger: Person) -> None:
    assert stranger.open(PATH).request.path == "/sign-in"
