"""Options of effects by program: kept with each photo, told in recipes and evidence, refused at their place."""

import json
from io import BytesIO

from app.container import Container
from tests.conformance.shapes import edit_requests
from tests.conftest import PHOTO, Api, order_body, work

OPTIONS = {"sky": "warm", "brightness": "darker"}
CONFIGS = [{"photoType": "interior", "photoIndex": 1, "options": {"brightness": "brighter"}}]


def test_options_are_kept_with_each_photo_that_gets_the_effect(api: Api, container: Container) -> None:
    api.order([PHOTO, PHOTO], [PHOTO], options=OPTIONS, photoConfigs=CONFIGS)
    assert [each["options"] for each in edit_requests(container)] == [
        {"sky": "warm"},
        {"brightness": "darker"},
        {"brightness": "brighter"},
    ]


def test_without_options_nothing_is_kept_of_them(api: Api, container: Container) -> None:
    api.order([PHOTO], [PHOTO])
    assert all("options" not in each for each in edit_requests(container))


def test_the_same_order_again_is_the_same_with_options_too(api: Api) -> None:
    body = {**order_body(), **api.upload([PHOTO]), "options": OPTIONS}
    first, again = (api.post("/orders/from-uploads", body).json for _ in range(2))
    assert first["jobId"] == again["jobId"]
    other = api.post("/orders/from-uploads", {**body, "options": {"brightness": "brighter"}})
    assert (other.status_code, other.json["jobId"]) == (409, first["jobId"])


def test_a_multipart_order_has_them_as_json_text(api: Api, container: Container) -> None:
    texts = {"interiorEnhancements": '["hdr_enhancement"]', "options": json.dumps(OPTIONS)}
    answer = api.post("/orders", data={**order_body(), **texts, "interiorPhoto0": (BytesIO(PHOTO), "a.jpg")})
    assert answer.status_code == 200, answer.text
    assert [each["options"] for each in edit_requests(container)] == [{"brightness": "darker"}]


def test_faults_are_told_by_their_paths(api: Api) -> None:
    body = {**order_body(), **api.upload([PHOTO])}
    bad = {"options": {"sky": "stormy"}, "photoConfigs": [{"photoType": "interior", "options": {"lawn": "lush"}}]}
    answer = api.post("/orders/from-uploads", {**body, **bad})
    assert answer.status_code == 400
    assert answer.json["details"] == {
        "options.sky": "Must be one of: clear, light_clouds, warm.",
        "photoConfigs[0].options.lawn": "The enhancements of photo 0 do not include grass_enhancement.",
    }
    form = {**order_body(), "interiorEnhancements": '["hdr_enhancement"]', "options": "{"}
    refused = api.post("/orders", data={**form, "interiorPhoto0": (BytesIO(PHOTO), "a.jpg")})
    assert (refused.status_code, set(refused.json["details"])) == (400, {"options"})


def test_options_change_no_price(api: Api) -> None:
    quote = {**order_body(exterior=True), "interiorCount": 1, "exteriorCount": 1}
    plain, chosen = (api.post("/orders/quote", {**quote, **more}).json for more in ({}, {"options": OPTIONS}))
    assert plain["creditCost"] == chosen["creditCost"]


def test_recipe_and_evidence_tell_them(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO], [PHOTO], options=OPTIONS)["jobId"]
    work(container)
    outside, inside = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    assert (outside["options"], inside["options"]) == ({"sky": "warm"}, {"brightness": "darker"})
    pictures = api.get(f"/jobs/{job_id}/evidence").json["pictures"]
    assert [each["edits"][0]["options"] for each in pictures] == [{"sky": "warm"}, {"brightness": "darker"}]
    plain = api.order([PHOTO])["jobId"]
    work(container)
    assert "options" not in api.get(f"/jobs/{plain}/recipes").json["recipes"][0]
    assert "options" not in api.get(f"/jobs/{plain}/evidence").json["pictures"][0]["edits"][0]
