"""Section "Virtual staging configuration": styles and rooms by photo, each with its own default."""

import pytest

from tests.conformance.shapes import ADDRESS, edit_requests
from tests.conftest import PHOTO, Api

STYLES = [
    "modern",
    "contemporary",
    "minimalist",
    "farmhouse",
    "scandinavian",
    "coastal",
    "mid_century_modern",
    "traditional",
]
ROOMS = [
    "living_room",
    "dining_room",
    "kitchen",
    "bedroom",
    "bathroom",
    "office",
    "basement",
    "outdoor_space",
    "other",
]


def order(api: Api, staging: object, photos: int = 1) -> dict:
    """An order for staged photos."""
    return {
        "address": ADDRESS,
        "serviceType": "interior",
        "interiorEnhancements": ["virtual_staging"],
        "virtualStaging": staging,
        **api.upload(interior=[PHOTO] * photos),
    }


def staged(api: Api, container, wanted: list[dict[str, str]]) -> list[dict[str, str]]:
    """How the photos of an order are to be staged that was placed with these, one for each photo."""
    staging = {str(index): each for index, each in enumerate(wanted)}
    answer = api.post("/orders/from-uploads", json=order(api, staging, photos=len(wanted)))
    assert answer.status_code == 200, answer.text
    return [request["staging"] for request in edit_requests(container)]


def test_every_style_is_accepted(api: Api, container) -> None:
    kept = staged(api, container, [{"style": style, "roomType": "kitchen"} for style in STYLES])
    assert kept == [{"style": style, "room_type": "kitchen"} for style in STYLES]


def test_every_room_is_accepted(api: Api, container) -> None:
    kept = staged(api, container, [{"style": "coastal", "roomType": room} for room in ROOMS])
    assert kept == [{"style": "coastal", "room_type": room} for room in ROOMS]


def test_what_is_left_out_defaults_field_by_field(api: Api, container) -> None:
    staging = {"1": {"style": "coastal"}, "2": {"roomType": "office"}, "3": {}}
    assert api.post("/orders/from-uploads", json=order(api, staging, photos=4)).status_code == 200
    assert [request["staging"] for request in edit_requests(container)] == [
        {"style": "modern", "room_type": "other"},
        {"style": "coastal", "room_type": "other"},
        {"style": "modern", "room_type": "office"},
        {"style": "modern", "room_type": "other"},
    ]


def test_staging_without_configuration_is_accepted(api: Api) -> None:
    assert api.post("/orders/from-uploads", json=order(api, None)).status_code == 200


BAD = [
    ({"0": {"style": "baroque"}}, "virtualStaging.0.style"),
    ({"0": {"roomType": "Kitchen"}}, "virtualStaging.0.roomType"),
    ({"0": {"room": "kitchen"}}, "virtualStaging.0.room"),
    ({"0": "modern"}, "virtualStaging.0"),
    ({"1": {}}, "virtualStaging.1"),
    ({"-1": {}}, "virtualStaging.-1"),
    ({"00": {}}, "virtualStaging.00"),
    ({"\u0660": {}}, "virtualStaging.\u0660"),
    ([], "virtualStaging"),
    ("modern", "virtualStaging"),
]


def test_a_bad_configuration_is_named_by_its_path(api: Api, subtests: pytest.Subtests) -> None:
    good = order(api, {})
    for staging, path in BAD:
        with subtests.test(staging=staging):
            answer = api.post("/orders/from-uploads", json={**good, "virtualStaging": staging})
            assert answer.status_code == 400
            assert list(answer.json["details"]) == [path]


def test_a_misspelt_value_gives_a_hint(api: Api) -> None:
    answer = api.post("/orders/from-uploads", json=order(api, {"0": {"roomType": "livingroom"}}))
    assert answer.json["details"]["virtualStaging.0.roomType"].endswith("Did you mean living_room?")


def test_a_photo_that_is_not_staged_takes_no_configuration(api: Api) -> None:
    body = {**order(api, {"0": {}}), "interiorEnhancements": ["declutter"]}
    answer = api.post("/orders/from-uploads", json=body)
    assert list(answer.json["details"]) == ["virtualStaging.0"]
