"""Section "Order result": what an order from uploads answers, and that one session is one order."""

from datetime import timedelta

from app.models import Job
from tests.conformance.shapes import ADDRESS, is_number, is_text, ledger, rows
from tests.conftest import PHOTO, Api, work

FROM_UPLOADS = "/orders/from-uploads"


def order(api: Api, **fields: object) -> dict:
    """A body for one interior and one exterior photo, as the interface shows it."""
    return {
        "address": ADDRESS,
        "serviceType": "both",
        "interiorEnhancements": ["hdr_enhancement", "declutter"],
        "exteriorEnhancements": ["sky_enhancement"],
        **api.upload([PHOTO], [PHOTO]),
        **fields,
    }


def test_it_has_exactly_the_fields_of_the_interface(api: Api) -> None:
    answer = api.post(FROM_UPLOADS, json=order(api))
    assert answer.status_code == 200
    result = answer.json
    names = {"success", "jobId", "status", "creditCost", "photosUploaded", "assets", "message", "listing"}
    assert set(result) == names | {"livemode"}
    assert result["success"] is True
    assert is_text(result["jobId"])
    assert is_text(result["message"])
    assert result["status"] == "pending"
    assert is_number(result["creditCost"])
    assert (result["creditCost"], result["photosUploaded"]) == (2, 2)


def test_every_asset_has_an_id_and_the_customers_own_file_name(api: Api) -> None:
    body = order(api)
    body["interiorFiles"][0]["fileName"] = "Living room.JPG"
    assets = api.post(FROM_UPLOADS, json=body).json["assets"]
    assert [(a["type"], a["index"]) for a in assets] == [("exterior", 0), ("interior", 0)]
    assert all(set(asset) == {"id", "fileName", "type", "index", "disclosures"} for asset in assets)
    assert len({asset["id"] for asset in assets}) == 2
    assert all(is_text(asset["id"]) and is_text(asset["fileName"]) for asset in assets)
    assert assets[1]["fileName"] == "Living room.JPG"


def test_the_entries_of_the_upload_session_may_be_sent_back_whole(api: Api) -> None:
    room = api.post("/orders/upload-urls", json={"interiorCount": 1}).json
    api.put(room["interiorUrls"][0]["uploadUrl"], PHOTO)
    body = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": ["declutter"]}
    files = {"uploadSessionId": room["uploadSessionId"], "interiorFiles": room["interiorUrls"]}
    assert api.post(FROM_UPLOADS, json={**body, **files}).status_code == 200


def test_the_order_of_the_files_is_the_photo_index(api: Api, container) -> None:
    body = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": ["declutter"]}
    files = api.upload(interior=[PHOTO + b"0", PHOTO + b"1"])
    files["interiorFiles"].reverse()
    job = api.post(FROM_UPLOADS, json={**body, **files}).json["jobId"]
    work(container)
    images = api.get(f"/downloads/{job}").json["images"]
    assert [api.client.get(image["url"]).data[-1:] for image in images] == [b"1", b"0"]


def test_the_same_body_again_gives_the_first_job_and_charges_once(api: Api, container) -> None:
    body = order(api)
    first = api.post(FROM_UPLOADS, json=body)
    again = api.post(FROM_UPLOADS, json=body)
    assert (again.status_code, again.json) == (200, first.json)
    assert api.credits() == 98
    assert len(ledger(container)) == 2  # the opening balance and one debit
    assert len(container.queue.notified) == 2


def test_the_same_order_spelt_otherwise_is_the_same_order(api: Api) -> None:
    body = order(api)
    first = api.post(FROM_UPLOADS, json=body).json["jobId"]
    spelt = {**dict(reversed(body.items())), "photoConfigs": None, "renovations": {}, "address": f" {ADDRESS} "}
    assert api.post(FROM_UPLOADS, json=spelt).json["jobId"] == first


def test_the_same_body_again_tells_the_status_of_that_moment(api: Api, container) -> None:
    body = order(api)
    api.post(FROM_UPLOADS, json=body)
    work(container)
    assert api.post(FROM_UPLOADS, json=body).json["status"] == "approved"


def test_another_body_for_a_used_session_is_a_conflict_that_names_the_job(api: Api) -> None:
    body = order(api)
    job = api.post(FROM_UPLOADS, json=body).json["jobId"]
    answer = api.post(FROM_UPLOADS, json={**body, "address": "99 Other Street, Springfield, IL 62704"})
    assert answer.status_code == 409
    assert (answer.json["code"], answer.json["jobId"]) == ("conflict", job)
    assert api.credits() == 98


def test_a_session_of_another_account_is_unknown_here(api: Api, other_api: Api) -> None:
    body = order(other_api)
    answer = api.post(FROM_UPLOADS, json=body)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["uploadSessionId"])
    assert other_api.post(FROM_UPLOADS, json=body).status_code == 200


def test_photos_that_wait_for_a_wake_up_are_found_by_the_sweep(api: Api, container) -> None:
    container.queue.away = True
    assert api.post(FROM_UPLOADS, json=order(api)).status_code == 200
    container.queue.away = False
    container.sweep.notify_due_photos()
    assert len(container.queue.notified) == 2


def test_an_unused_session_is_forgotten_after_a_day(api: Api, container, clock) -> None:
    body = order(api)
    clock.now += timedelta(hours=24)
    container.sweep.forget_unused_uploads()
    answer = api.post(FROM_UPLOADS, json=body)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["uploadSessionId"])
    assert api.credits() == 100


def test_a_refused_order_leaves_the_session_free_for_a_better_one(api: Api, container) -> None:
    body = order(api)
    assert api.post(FROM_UPLOADS, json={**body, "address": "?"}).status_code == 400
    assert rows(container, Job) == []
    assert api.post(FROM_UPLOADS, json=body).status_code == 200
