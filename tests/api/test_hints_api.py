"""Hints by program: kept with their photo, a part of the order's identity, refused before anything is charged."""

import pytest

from app.container import Container
from tests.conformance.shapes import edit_requests
from tests.conftest import PHOTO, Api, order_body, work

FLOOR = [[0.1, 0.6], [0.9, 0.6], [0.9, 0.9], [0.1, 0.9]]
ENDS = {"start": [0, 0], "end": [1, 1]}
STAGED = {"interiorEnhancements": ["virtual_staging"]}
HINTS = {"surfaces": {"floor": [FLOOR]}, "placements": [{"piece": "sofa", "at": [0.5, 0.7]}]}


def config(hints: object, photo_type: str = "interior") -> dict[str, object]:
    return {"photoConfigs": [{"photoType": photo_type, "photoIndex": 0, "hints": hints}]}


def test_hints_are_kept_with_their_photo_alone(api: Api, container: Container) -> None:
    api.order([PHOTO, PHOTO], **STAGED, **config(HINTS))
    hinted, plain = edit_requests(container)
    assert hinted["hints"]["surfaces"] == {"floor": [FLOOR]}
    assert hinted["hints"]["placements"] == [{"piece": "sofa", "at": [0.5, 0.7]}]
    assert "hints" not in plain


def test_recipes_and_reports_say_that_there_were_hints(api: Api, container: Container) -> None:
    hints = {"room": {"length": {**ENDS, "meters": 2.03}}}
    job_id = api.order([PHOTO, PHOTO], **config(hints))["jobId"]
    work(container)
    first, second = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    assert (first["hints"]["room"]["length"], "hints" in second) == ({**ENDS, "meters": 2.03}, False)
    assert [each["hinted"] for each in api.get(f"/jobs/{job_id}/quality").json["photos"]] == [True, False]


def test_other_hints_are_another_order_the_same_ones_are_not(api: Api) -> None:
    body = {**order_body(), **api.upload([PHOTO]), **STAGED}
    orders = [{**body, **config(HINTS)}, {**body, **config(HINTS)}, {**body, **config({"clear": [FLOOR]})}]
    first, again, other = (api.post("/orders/from-uploads", each) for each in orders)
    assert (first.status_code, again.json["jobId"]) == (200, first.json["jobId"]), first.text
    assert (other.status_code, other.json["jobId"]) == (409, first.json["jobId"])


@pytest.mark.parametrize(
    ("hints", "place", "message"),
    [
        ([], "", "Give an object."),
        ({"clear": [[[0, 0], [0.5, 2], [0.5, 0.5]]]}, ".clear[0][1]", "The point is outside of the picture"),
        (
            {"room": {"length": {**ENDS, "meters": 0}}},
            ".room.length.meters",
            "Give 0.05 to",
        ),
        ({"things": [{"kind": "clutter", "polygon": FLOOR}]}, ".things", "The enhancements of photo 0 do not"),
        ({"clear": [[[10**400, 0], [0, 1], [1, 1]]]}, "", "A number has too many digits"),
        ({"surfaces": {"sky": []}}, ".surfaces.sky", "sky is not for interior photos."),
    ],
)
def test_a_fault_is_refused_at_its_place_and_nothing_is_charged(
    api: Api, hints: object, place: str, message: str
) -> None:
    before = api.get("/user/credits").json["credits"]
    answer = api.post("/orders/from-uploads", {**order_body(), **api.upload([PHOTO]), **STAGED, **config(hints)})
    assert answer.status_code == 400
    (found,) = answer.json["details"].items()
    assert found[0] == f"photoConfigs[0].hints{place}"
    assert found[1].startswith(message)
    assert api.get("/user/credits").json["credits"] == before


def test_a_house_has_no_floor_and_hints_change_no_price(api: Api) -> None:
    body = {**order_body(exterior=True), "interiorCount": 1, "exteriorCount": 1}
    floor, lawn = (config({"surfaces": {name: []}}, "exterior") for name in ("floor", "lawn"))
    refused, plain, hinted = (api.post("/orders/quote", {**body, **more}) for more in (floor, {}, lawn))
    assert refused.status_code == 400
    assert plain.json["creditCost"] == hinted.json["creditCost"]
