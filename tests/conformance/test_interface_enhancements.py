"""Section "Enhancement identifiers": ten ids, two groups, combined and ordered as the interface says."""

import itertools

import pytest

from tests.conftest import PHOTO, Api, work

EXTERIOR = ["grass_enhancement", "sky_enhancement", "golden_hour", "twilight_conversion"]
INTERIOR = [
    "hdr_enhancement",
    "flambient_enhancement",
    "declutter",
    "furniture_removal",
    "virtual_staging",
    "virtual_renovation",
]
CHANGE = {"changeType": "walls", "changeDescription": "Paint it white", "referenceText": "A matt white wall"}
SUGGESTED = [
    ["grass_enhancement", "sky_enhancement"],
    ["golden_hour", "grass_enhancement"],
    ["twilight_conversion", "grass_enhancement"],
    ["declutter", "hdr_enhancement"],
    ["furniture_removal", "virtual_staging"],
    ["flambient_enhancement", "declutter"],
]


def order_of(enhancements: list[str]) -> dict:
    """The part of an order that asks for these, on one photo of their group."""
    group = "exterior" if enhancements[0] in EXTERIOR else "interior"
    more = {"renovations": {"0": [CHANGE]}} if "virtual_renovation" in enhancements else {}
    return {group: [PHOTO], f"{group}Enhancements": enhancements, "serviceType": group, **more}


def test_every_id_can_be_ordered_from_uploads(api: Api, container, subtests: pytest.Subtests) -> None:
    for name in EXTERIOR + INTERIOR:
        with subtests.test(name=name):
            order = api.order(**order_of([name]))
            work(container)
            images = api.get(f"/downloads/{order['jobId']}").json["images"]
            assert [image["enhancements"] for image in images] == [[name]]


@pytest.mark.parametrize("names", SUGGESTED)
def test_every_suggested_combination_is_accepted(api: Api, names: list[str]) -> None:
    assert api.order(**order_of(names))["success"] is True


def test_an_id_of_the_other_group_is_refused(api: Api, subtests: pytest.Subtests) -> None:
    for name, group in (*itertools.product(EXTERIOR, ["interior"]), *itertools.product(INTERIOR, ["exterior"])):
        with subtests.test(name=name, group=group):
            body = {"serviceType": group, f"{group}Count": 1, f"{group}Enhancements": [name]}
            answer = api.post("/orders/quote", json=body)
            assert answer.status_code == 400
            assert f"{group}Enhancements[0]" in answer.json["details"]


def test_unknown_and_doubled_ids_are_refused_where_they_stand(api: Api) -> None:
    enhancements = ["declutter", "declutter", "hdr_enhancment"]
    body = {"serviceType": "interior", "interiorCount": 1, "interiorEnhancements": enhancements}
    details = api.post("/orders/quote", json=body).json["details"]
    assert details["interiorEnhancements[2]"].endswith("Did you mean hdr_enhancement?")
    body["interiorEnhancements"] = enhancements[:2]
    details = api.post("/orders/quote", json=body).json["details"]
    assert details == {"interiorEnhancements[1]": "declutter is listed twice."}


def worked_order(api: Api, container, names: tuple[str, ...]) -> list[str]:
    """The steps of an interior order in the order they were applied."""
    order = api.order(**order_of(list(names)))
    work(container)
    return api.get(f"/downloads/{order['jobId']}").json["images"][0]["enhancements"]


@pytest.mark.parametrize("names", [INTERIOR, INTERIOR[::-1], EXTERIOR, EXTERIOR[::-1]])
def test_steps_are_applied_in_pipeline_order_however_they_are_listed(api: Api, container, names: list[str]) -> None:
    applied = worked_order(api, container, tuple(names))
    assert sorted(applied) == sorted(names)
    before = [
        ("furniture_removal", "virtual_staging"),
        ("declutter", "hdr_enhancement"),
        ("virtual_staging", "hdr_enhancement"),
        ("virtual_renovation", "flambient_enhancement"),
        ("grass_enhancement", "golden_hour"),
        ("sky_enhancement", "twilight_conversion"),
    ]
    for first, second in before:
        if first in applied:
            assert applied.index(first) < applied.index(second)


def test_any_two_exterior_ids_may_be_combined(api: Api) -> None:
    for pair in itertools.permutations(EXTERIOR, 2):
        body = {"serviceType": "exterior", "exteriorCount": 1, "exteriorEnhancements": list(pair)}
        assert api.post("/orders/quote", json=body).status_code == 200


ODD = [
    (["twilight_conversion", "golden_hour"], "only twilight shows"),
    (["furniture_removal"], "leaves an empty room"),
]


@pytest.mark.parametrize(("names", "warning"), ODD)
def test_an_odd_combination_is_accepted_with_a_warning(api: Api, names: list[str], warning: str) -> None:
    group = "exterior" if names[0] in EXTERIOR else "interior"
    body = {"serviceType": group, f"{group}Count": 1, f"{group}Enhancements": names}
    assert warning in " ".join(api.post("/orders/quote", json=body).json["warnings"])
    assert api.order(**order_of(names))["success"] is True
