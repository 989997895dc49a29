"""The floor plan of an outlook is drawn with what is far away above, as one looks at the room."""

import pytest

from app.portal.hints.plan_view import draw_plan, read_layout
from engine.types.hints import NO_HINTS
from engine.types.outlook import Outlook
from tests.portal.orders.hint_desk import PLAN

CONTENT = Outlook(4, 3, False, False, NO_HINTS, {}, None, None, b"", plan=PLAN).as_json()


def test_what_is_far_away_is_above_and_turns_go_the_other_way() -> None:
    plan = draw_plan(CONTENT["plan"])
    assert plan is not None
    assert plan.floor == ["-2.000,-1.000 2.000,-1.000 2.000,-4.000"]
    assert plan.walls == [(-2.0, -4.0, 2.0, -4.0)]
    left, top, width, height = map(float, plan.view_box.split())
    assert (left, top) == pytest.approx((-2.3, -4.3))
    assert (left + width, top + height) == pytest.approx((2.3, 0.3)), "down to the camera"
    rug, sofa = plan.layouts[0].pieces
    assert (rug.name, sofa.name) == ("rug", "sofa"), "what lies under others is drawn first"
    assert (sofa.x, sofa.y, sofa.turn) == (0.5, -2.0, -90.0)
    assert plan.sizes["sofa"] == (2.2, 0.9)
    assert plan.sizes["bed"][1] > 1.9, "also what no layout has can be placed"


def test_a_layout_is_sent_as_the_places_of_its_main_pieces() -> None:
    plan = draw_plan(CONTENT["plan"])
    assert plan is not None
    assert [read_layout(each.value) for each in plan.layouts] == [
        [["sofa", "40.00", "80.00", "60.00", "80.00"]],
        [],
    ]


@pytest.mark.parametrize("plan", [None, {**CONTENT["plan"], "floor": []}])
def test_without_a_floor_there_is_no_plan(plan: dict[str, object] | None) -> None:
    assert draw_plan(plan) is None
