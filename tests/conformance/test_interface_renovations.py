"""Section "Renovation entry": who may send what, keyed by photo, in words or in pictures."""

import pytest

from tests.conformance.shapes import ADDRESS, edit_requests
from tests.conftest import PHOTO, Api

CHANGES = [
    "floor",
    "walls",
    "cabinets",
    "countertops",
    "fixtures",
    "lighting",
    "backsplash",
    "appliances",
    "exterior",
    "other",
]


def change(**fields: object) -> dict:
    """An entry as the interface shows it."""
    entry = {
        "changeType": "floor",
        "changeDescription": "Light oak parquet",
        "referenceType": "text",
        "referenceText": "Herringbone, matt",
        **fields,
    }
    return {name: value for name, value in entry.items() if value is not None}


def body(renovations: object, **fields: object) -> dict:
    """An order for one renovated photo, but for its files."""
    enhancements = {"serviceType": "interior", "interiorEnhancements": ["virtual_renovation"]}
    return {"address": ADDRESS, **enhancements, "renovations": renovations, **fields}


def refused(api: Api, renovations: object, **fields: object) -> dict[str, str]:
    """The details of the refusal of an order for two photos."""
    order = {**body(renovations, **fields), **api.upload(interior=[PHOTO, PHOTO])}
    answer = api.post("/orders/from-uploads", json=order)
    assert answer.status_code == 400
    return answer.json["details"]


def test_every_change_type_is_accepted(api: Api, subtests: pytest.Subtests) -> None:
    for kind in CHANGES:
        with subtests.test(kind=kind):
            order = api.order(interior=[PHOTO], **body({"0": [change(changeType=kind)]}))
            assert order["creditCost"] == 1


def test_the_entries_reach_the_photo_their_key_names(api: Api, container) -> None:
    entries = {"1": [change(changeType="walls"), change()], "0": [change(changeType="other")]}
    api.order(interior=[PHOTO, PHOTO], **body(entries))
    kept = [[entry["change_type"] for entry in request["changes"]] for request in edit_requests(container)]
    assert kept == [["other"], ["walls", "floor"]]
    assert edit_requests(container)[0]["changes"][0]["change_description"] == "Light oak parquet"
    assert edit_requests(container)[0]["changes"][0]["reference_text"] == "Herringbone, matt"


@pytest.mark.parametrize(("text", "status"), [("x" * 9, 400), ("x" * 10, 200), ("  x" + "x" * 7 + "  ", 400)])
def test_a_description_has_ten_characters_or_more(api: Api, text: str, status: int) -> None:
    order = {**body({"0": [change(changeDescription=text)]}), **api.upload(interior=[PHOTO])}
    answer = api.post("/orders/from-uploads", json=order)
    assert answer.status_code == status
    if status == 400:
        assert list(answer.json["details"]) == ["renovations.0[0].changeDescription"]


def test_the_reference_type_may_be_left_out(api: Api) -> None:
    assert api.order(interior=[PHOTO], **body({"0": [change(referenceType=None)]}))["success"] is True


def test_a_reference_image_is_a_file_of_the_same_session(api: Api, container) -> None:
    order = api.upload(interior=[PHOTO, PHOTO])
    photo, reference = (file["filePath"] for file in order["interiorFiles"])
    order["interiorFiles"] = [{"filePath": photo}]
    entry = change(referenceType="image", referenceText=None, referenceImages=[reference])
    answer = api.post("/orders/from-uploads", json={**body({"0": [entry]}), **order})
    assert answer.status_code == 200
    assert edit_requests(container)[0]["changes"][0]["reference_images"] == [reference]


def test_a_reference_image_of_another_session_is_refused(api: Api) -> None:
    elsewhere = api.upload(interior=[PHOTO])["interiorFiles"][0]["filePath"]
    entry = change(referenceType="image", referenceText=None, referenceImages=[elsewhere])
    details = refused(api, {"0": [entry], "1": [change()]})
    assert list(details) == ["renovations.0[0].referenceImages[0]"]


BAD_ENTRIES = [
    (change(referenceText=None), "renovations.0[0]"),
    (change(referenceImages=["uploads/x/interior-0"]), "renovations.0[0]"),
    (change(referenceType="image"), "renovations.0[0]"),
    (change(referenceType="video"), "renovations.0[0].referenceType"),
    (change(referenceText=None, referenceImages=["a"] * 5), "renovations.0[0].referenceImages"),
    (change(changeType="roof"), "renovations.0[0].changeType"),
    (change(changeType=None), "renovations.0[0].changeType"),
    (change(changeDescription=None), "renovations.0[0].changeDescription"),
    (change(changeDescription=12), "renovations.0[0].changeDescription"),
    (change(referenceTxt="x"), "renovations.0[0].referenceTxt"),
    ("walls", "renovations.0[0]"),
]


def test_a_bad_entry_is_named_by_its_path(api: Api, subtests: pytest.Subtests) -> None:
    for entry, path in BAD_ENTRIES:
        with subtests.test(entry=entry, path=path):
            assert list(refused(api, {"0": [entry], "1": [change()]})) == [path]


def test_a_renovated_photo_without_an_entry_is_refused(api: Api) -> None:
    assert list(refused(api, {"0": [change()]})) == ["renovations.1"]
    assert list(refused(api, None)) == ["renovations.0", "renovations.1"]


def test_an_entry_for_a_photo_that_is_not_renovated_is_refused(api: Api) -> None:
    configs = [{"photoType": "interior", "photoIndex": 1, "enhancements": ["declutter"]}]
    assert list(refused(api, {"0": [change()], "1": [change()]}, photoConfigs=configs)) == ["renovations.1"]


def test_a_key_that_is_no_index_of_a_photo_is_refused(api: Api, subtests: pytest.Subtests) -> None:
    for key in ("2", "-1", "01", "1.0", "\u0663", "", "0 ", "+0", "1e0", "9" * 60, "first"):
        with subtests.test(key=key):
            details = refused(api, {"0": [change()], "1": [change()], key: [change()]})
            assert list(details) == [f"renovations.{key[:50]}"]
