"""Section "Errors": the table's statuses and bodies, and one shape for all of them."""

from io import BytesIO
from itertools import product

import pytest

from tests.conformance.shapes import ADDRESS, is_number, is_text, ledger, stored_files
from tests.conftest import PHOTO, Api, new_api, order_body

SHAPE = {"error", "code", "message", "docUrl", "requestId"}
REQUIRED = ["address", "serviceType", "uploadSessionId"]


@pytest.mark.parametrize("missing", REQUIRED)
def test_a_required_field_left_out_is_a_400_that_names_it(api: Api, missing: str) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    del body[missing]
    answer = api.post("/orders/from-uploads", json=body)
    assert answer.status_code == 400
    assert set(answer.json) == {*SHAPE, "details"}
    assert is_text(answer.json["error"])
    assert answer.json["code"] == "invalid_request"
    assert answer.json["details"] == {missing: "Required."}


@pytest.mark.parametrize("service", ["interior", "both"])
def test_interior_files_are_required_for_interior_and_both(api: Api, service: str) -> None:
    body = {**order_body(False, True), **api.upload(exterior=[PHOTO]), "serviceType": service}
    answer = api.post("/orders/from-uploads", json=body)
    assert answer.status_code == 400
    assert "interiorFiles" in answer.json["details"]


def test_exterior_photos_are_required_while_there_is_no_public_imagery(api: Api) -> None:
    body = {**order_body(False, True), "uploadSessionId": "ups_0000000000000000000000"}
    details = api.post("/orders/from-uploads", json=body).json["details"]
    assert "public imagery" in details["exteriorFiles"]


def test_photos_that_the_service_type_does_not_cover_are_refused(api: Api) -> None:
    body = {**order_body(True, True), **api.upload([PHOTO], [PHOTO]), "serviceType": "exterior"}
    details = api.post("/orders/from-uploads", json=body).json["details"]
    assert list(details) == ["interiorFiles"]


def test_all_faults_are_told_at_once_by_the_requests_own_paths(api: Api) -> None:
    body = {
        "address": "?",
        "serviceType": "interiors",
        "interiorFiles": [{"filePath": 7}, {"fileName": "a.jpg"}],
        "interiorEnhancements": ["sky_enhancement", "hdr"],
        "photoConfigs": [{"photoType": "interior", "photoIndex": 9, "enhancements": ["declutter"]}],
        "virtualStaging": {"5": {}},
        "renovation": {},
    }
    answer = api.post("/orders/from-uploads", json=body)
    assert answer.status_code == 400
    assert set(answer.json["details"]) == {
        "address",
        "serviceType",
        "uploadSessionId",
        "interiorFiles[0].filePath",
        "interiorFiles[1].filePath",
        "interiorEnhancements[1]",
        "photoConfigs[0].photoIndex",
        "virtualStaging.5",
        "renovation",
    }
    assert all(is_text(message) for message in answer.json["details"].values())


def test_faults_of_form_and_of_meaning_are_told_together(api: Api) -> None:
    body = {"serviceType": "both", "interiorCount": 1, "interiorEnhancements": ["sky_enhancement"], "address": "?"}
    details = api.post("/orders/quote", json=body).json["details"]
    assert set(details) == {"address", "exteriorCount", "interiorEnhancements[0]"}


def test_a_balance_below_the_cost_is_a_402_with_three_numbers(app, container) -> None:
    poor = new_api(app, container, "poor@example.com", "0.5")
    body = {**order_body(True, True), **poor.upload([PHOTO], [PHOTO])}
    answer = poor.post("/orders/from-uploads", json=body)
    assert answer.status_code == 402
    assert set(answer.json) == {*SHAPE, "details"}
    assert answer.json["code"] == "insufficient_credits"
    assert answer.json["details"] == {"required": 1.5, "current": 0.5, "shortfall": 1}
    assert all(is_number(amount) for amount in answer.json["details"].values())
    assert poor.credits() == 0.5
    assert len(ledger(container)) == 1


def test_after_a_402_the_same_order_goes_through_once_there_is_enough(app, container) -> None:
    poor = new_api(app, container, "poor@example.com", "1")
    body = {**order_body(True, True), **poor.upload([PHOTO], [PHOTO])}
    assert poor.post("/orders/from-uploads", json=body).status_code == 402
    smaller = {"serviceType": "exterior", "interiorEnhancements": None, "interiorFiles": None}
    assert poor.post("/orders/from-uploads", json={**body, **smaller}).status_code == 200
    assert poor.credits() == 0


def test_a_multipart_order_gets_the_same_402_and_leaves_no_file(app, container) -> None:
    poor = new_api(app, container, "poor@example.com", "0")
    form = {"address": ADDRESS, "serviceType": "exterior", "exteriorEnhancements": '["sky_enhancement"]'}
    answer = poor.post("/orders", data={**form, "exteriorPhoto0": (BytesIO(PHOTO), "front.jpg")})
    assert answer.status_code == 402
    assert answer.json["details"] == {"required": 1, "current": 0, "shortfall": 1}
    assert stored_files(container) == []


UNKNOWN = ["job_0000000000000000000000", "job_x", "x", "0", "..", "job_" + "x" * 5000, "\u00e9"]


def test_an_unknown_job_is_a_404_with_error_and_message(api: Api, subtests: pytest.Subtests) -> None:
    for path, job in product(("/jobs/{}/status", "/downloads/{}"), UNKNOWN):
        with subtests.test(path=path, job=job):
            answer = api.get(path.format(job))
            assert answer.status_code == 404
            assert set(answer.json) == SHAPE
            assert (is_text(answer.json["error"]), is_text(answer.json["message"])) == (True, True)
            assert answer.json["code"] == "not_found"
