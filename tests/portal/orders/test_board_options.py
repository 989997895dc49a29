"""Options and house styles on the board: chosen for all and for one photo, taken from a style, kept as one."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.drafts import Content
from app.models import DraftPhoto, Job, Preset
from app.services.orders import drafts
from engine.types import usable_options
from engine.types.hints import SceneHints
from engine.types.options import EffectOptions
from tests import reading
from tests.conformance.shapes import edit_requests
from tests.portal.conftest import NewPerson
from tests.portal.orders import wizard
from tests.portal.person import Person

BOTH = {"exterior": ["sky_enhancement"], "interior": ["hdr_enhancement"]}


@pytest.fixture
def person(new_person: NewPerson) -> Person:
    return new_person("jo@example.com", "100")


def content(person: Person, container: Container) -> Content:
    return drafts.content_of(wizard.draft_of(person, container))


def test_faces_are_offered_to_be_blurred_only_where_their_detector_is_installed(
    person: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for is_there in (True, False):
        detector = tmp_path / f"{is_there}.tflite"
        monkeypatch.setattr(usable_options, "FACE_DETECTOR", detector)
        if is_there:
            detector.touch()
        form = wizard.at_enhancements(person, interior=1, exterior=0).forms["effects"]
        assert ("option-privacy" in form.fields) is is_there
        assert "option-verticals" in form.fields
        assert ("Faces and number plates" in person.open("/prices")) is is_there


def fill(person: Person, **fields: str):
    """The form of the lists, with something ticked for all and these options."""
    form = wizard.at_enhancements(person, interior=2, exterior=1).forms["effects"]
    for group, ids in BOTH.items():
        wizard.tick(form, group, ids)
    for name, value in fields.items():
        form[name.replace("_", "-")] = value
    return form


def test_while_nothing_is_chosen_one_press_takes_the_suggestion_for_all(
    person: Person, container: Container
) -> None:
    board = wizard.at_enhancements(person, interior=2, exterior=1)
    words = " ".join(board.html.select_one("#suggested p").text.split())
    assert words == "Suggested. Exterior: Green lawn + Blue sky. Interior: HDR balance"
    board = person.send(board.forms["suggested"])
    assert content(person, container).exterior_enhancements == ("grass_enhancement", "sky_enhancement")
    assert content(person, container).interior_enhancements == ("hdr_enhancement",)
    assert board.html.select_one("#suggested") is None


def test_the_suggestion_is_for_the_photos_that_are_there(person: Person, container: Container) -> None:
    board = wizard.at_enhancements(person, interior=1)
    assert board.html.select_one("#suggested p").text.split() == ["Suggested.", "Interior:", "HDR", "balance"]
    person.send(board.forms["suggested"])
    assert content(person, container).exterior_enhancements == ()


def test_options_for_all_are_kept_shown_and_ordered(person: Person, container: Container) -> None:
    board = person.send(fill(person, option_sky="clear", option_brightness="brighter"))
    assert content(person, container).options == EffectOptions(sky="clear", brightness="brighter")
    assert "Sky: clear" in board.html.select_one("#exterior summary").text
    assert "Brightness: brighter" in board.html.select_one("#interior summary").text
    person.send(board.forms["place"])
    assert [each["options"] for each in edit_requests(container)] == [
        {"sky": "clear"},
        {"brightness": "brighter"},
        {"brightness": "brighter"},
    ]


def test_the_usual_look_is_no_choice(person: Person, container: Container) -> None:
    form = fill(person, option_sky="clear")
    person.send(form)
    form = person.open(wizard.board_of(person, container)).forms["effects"]
    assert form["option-sky"].value == "clear"
    form["option-sky"] = "light_clouds"
    person.send(form)
    assert content(person, container).options is None


def test_a_photo_keeps_its_hints_when_its_form_is_saved(person: Person, container: Container) -> None:
    person.send(fill(person))
    photo = wizard.photos_of(person, container)[1]
    hints = SceneHints(clear=(((0.1, 0.6), (0.9, 0.6), (0.5, 0.9)),))
    with container.database.unit_of_work() as session:
        session.get_one(DraftPhoto, photo.id).edit_request = replace(photo.edit_request, hints=hints)
    form = person.open(f"/drafts/{wizard.draft_of(person, container).id}/photos/{photo.id}").forms["step"]
    form["option-brightness"] = "darker"
    person.send(form)
    kept = wizard.photos_of(person, container)[1].edit_request
    assert (kept.options, kept.hints) == (EffectOptions(brightness="darker"), hints)


def test_one_photo_goes_its_own_way(person: Person, container: Container) -> None:
    person.send(fill(person, option_brightness="brighter"))
    draft_id = wizard.draft_of(person, container).id
    photo = wizard.photos_of(person, container)[1]
    form = person.open(f"/drafts/{draft_id}/photos/{photo.id}").forms["step"]
    assert form["option-brightness"].value == ""
    form["option-brightness"] = "as_is"
    person.send(form)
    assert wizard.photos_of(person, container)[1].edit_request.options == EffectOptions(brightness="as_is")
    board = person.open(wizard.board_of(person, container))
    assert "Brightness: as we do it" in board.html.select_one(f"#photo-{photo.id}").text
    person.send(board.forms["place"])
    assert [each.get("options") for each in edit_requests(container)] == [
        None,
        {"brightness": "as_is"},
        {"brightness": "brighter"},
    ]


def test_the_order_page_and_a_new_order_like_it_have_them(person: Person, container: Container) -> None:
    job = person.send(person.send(fill(person, option_sky="warm")).forms["place"])
    assert "Sky: warm" in job.text
    job_id = reading.first(container, select(Job.id))
    person.post(f"/orders/{job_id}/again")
    assert content(person, container).options == EffectOptions(sky="warm")


def test_what_no_form_of_ours_sends_is_refused(person: Person, container: Container) -> None:
    form = fill(person)
    form["option-sky"].force_value("black")
    assert "Choose from the list" in person.send(form, status=422).text
    assert content(person, container).options is None


def test_choices_are_kept_as_a_house_style_and_taken_from_it(person: Person, container: Container) -> None:
    page = person.send(fill(person, option_sky="clear"))
    form = page.forms["house-style"]
    form["style_name"] = "Our listings"
    page = person.send(form, "go", value="keep-style")
    assert "Saved as the house style" in page.text
    (preset,) = reading.found(container, select(Preset))
    assert preset.content == content(person, container).choices
    form = wizard.at_enhancements(person, interior=1, exterior=1).forms["house-style"]
    form["style_id"] = preset.id
    page = person.send(form, "go", value="use-style")
    assert content(person, container).choices == preset.content
    assert page.forms["effects"]["option-sky"].value == "clear"


def test_a_name_that_is_taken_or_missing_keeps_the_page_and_what_was_chosen(
    person: Person, container: Container
) -> None:
    form = person.send(fill(person, option_sky="warm")).forms["house-style"]
    page = person.send(form, "go", value="keep-style", status=422)
    assert "Enter a name." in page.text
    form = page.forms["house-style"]
    form["style_name"] = "Ours"
    page = person.send(form, "go", value="keep-style")
    form = page.forms["house-style"]
    form["style_name"] = "Ours"
    page = person.send(form, "go", value="keep-style", status=422)
    assert page.forms["house-style"]["style_name"].value == "Ours"
    assert content(person, container).options == EffectOptions(sky="warm")


def test_a_style_that_is_gone_is_said(person: Person, container: Container) -> None:
    form = person.send(fill(person)).forms["house-style"]
    form["style_name"] = "Ours"
    form = person.send(form, "go", value="keep-style").forms["house-style"]
    with container.database.unit_of_work() as session:
        session.delete(session.scalars(select(Preset)).one())
    assert "no longer exists" in person.send(form, "go", value="use-style", status=422).text


def test_a_new_order_begins_with_the_default_style(person: Person) -> None:
    person.post(
        "/presets", name="Ours", exterior="twilight_conversion", is_default="yes", **{"option-dusk": "early"}
    )
    form = wizard.at_enhancements(person, interior=0, exterior=1).forms["effects"]
    assert [box.value for box in form.fields["exterior"] if box.checked] == ["twilight_conversion"]
    assert form["option-dusk"].value == "early"


def test_a_staged_room_without_a_style_of_its_own_has_that_of_all(person: Person, container: Container) -> None:
    form = wizard.at_enhancements(person, interior=1).forms["effects"]
    wizard.tick(form, "interior", ["virtual_staging"])
    form["staging_style"] = "farmhouse"
    board = person.send(form)
    assert "Farmhouse" in board.html.select_one(".shot").text
    person.send(board.forms["place"])
    assert edit_requests(container)[0]["staging"]["style"] == "farmhouse"


def test_copying_to_other_photos_copies_the_options(person: Person, container: Container) -> None:
    person.send(fill(person))
    draft_id, (_, first, second) = wizard.draft_of(person, container).id, wizard.photos_of(person, container)
    form = person.open(f"/drafts/{draft_id}/photos/{first.id}").forms["step"]
    form["option-brightness"] = "darker"
    wizard.tick(form, "to", [second.id])
    person.send(form, "go", value="copy")
    copied = wizard.photos_of(person, container)[2]
    assert copied.edit_request.options == EffectOptions(brightness="darker")


def test_a_house_style_of_somebody_else_is_none(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    other = new_person("kim@example.com", "10")
    other.post("/presets", name="Theirs", exterior="golden_hour")
    theirs = reading.only(container, select(Preset.id))
    form = person.send(fill(person)).forms["house-style"]
    form["style_name"] = "Ours"
    form = person.send(form, "go", value="keep-style").forms["house-style"]
    assert "Theirs" not in form.text
    form["style_id"].force_value(theirs)
    assert "no longer exists" in person.send(form, "go", value="use-style", status=422).text
    assert content(person, container).exterior_enhancements == ("sky_enhancement",)
