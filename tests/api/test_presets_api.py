"""Presets by program, and orders that name one."""

import json
from io import BytesIO

import pytest

from app.container import Container
from app.domain.actors import Scope
from app.services.security import api_keys
from tests.conformance.shapes import edit_requests
from tests.conftest import PHOTO, Api, order_body

BODY = {
    "name": "Our listings",
    "exteriorEnhancements": ["sky_enhancement", "grass_enhancement"],
    "interiorEnhancements": ["hdr_enhancement"],
    "options": {"sky": "clear", "brightness": "brighter"},
}


@pytest.fixture
def preset(api: Api) -> dict:
    answer = api.post("/presets", BODY)
    assert answer.status_code == 201, answer.text
    return answer.json


def order_with(preset_id: str, **fields: object) -> dict:
    plain = order_body(interior=True, exterior=True)
    for name in ("interiorEnhancements", "exteriorEnhancements"):
        del plain[name]
    return {**plain, "presetId": preset_id, **fields}


def change(api: Api, preset_id: str, **fields: object):
    return api.call("PUT", f"/presets/{preset_id}", data=json.dumps({**BODY, **fields}))


def test_a_preset_is_made_read_changed_and_deleted(api: Api, preset: dict) -> None:
    assert preset["options"] == {"sky": "clear", "brightness": "brighter"}
    assert (preset["isDefault"], "stagingStyle" in preset) == (False, False)
    assert api.get(f"/presets/{preset['id']}").json == preset
    changed = change(api, preset["id"], name="Luxury", options=None, isDefault=True).json
    assert (changed["name"], changed["isDefault"], "options" in changed) == ("Luxury", True, False)
    listed = {name: value for name, value in changed.items() if name != "livemode"}
    assert api.get("/presets").json == {"livemode": True, "presets": [listed]}
    assert api.call("DELETE", f"/presets/{preset['id']}").json == {
        "livemode": True,
        "success": True,
        "id": preset["id"],
    }
    assert api.get("/presets").json == {"livemode": True, "presets": []}
    assert api.get(f"/presets/{preset['id']}").status_code == 404


def test_faults_are_told_by_their_paths(api: Api, preset: dict) -> None:
    answer = api.post("/presets", {"name": "", "exteriorEnhancements": ["sky"], "options": {"sky": "x"}})
    assert answer.status_code == 400
    assert set(answer.json["details"]) == {"name", "exteriorEnhancements[0]", "options.sky"}
    assert api.post("/presets", BODY).status_code == 409
    assert change(api, preset["id"], name="x" * 101).status_code == 400


def test_the_same_post_twice_makes_one(api: Api) -> None:
    first, again = (api.post("/presets", BODY, headers={"Idempotency-Key": "one"}) for _ in range(2))
    assert (first.status_code, again.status_code, first.json) == (201, 201, again.json)
    assert len(api.get("/presets").json["presets"]) == 1


def test_others_know_nothing_of_it(other_api: Api, preset: dict) -> None:
    path = f"/presets/{preset['id']}"
    assert other_api.get(path).status_code == 404
    assert change(other_api, preset["id"]).status_code == 404
    assert other_api.call("DELETE", path).status_code == 404
    refused = other_api.post("/orders/quote", order_with(preset["id"], interiorCount=1, exteriorCount=1))
    unknown = other_api.post("/orders/quote", order_with("pre_" + "0" * 22, interiorCount=1, exteriorCount=1))
    assert refused.status_code == unknown.status_code == 400
    assert refused.json["details"] == unknown.json["details"] == {"presetId": "No preset of yours has this id."}


def test_reading_takes_the_scope_of_ordering(api: Api, container: Container, preset: dict) -> None:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, api.account_id, container.clock(), scopes=[Scope.JOBS_READ])
    only_jobs = Api(api.client, api.account_id, secret)
    assert only_jobs.get("/presets").status_code == 403
    assert only_jobs.post("/presets", {**BODY, "name": "x"}).status_code == 403


