"""On the page of its places a photo takes over the furniture of another photo of the same room."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.models import DraftPhoto
from app.services.previews import outlooks
from engine.outlook.reading import KeepPreview
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.floor_plan import FloorPlan, PlannedLayout, PlannedPiece
from engine.types.hints import NO_HINTS
from engine.types.outlook import Outlook, Prospect, StepForecast
from tests.conftest import develop, look
from tests.portal.orders.test_same_room import CORNERS, FRONT, ONE, OTHER, SOFA, View
from tests.portal.orders.wizard import at_enhancements, tick
from tests.portal.person import Person


def plan_of(view: View, corners: tuple[complex, ...] = CORNERS) -> FloorPlan:
    """The plan of a view, with the sofa that the engine puts there by itself."""
    drawn, spot = view.plan(corners), view.to_plan(SOFA)
    first, second, third = (tuple(each) for each in drawn["to_picture"])
    front = view.shows(SOFA + FRONT)
    sofa = PlannedPiece("sofa", True, spot.real, spot.imag, 0.0, 2.2, 0.9, 0.8, at=view.shows(SOFA), faces=front)
    floor, walls = tuple(drawn["floor"][0]), tuple(drawn["walls"])
    return FloorPlan((0.0, 0.0), (floor,), (), walls, (first, second, third), (PlannedLayout((sofa,)),))


@dataclass
class TwoViews:
    """Sees one room from two sides, by the photo's name."""

    plans: dict[str, FloorPlan] = field(
        default_factory=lambda: {"interior1": plan_of(ONE), "interior2": plan_of(OTHER)}
    )

    def read(
        self, photo: BinaryIO, request: EditRequest, context: EngineContext, keep_preview: KeepPreview
    ) -> Outlook:
        content = photo.read()
        plan = next(each for name, each in self.plans.items() if name.encode() in content)
        steps = (StepForecast(Enhancement.STAGING, Prospect.LIKELY),)
        return Outlook(4, 3, False, False, NO_HINTS, {}, None, None, b"", steps=steps, plan=plan)


@pytest.fixture
def views(container: Container) -> TwoViews:
    container.outlooks = views = TwoViews()
    return views


def at_places(person: Person, container: Container) -> TestResponse:
    """The places in the second of two photos, after workers looked at both."""
    form = at_enhancements(person, interior=2).forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    person.send(form)
    develop(container)
    for row in rows(container).values():
        person.open(f"/drafts/{row.draft_id}/photos/{row.id}/hints/placements")
    look(container)
    return person.open(url(container))


def rows(container: Container) -> Mapping[str, DraftPhoto]:
    with container.database.read_session() as session:
        return {each.file_name: each for each in session.scalars(select(DraftPhoto))}


def url(container: Container) -> str:
    row = rows(container)["interior2.jpg"]
    return f"/drafts/{row.draft_id}/photos/{row.id}/hints/placements"


def test_the_furniture_of_the_other_photo_is_placed_by_a_shared_corner_and_then_saved(
    person: Person, container: Container, views: TwoViews
) -> None:
    page = at_places(person, container)
    assert [each.text for each in page.html.select("#same option")] == ["interior1.jpg: sofa"]
    page.forms["desk"]["place-0-piece"] = "bed"
    asked = person.send(page.forms["desk"], "go", value="same")
    assert asked.forms["desk"]["place-0-piece"].value == "bed", "what was chosen is not lost"
    assert asked.forms["desk"]["corner-0"].value == "A", "the only corner of both"
    taken = person.send(asked.forms["desk"], "go", value="carry")
    assert "It is not saved yet." in taken.text
    assert rows(container)["interior2.jpg"].edit_request.hints is None
    person.send(taken.forms["desk"], "go", value="save")
    hints = rows(container)["interior2.jpg"].edit_request.hints
    assert hints is not None
    (sofa,) = hints.placements
    assert sofa.piece == "sofa"
    assert sofa.at == pytest.approx(OTHER.shows(SOFA), abs=2e-3)


def test_without_a_chosen_corner_it_is_refused_at_its_place(
    person: Person, container: Container, views: TwoViews
) -> None:
    asked = person.send(at_places(person, container).forms["desk"], "go", value="same")
    asked.forms["desk"]["corner-0"] = ""
    refused = person.send(asked.forms["desk"], "go", 422, "carry")
    assert refused.html.select_one(".summary a")["href"] == "#corner-0"
    assert refused.html.select_one("#same-room").has_attr("open")


def test_without_a_corner_in_both_the_pieces_are_named(
    person: Person, container: Container, views: TwoViews
) -> None:
    views.plans["interior2"] = plan_of(OTHER, CORNERS[:2])
    asked = person.send(at_places(person, container).forms["desk"], "go", value="same")
    assert "Place the same pieces yourself: sofa." in asked.text
    assert not asked.html.select("#corner-0")


def test_the_newest_plan_of_a_photo_is_known_to_its_account_only(
    person: Person, container: Container, views: TwoViews
) -> None:
    at_places(person, container)
    key = rows(container)["interior2.jpg"].storage_key
    with container.database.read_session() as session:
        assert list(outlooks.find_plans(session, person.account_id, [key])) == [key]
        assert not outlooks.find_plans(session, "acc_other", [key])


def test_a_photo_without_furniture_is_not_offered_nor_is_one_of_somebody_else(
    person: Person, container: Container, views: TwoViews
) -> None:
    page = at_places(person, container)
    sent = {"csrf_token": page.forms["desk"]["csrf_token"].value, "go": "same"}
    for photo_id in (rows(container)["interior2.jpg"].id, "pho_other"):
        refused = person.web.post(url(container), {**sent, "same": photo_id}, expect_errors=True)
        assert refused.status_int == 422
        assert "Choose the photo" in refused.text
