"""Section "Virtual staging configuration": styles and rooms by photo, each with its own default."""

import pytest

from tests.conformance.shapes import ADDRESS, wishes
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


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_accepted(api: Api, container, style: str) -> None:
    answer = api.post("/orders/from-uploads", json=order(api, {"0": {"style": style, "roomType": "kitchen"}}))
    assert answer.status_code == 200
    assert wishes(container)[0]["staging"] == {"style": style, "room_type": "kitchen"}


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_accepted(api: Api, container, room: str) -> None:
    answer = api.post("/orders/from-uploads", json=order(api, {"0": {"style": "coastal", "roomType": room}}))
    assert answer.status_code == 200
    assert wishes(container)[0]["staging"] == {"style": "coastal", "room_type": room}


def test_what_is_left_out_defaults_field_by_field(api: Api, container) -> None:
    staging = {"1": {"style": "coastal"}, "2": {"roomType": "office"}, "3": {}}
    assert api.post("/orders/from-uploads", json=order(api, staging, photos=4)).status_code == 200
    assert [wish["staging"] for wish in wishes(container)] == [
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


@pytest.mark.parametrize(("staging", "path"), BAD)
def test_a_bad_configuration_is_named_by_its_path(api: Api, staging: object, path: str) -> None:
    answer = api.post("/orders/from-uploads", json=order(api, staging))
    assert answer.status_code == 400
    assert list(answer.json["details"]) == [path]


def test_a_misspelt_value_gives_a_hint(api: Api) -> None:
    answer = api.post("/orders/from-uploads", json=order(api, {"0": {"roomType": "livingroom"}}))
    assert answer.json["details"]["virtualStaging.0.roomType"].endswith("Did you mean living_room?")


def test_a_photo_that_is_not_staged_takes_no_configuration(api: Api) -> None:
    body = {**order(api, {"0": {}}), "interiorEnhancements": ["declutter"]}
    answer = api.post("/orders/from-uploads", json=body)
    assert list(answer.json["details"]) == ["virtualStaging.0"]