def test_an_order_is_as_its_preset_has_it_and_stays_so(api: Api, container: Container, preset: dict) -> None:
    body = {**order_with(preset["id"]), **api.upload([PHOTO], [PHOTO])}
    first = api.post("/orders/from-uploads", body)
    assert first.status_code == 200, first.text
    outside, inside = kept = edit_requests(container)
    assert (outside["enhancements"], outside["options"]) == (
        ["grass_enhancement", "sky_enhancement"],
        {"sky": "clear"},
    )
    assert (inside["enhancements"], inside["options"]) == (["hdr_enhancement"], {"brightness": "brighter"})
    change(api, preset["id"], exteriorEnhancements=["golden_hour"], interiorEnhancements=None, options=None)
    again = api.post("/orders/from-uploads", body)
    assert (again.status_code, again.json["jobId"]) == (200, first.json["jobId"])
    api.call("DELETE", f"/presets/{preset['id']}")
    once_more = api.post("/orders/from-uploads", body)
    assert (once_more.status_code, once_more.json["jobId"]) == (200, first.json["jobId"])
    assert edit_requests(container) == kept
    assert api.credits() == 100 - first.json["creditCost"]
    other = api.post("/orders/from-uploads", {**body, "options": {"sky": "warm"}})
    assert other.status_code == 409


def test_with_an_idempotency_key_the_first_answer_outlives_the_preset(api: Api, preset: dict) -> None:
    body, headers = {**order_with(preset["id"]), **api.upload([PHOTO], [PHOTO])}, {"Idempotency-Key": "again"}
    first = api.post("/orders/from-uploads", body, headers=headers)
    api.call("DELETE", f"/presets/{preset['id']}")
    again = api.post("/orders/from-uploads", body, headers=headers)
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    fresh = api.post("/orders/from-uploads", {**body, **api.upload([PHOTO], [PHOTO])})
    assert (fresh.status_code, set(fresh.json["details"])) == (400, {"presetId"})


def test_a_multipart_order_names_one_too(api: Api, container: Container, preset: dict) -> None:
    def sent() -> dict:
        form = {**order_with(preset["id"], options=json.dumps({"sky": "warm"}))}
        photos = {f"{kind}Photo0": (BytesIO(PHOTO), f"{kind}.jpg") for kind in ("interior", "exterior")}
        return {**form, **photos}

    first = api.post("/orders", data=sent(), headers={"Idempotency-Key": "form"})
    assert first.status_code == 200, first.text
    outside, inside = edit_requests(container)
    assert (outside["options"], inside["options"]) == ({"sky": "warm"}, {"brightness": "brighter"})
    api.call("DELETE", f"/presets/{preset['id']}")
    assert api.post("/orders", data=sent(), headers={"Idempotency-Key": "form"}).json == first.json
    refused = api.post("/orders", data=sent())
    assert (refused.status_code, set(refused.json["details"])) == (400, {"presetId"})


def test_a_price_is_that_of_the_order(api: Api, preset: dict) -> None:
    body = order_with(preset["id"], interiorCount=2, exteriorCount=1)
    assert api.post("/orders/quote", body).json["creditCost"] == 3
    assert api.post("/orders/quote", {**body, "interiorEnhancements": ["declutter"]}).json["creditCost"] == 3
    assert api.post("/orders/quote", {**body, "exteriorEnhancements": ["golden_hour"]}).json["creditCost"] == 2


@pytest.mark.parametrize("bad", [7, "", "pre_x", ["x"], {"id": "x"}])
def test_what_is_no_id_is_refused_at_its_place(api: Api, bad: object) -> None:
    answer = api.post("/orders/quote", order_with(bad, interiorCount=1, exteriorCount=1))
    assert (answer.status_code, list(answer.json["details"])) == (400, ["presetId"])
