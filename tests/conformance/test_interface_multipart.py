"""POST /orders: the same order in one request, to the same result as from uploads."""

import json
from io import BytesIO

import pytest

from app.models import UploadSession
from tests.conformance.shapes import ADDRESS, edit_requests, rows, stored_files
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo

CHANGE = {"changeType": "walls", "changeDescription": "Paint it white"}


def part(content: bytes = PHOTO, name: str = "photo.jpg") -> tuple[BytesIO, str]:
    """A file part."""
    return BytesIO(content), name


def form(**fields: object) -> dict:
    """A form as the interface shows it: JSON texts for what is no plain text."""
    plain = {"address": ADDRESS, "serviceType": "both", "interiorEnhancements": ["hdr_enhancement"]}
    plain = {**plain, "exteriorEnhancements": ["sky_enhancement"], **fields}
    ready = (str, tuple)
    return {name: value if isinstance(value, ready) else json.dumps(value) for name, value in plain.items()}


def test_the_answer_is_the_order_result(api: Api, container) -> None:
    photos = {"exteriorPhoto0": part(name="front.jpg"), "interiorPhoto0": part(name="living.png")}
    answer = api.post("/orders", data=form(**photos))
    assert answer.status_code == 200, answer.text
    result = answer.json
    names = {"success", "jobId", "status", "creditCost", "photosUploaded", "assets", "message", "listing"}
    assert set(result) == names | {"livemode"}
    assert (result["success"], result["status"], result["creditCost"], result["photosUploaded"]) == (
        True,
        "pending",
        1.5,
        2,
    )
    assert [(a["type"], a["index"], a["fileName"]) for a in result["assets"]] == [
        ("exterior", 0, "front.jpg"),
        ("interior", 0, "living.png"),
    ]
    work(container)
    assert api.get(f"/downloads/{result['jobId']}").json["imageCount"] == 2


def test_it_comes_to_the_same_as_an_order_from_uploads(api: Api, container) -> None:
    chosen = {
        "interiorEnhancements": ["virtual_staging", "declutter"],
        "exteriorEnhancements": ["twilight_conversion", "grass_enhancement"],
        "photoConfigs": [{"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_renovation"]}],
        "renovations": {"1": [{**CHANGE, "referenceText": "Matt"}] * 2},
        "virtualStaging": {"0": {"style": "coastal"}},
    }
    placed = api.order(interior=[PHOTO, PHOTO], exterior=[PHOTO], **chosen)
    kept = edit_requests(container)
    photos = {"exteriorPhoto0": part(), "interiorPhoto0": part(), "interiorPhoto1": part()}
    sent = api.post("/orders", data=form(**chosen, **photos)).json
    assert sent["creditCost"] == placed["creditCost"] == 6
    both = sorted(json.dumps(request, sort_keys=True) for request in edit_requests(container))
    assert both == sorted(2 * [json.dumps(request, sort_keys=True) for request in kept])


def test_the_number_in_the_part_name_is_the_index_whatever_the_order_of_the_parts(api: Api, container) -> None:
    photos = {f"interiorPhoto{n}": part(photo(str(n)), f"{n}.jpg") for n in (2, 0, 1)}
    job = api.post("/orders", data=form(serviceType="interior", exteriorEnhancements=[], **photos)).json
    assert [asset["fileName"] for asset in job["assets"]] == ["0.jpg", "1.jpg", "2.jpg"]
    work(container)
    images = api.get(f"/downloads/{job['jobId']}").json["images"]
    assert [api.client.get(image["url"]).data for image in images] == [photo(str(n)) for n in range(3)]


def test_a_reference_image_is_named_by_its_part(api: Api, container) -> None:
    entry = {**CHANGE, "referenceType": "image", "referenceImages": ["wallSample"]}
    fields = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [entry]}}
    photos = {"interiorPhoto0": part(), "wallSample": part(photo("sample"))}
    body = form(serviceType="interior", exteriorEnhancements=[], **fields, **photos)
    assert api.post("/orders", data=body).status_code == 200
    (reference,) = edit_requests(container)[0]["changes"][0]["reference_images"]
    with container.storage.open(reference) as file:
        assert file.read() == photo("sample")


def test_a_file_without_a_name_gets_one(api: Api) -> None:
    answer = api.post("/orders", data=form(exteriorPhoto0=part(name="."), interiorPhoto0=part(name="..")))
    assert [asset["fileName"] for asset in answer.json["assets"]] == ["exterior-1", "interior-1"]


@pytest.mark.parametrize("empty", ["[]", "null", " [ ] "])
def test_an_empty_json_field_is_as_good_as_none(api: Api, empty: str) -> None:
    body = form(photoConfigs=empty, exteriorPhoto0=part(), interiorPhoto0=part())
    assert api.post("/orders", data=body).status_code == 200


def test_each_request_is_an_order_of_its_own(api: Api, container) -> None:
    jobs = set()
    for _ in range(2):
        jobs.add(api.post("/orders", data=form(exteriorPhoto0=part(), interiorPhoto0=part())).json["jobId"])
    assert len(jobs) == 2
    assert api.credits() == 97
    assert len(rows(container, UploadSession)) == 2
    assert len(stored_files(container)) == 4


def test_100_photos_fit_into_one_request(api: Api, container) -> None:
    photos = {f"{kind}Photo{n}": part() for kind in ("interior", "exterior") for n in range(50)}
    result = api.post("/orders", data=form(**photos)).json
    assert (result["photosUploaded"], result["creditCost"]) == (100, 26)
    assert len(stored_files(container)) == 100
