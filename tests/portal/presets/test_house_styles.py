"""House styles in the browser: made, changed, made the one to begin with, deleted."""

import pytest
from sqlalchemy import select

from app.container import Container
from app.models import Preset
from tests.portal.conftest import NewPerson
from tests.portal.orders import wizard
from tests.portal.person import Person

HOSTILE = "<script>alert(1)</script> \"x\" 'y' & {{ 7*7 }}"


@pytest.fixture
def person(new_person: NewPerson) -> Person:
    return new_person("jo@example.com", "100")


def make(person: Person, status: int = 200, name: str = "Our listings", **values: str):
    """Fill in the form of a new one: the sky and a lighter room unless told otherwise."""
    form = person.open("/presets/new").forms["preset-form"]
    form["name"] = name
    wizard.tick(form, "exterior", ["sky_enhancement"])
    wizard.tick(form, "interior", ["hdr_enhancement"])
    for field, value in {"option-sky": "clear", **values}.items():
        form[field] = value
    return person.send(form, status=status)


def kept(container: Container) -> list[Preset]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Preset).order_by(Preset.name)))


def test_one_is_made_and_shown(person: Person, container: Container) -> None:
    assert "No house styles yet" in person.open("/presets").text
    page = make(person, **{"option-brightness": "brighter", "staging_style": "coastal"})
    assert page.request.path == "/presets"
    for words in ("Our listings", "Blue sky", "Sky: clear, Brightness: brighter", "Coastal"):
        assert words in page.html.get_text(" ", strip=True).replace(" ,", ",")
    (preset,) = kept(container)
    assert preset.content.options.chosen == {"sky": "clear", "brightness": "brighter"}
    assert preset.content.staging_style == "coastal"


def test_the_usual_look_is_no_choice(person: Person, container: Container) -> None:
    make(person, **{"option-sky": "light_clouds"})
    assert kept(container)[0].content.options is None


def test_one_is_changed(person: Person, container: Container) -> None:
    make(person)
    form = person.open(f"/presets/{kept(container)[0].id}").forms["preset-form"]
    assert form["option-sky"].value == "clear"
    form["name"], form["option-sky"], form["is_default"] = "Luxury", "warm", True
    page = person.send(form)
    assert "Default for new orders" in page.text
    (preset,) = kept(container)
    assert (preset.name, preset.is_default, preset.content.options.sky) == ("Luxury", True, "warm")


def test_another_one_becomes_the_one_to_begin_with(person: Person, container: Container) -> None:
    make(person, name="A", is_default=True)
    make(person, name="B")
    page = person.open("/presets")
    (form,) = [form for form in page.forms.values() if form.action.endswith("/default")]
    person.send(form)
    assert [(each.name, each.is_default) for each in kept(container)] == [("A", False), ("B", True)]


def test_one_is_deleted_after_a_question(person: Person, container: Container) -> None:
    make(person)
    form = person.open(f"/presets/{kept(container)[0].id}/delete").forms["delete-form"]
    assert "is deleted" in person.send(form).text
    assert kept(container) == []


def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(person: Person, container: Container) -> None:
    page = make(person, status=422, name=" ")
    assert page.html.select_one("#name-error").get_text(strip=True).endswith("Enter a name.")
    form = page.forms["preset-form"]
    assert form["option-sky"].value == "clear"
    form["name"] = "Good"
    person.send(form)
    again = make(person, status=409, name="Good")
    assert "Another preset has this name already." in again.text
    form = person.open("/presets/new").forms["preset-form"]
    form["name"] = "Empty"
    assert "Choose something" in person.send(form, status=422).text
    assert len(kept(container)) == 1


def test_what_no_form_of_ours_sends_is_refused(person: Person, container: Container) -> None:
    for fields in ({"exterior": "x"}, {"exterior": "hdr_enhancement"}, {"option-sky": "x"}, {"staging_style": "x"}):
        person.post("/presets", status=422, name="Odd", **fields)
    assert kept(container) == []


def test_a_name_is_text_and_nothing_else(person: Person) -> None:
    page = make(person, name=HOSTILE)
    assert page.html.find("h2", string=HOSTILE) is not None
    assert "<script>alert" not in page.text


def test_others_know_nothing_of_it(person: Person, new_person: NewPerson, container: Container) -> None:
    make(person)
    preset_id = kept(container)[0].id
    other = new_person("kim@example.com", "10")
    other.open(f"/presets/{preset_id}", status=404)
    other.post(f"/presets/{preset_id}/default", status=404)
    other.post(f"/presets/{preset_id}/delete", status=404)
    assert "Our listings" not in other.open("/presets").text


def test_the_account_leads_there(person: Person) -> None:
    assert person.open("/account").html.select_one('a[href="/presets"]') is not None
