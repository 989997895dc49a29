"""Hints that name their photo, or have masks in its shape, are for this photo alone: in orders, work and drafts."""

import json
from base64 import b64encode
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import select

from app.container import Container
from app.models import DraftPhoto, Result
from app.services.orders import draft_groups, draft_photos, drafts
from engine.pipeline import PictureEngine
from engine.types.hint_document import read_hints
from engine.types.report import Reason
from tests import reading
from tests.conformance.shapes import edit_requests
from tests.conftest import PHOTO, Api, develop, order_body, work
from tests.fakes import make_facts, photo
from tests.services.drafting import add_photo, begin

FLOOR = [[0.1, 0.6], [0.9, 0.6], [0.9, 0.9], [0.1, 0.9]]
OTHER = photo("other")
NOON = datetime.fromisoformat("2026-06-01T12:00:00")


def hints_for(content: bytes) -> dict[str, object]:
    return {"photo": {"sha256": sha256(content).hexdigest()}, "surfaces": {"floor": [FLOOR]}}


def configured(hints: object, index: int = 0) -> list[dict[str, object]]:
    return [{"photoType": "interior", "photoIndex": index, "hints": hints}]


def config(content: bytes, index: int = 0) -> dict[str, object]:
    return {"photoConfigs": configured(hints_for(content), index)}


def test_hints_for_another_photo_are_refused_at_their_place_and_nothing_is_charged(
    api: Api, container: Container
) -> None:
    before = api.credits()
    body = {**order_body(), **api.upload([PHOTO, OTHER])}
    develop(container)
    refused = api.post("/orders/from-uploads", {**body, **config(PHOTO, index=1)})
    assert (refused.status_code, [*refused.json["details"]]) == (400, ["photoConfigs[0].hints.photo.sha256"])
    assert sha256(OTHER).hexdigest() in refused.json["details"]["photoConfigs[0].hints.photo.sha256"]
    assert api.credits() == before
    assert api.post("/orders/from-uploads", {**body, **config(OTHER, index=1)}).status_code == 200


def test_hints_for_another_photo_are_refused_in_a_form_before_any_worker_has_read_it(api: Api) -> None:
    form = {"interiorEnhancements": '["hdr_enhancement"]'}
    form |= {"address": order_body()["address"], "serviceType": "interior"}
    before, answers = api.credits(), []
    for content in (OTHER, PHOTO):
        photo_configs = json.dumps(configured(hints_for(content)))
        data = {**form, "interiorPhoto0": (BytesIO(PHOTO), "a.jpg"), "photoConfigs": photo_configs}
        answers.append(api.call("POST", "/orders", data=data, content_type="multipart/form-data"))
    assert [each.status_code for each in answers] == [400, 200]
    assert [*answers[0].json["details"]] == ["photoConfigs[0].hints.photo.sha256"]
    assert api.credits() == before - answers[1].json["creditCost"]


def test_hints_for_a_photo_that_was_replaced_are_refused(api: Api, container: Container) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    (target,) = room["interiorUrls"]
    body = {**order_body(), "uploadSessionId": room["uploadSessionId"], **config(PHOTO)}
    body["interiorFiles"] = [{"filePath": target["filePath"]}]
    for content in (PHOTO, OTHER):
        assert api.put(target["uploadUrl"], content).status_code == 200
        develop(container)
    assert api.post("/orders/from-uploads", body).status_code == 400


def test_hints_of_a_bracket_name_any_of_its_frames(api: Api, container: Container) -> None:
    frames = [photo("dark"), photo("middle"), photo("light")]
    taken = {content: {"taken_at": NOON, "exposure_value": float(stop)} for stop, content in enumerate(frames)}
    container.previews.facts = lambda content: make_facts(b"one view", **taken[content])
    body = {**order_body(), **api.upload(frames)}
    body["interiorFiles"] = [{**each, "group": "one"} for each in body["interiorFiles"]]
    develop(container)
    assert api.post("/orders/from-uploads", {**body, **config(OTHER)}).status_code == 400
    assert api.post("/orders/from-uploads", {**body, **config(frames[2])}).status_code == 200


