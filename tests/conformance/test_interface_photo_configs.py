"""Section "photoConfigs": one photo's own enhancements in place of the global ones."""

import pytest

from tests.conformance.shapes import ADDRESS, edit_requests
from tests.conftest import PHOTO, Api


def order(api: Api, configs: object, interior: int = 2, exterior: int = 1, **fields: object) -> dict:
    """An order for photos of both types, with a global list for each."""
    return {
        "address": ADDRESS,
        "serviceType": "both",
        "interiorEnhancements": ["hdr_enhancement"],
        "exteriorEnhancements": ["sky_enhancement"],
        "photoConfigs": configs,
        **api.upload([PHOTO] * interior, [PHOTO] * exterior),
        **fields,
    }


def planned(api: Api, container, configs: object, **fields: object) -> list[list[str]]:
    """What each photo is to get, exterior first."""
    answer = api.post("/orders/from-uploads", json=order(api, configs, **fields))
    assert answer.status_code == 200, answer.text
    return [request["enhancements"] for request in edit_requests(container)]


def test_an_entry_replaces_the_global_list_of_its_photo(api: Api, container) -> None:
    configs = [{"photoType": "interior", "photoIndex": 1, "enhancements": ["declutter"]}]
    assert planned(api, container, configs) == [["sky_enhancement"], ["hdr_enhancement"], ["declutter"]]


def test_without_an_index_the_nth_entry_of_a_type_is_for_its_nth_photo(api: Api, container) -> None:
    configs = [
        {"photoType": "interior", "enhancements": ["declutter"]},
        {"photoType": "exterior", "enhancements": ["golden_hour"]},
        {"photoType": "interior", "enhancements": ["virtual_staging"]},
    ]
    assert planned(api, container, configs) == [["golden_hour"], ["declutter"], ["virtual_staging"]]


def test_entries_for_every_photo_need_no_global_list(api: Api, container) -> None:
    configs = [{"photoType": "interior", "enhancements": ["declutter"]}] * 2
    assert planned(api, container, configs, interiorEnhancements=None)[1:] == [["declutter"], ["declutter"]]


def test_an_empty_array_changes_nothing(api: Api, container) -> None:
    assert planned(api, container, []) == [["sky_enhancement"], ["hdr_enhancement"], ["hdr_enhancement"]]


BAD = [
    ([{"photoType": "interior", "photoIndex": 2, "enhancements": ["declutter"]}], "photoConfigs[0].photoIndex"),
    ([{"photoType": "interior", "photoIndex": -1, "enhancements": ["declutter"]}], "photoConfigs[0].photoIndex"),
    ([{"photoType": "interior", "photoIndex": "0", "enhancements": ["declutter"]}], "photoConfigs[0].photoIndex"),
    (
        [{"photoType": "interior", "photoIndex": 10**300, "enhancements": ["declutter"]}],
        "photoConfigs[0].photoIndex",
    ),
    ([{"photoType": "interior", "photoIndex": 0, "enhancements": ["declutter"]}] * 2, "photoConfigs[1].photoIndex"),
    ([{"photoType": "interior", "enhancements": []}], "photoConfigs[0].enhancements"),
    ([{"photoType": "interior", "enhancements": ["sky_enhancement"]}], "photoConfigs[0].enhancements[0]"),
    ([{"photoType": "interior", "enhancements": ["declutter"] * 2}], "photoConfigs[0].enhancements[1]"),
    ([{"photoType": "interior", "enhancements": ["declutered"]}], "photoConfigs[0].enhancements[0]"),
    ([{"photoType": "interior", "enhancements": "declutter"}], "photoConfigs[0].enhancements"),
    ([{"photoType": "garden", "enhancements": ["declutter"]}], "photoConfigs[0].photoType"),
    ([{"enhancements": ["declutter"]}], "photoConfigs[0].photoType"),
    ([{"photoType": "interior"}], "photoConfigs[0].enhancements"),
    ([{"photoType": "interior", "enhancement": [], "enhancements": ["declutter"]}], "photoConfigs[0].enhancement"),
    (["interior"], "photoConfigs[0]"),
    ({"0": {}}, "photoConfigs"),
]


def test_a_bad_entry_is_named_by_its_path(api: Api, subtests: pytest.Subtests) -> None:
    good = order(api, [])
    for configs, path in BAD:
        with subtests.test(configs=configs):
            answer = api.post("/orders/from-uploads", json={**good, "photoConfigs": configs})
            assert answer.status_code == 400
            assert list(answer.json["details"]) == [path]


def test_a_photo_left_without_any_enhancement_is_refused(api: Api) -> None:
    configs = [{"photoType": "interior", "enhancements": ["declutter"]}]
    answer = api.post("/orders/from-uploads", json=order(api, configs, interiorEnhancements=[]))
    assert answer.status_code == 400
    assert "interior photo 1" in answer.json["details"]["interiorEnhancements"]