def test_a_worker_that_finds_the_hints_to_be_for_another_photo_declines_it_refunded(
    api: Api, container: Container
) -> None:
    before = api.credits()
    job_id = api.order([PHOTO], **config(OTHER))["jobId"]
    container.engine = PictureEngine()
    work(container)
    assert reading.only(container, select(Result)).reason == Reason.OTHER_PHOTO
    status = api.status(job_id)
    assert status["status"] == "undeliverable"
    assert "another photo" in status["undeliverable"]["reason"]
    assert api.credits() == before


def test_a_photo_of_a_draft_that_is_replaced_loses_its_hints(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    kept, replaced = (add_photo(container, draft, name) for name in "ab")
    with container.database.unit_of_work() as session:
        for each in (kept, replaced):
            hinted = replace(each.edit_request, hints=read_hints(hints_for(PHOTO)))
            held = drafts.get_open(session, api.account_id, draft.id)
            draft_photos.write(session, held, each.id, hinted, container.clock())
    assert api.put(container.storage.upload_url(replaced.storage_key, 60), OTHER).status_code == 200
    found = {each.id: each.edit_request.hints for each in reading.found(container, select(DraftPhoto))}
    assert (found[kept.id] is None, found[replaced.id]) == (False, None)


def test_of_a_bracket_taken_apart_only_the_named_file_keeps_the_hints(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    rows = [add_photo(container, draft, name) for name in "ab"]
    assert api.put(container.storage.upload_url(rows[1].storage_key, 60), OTHER).status_code == 200
    develop(container)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        group = draft_groups.merge(session, held, [each.id for each in rows], container.clock())
        hinted = replace(rows[0].edit_request, hints=read_hints(hints_for(OTHER)))
        draft_photos.write(session, held, rows[0].id, hinted, container.clock())
        draft_groups.split(session, held, [group], container.clock())
    found = {each.id: each.edit_request.hints for each in reading.found(container, select(DraftPhoto))}
    assert (found[rows[0].id], found[rows[1].id]) == (None, read_hints(hints_for(OTHER)))


def mask(size: tuple[int, int]) -> dict[str, object]:
    """A surface whose mask of this size is white in its lower half."""
    picture, file = Image.new("1", size), BytesIO()
    picture.paste(1, (0, size[1] // 2, *size))
    picture.save(file, "PNG")
    return {"mask": b64encode(file.getvalue()).decode()}


def test_a_mask_is_kept_as_it_is_given(api: Api, container: Container) -> None:
    given = mask((80, 64))
    job_id = api.order([PHOTO], photoConfigs=configured({"surfaces": {"floor": given}}))["jobId"]
    [request] = edit_requests(container)
    assert request["hints"]["surfaces"] == {"floor": given}
    work(container)
    [recipe] = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    assert recipe["hints"]["surfaces"] == {"floor": given}


@pytest.mark.parametrize(
    "given", [{"mask": "iVBORw0"}, {"mask": 1}, mask((80, 64))], ids=["cut", "number", "shape"]
)
def test_a_damaged_mask_and_one_of_another_shape_are_refused_before_anything_is_charged(
    api: Api, container: Container, given: dict[str, object]
) -> None:
    before = api.credits()
    body = {**order_body(), **api.upload([PHOTO])}
    develop(container)
    refused = api.post("/orders/from-uploads", {**body, "photoConfigs": configured({"surfaces": {"floor": given}})})
    assert (refused.status_code, [*refused.json["details"]]) == (400, ["photoConfigs[0].hints.surfaces.floor.mask"])
    assert api.credits() == before
    fitting = configured({"surfaces": {"floor": mask((88, 66))}})
    assert api.post("/orders/from-uploads", {**body, "photoConfigs": fitting}).status_code == 200


def test_a_result_is_not_made_again_with_a_mask_of_another_shape(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    path = f"/jobs/{job_id}/images/{api.get(f'/downloads/{job_id}').json['images'][0]['id']}/revisions"
    asked = [{"reason": "other", "hints": {"surfaces": {"floor": mask(size)}}} for size in ((80, 64), (88, 66))]
    refused, taken = (api.post(path, each) for each in asked)
    assert (refused.status_code, [*refused.json["details"]]) == (400, ["hints.surfaces.floor.mask"])
    assert taken.status_code == 202, taken.text
