"""An order whose photos are made of several frames, from upload URLs to what is kept of it."""

import io
import json
from datetime import datetime, timedelta
from hashlib import sha256

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain.order_files import MAX_PHOTOS
from app.models import Job, Photo, PhotoFrame
from app.services.accounts import organizations
from app.services.exports import personal_data
from app.services.orders import draft_photos, drafts, reorders
from app.services.photos import zip_downloads
from app.services.photos.make_pictures import FILE_GONE
from engine.types.photo_limits import MAX_FRAMES
from tests import acts
from tests.conftest import Api, develop, order_body, remake, revise, work
from tests.fakes import FakeClock, make_facts, photo
from tests.sent_back import send_back

NOON = datetime.fromisoformat("2026-06-01T12:00:00")
FRAMES = [photo("dark"), photo("middle"), photo("light")]


def upload(api: Api, contents: list[bytes], frames: int = 3) -> tuple[str, list[dict[str, object]]]:
    """The upload session and its entries, as they are given."""
    asked = {"interiorCount": len(contents) // frames, "framesPerPhoto": frames}
    room = api.post("/orders/upload-urls", asked).json
    for target, content in zip(room["interiorUrls"], contents, strict=True):
        assert api.put(target["uploadUrl"], content).status_code == 200
    return room["uploadSessionId"], room["interiorUrls"]


def order(api: Api, session_id: str, files: list[dict[str, object]], **fields):
    body = {**order_body(), "uploadSessionId": session_id, "interiorFiles": files, **fields}
    return api.post("/orders/from-uploads", body)


def place(api: Api, contents: list[bytes] = FRAMES, **fields) -> dict[str, object]:
    answer = order(api, *upload(api, contents), **fields)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_there_is_a_url_for_every_frame_and_entries_are_sent_back_whole(api: Api) -> None:
    session_id, targets = upload(api, FRAMES * 2)
    assert [(each["index"], each["photo"], each["frame"]) for each in targets] == [
        (index, index // 3, index % 3) for index in range(6)
    ]
    answer = order(api, session_id, targets)
    assert answer.status_code == 200, answer.text
    assert [len(asset["frames"]) for asset in answer.json["assets"]] == [3, 3]
    assert answer.json["photosUploaded"] == 2


def test_a_photo_of_frames_costs_as_one_and_counts_as_one(api: Api, container: Container) -> None:
    quoted = api.post("/orders/quote", {**order_body(), "interiorCount": 1}).json["creditCost"]
    before = api.credits()
    placed = place(api)
    assert placed["creditCost"] == quoted == before - api.credits()
    assert api.status(placed["jobId"])["progress"]["total"] == 1
    work(container)
    assert api.get(f"/downloads/{placed['jobId']}").json["images"][0]["type"] == "generated_interior"


def test_index_keys_count_photos(api: Api) -> None:
    session_id, targets = upload(api, [*FRAMES, *FRAMES])
    staged = {"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]}
    answer = order(api, session_id, targets, photoConfigs=[staged], virtualStaging={"1": {}})
    assert answer.status_code == 200, answer.text
    wrong = order(api, *upload(api, FRAMES), photoConfigs=[staged])
    assert wrong.json["details"] == {"photoConfigs[0].photoIndex": "There is no interior photo 1."}


def test_frames_may_stand_anywhere_and_the_first_gives_the_place(api: Api) -> None:
    session_id, files = upload(api, FRAMES + [photo("alone")] * 3)
    names = ["a", None, "a", "b", "b", "a"]
    mixed = [
        {"filePath": file["filePath"], "fileName": f"{place}.jpg", **({"group": name} if name else {})}
        for place, (file, name) in enumerate(zip(files, names, strict=True))
    ]
    assets = order(api, session_id, mixed).json["assets"]
    assert [(each["index"], each["fileName"], "frames" in each) for each in assets] == [
        (0, "0.jpg", True),
        (1, "1.jpg", False),
        (2, "3.jpg", True),
    ]
    assert [frame["fileName"] for frame in assets[0]["frames"]] == ["0.jpg", "2.jpg", "5.jpg"]


def test_too_many_frames_or_photos_are_refused_and_nothing_is_lost(api: Api) -> None:
    before = api.credits()
    files = [{"filePath": f"uploads/x/interior-{number}", "group": "a"} for number in range(MAX_FRAMES + 1)]
    many = [{"filePath": f"uploads/x/interior-{number}"} for number in range(MAX_PHOTOS + 1)]
    assert order(api, "ups_x", files).json["details"] == {
        f"interiorFiles[{MAX_FRAMES}].group": "A photo takes at most 9 frames."
    }
    assert order(api, "ups_x", many).json["details"] == {
        "interiorFiles": "An order takes at most 50 interior photos."
    }
    assert api.credits() == before


def test_the_engine_gets_all_frames_and_the_order_keeps_what_they_are(api: Api, container: Container) -> None:
    placed = place(api)
    work(container)
    (context,) = container.engine.contexts
    assert [opened().read() for opened in context.frames] == FRAMES
    digests = [sha256(each).hexdigest() for each in FRAMES]
    recipe = api.get(f"/jobs/{placed['jobId']}/recipes").json["recipes"][0]
    assert recipe["frameSha256s"] == digests
    assert recipe["originalSha256"] == digests[1]
    evidence = api.get(f"/jobs/{placed['jobId']}/evidence").json["pictures"][0]
    assert evidence["frameSha256s"] == digests


def test_all_frames_can_be_downloaded_beside_the_picture(api: Api, container: Container) -> None:
    placed = place(api)
    work(container)
    (image,) = api.get(f"/downloads/{placed['jobId']}").json["images"]
    paths = [url.removeprefix("http://localhost") for url in image["frameUrls"]]
    assert [api.client.get(path).data for path in paths] == FRAMES
    assert api.client.get(image["originalUrl"].removeprefix("http://localhost")).data == FRAMES[1]


def test_a_photo_of_one_file_has_no_frames_to_download(api: Api, container: Container) -> None:
    placed = api.order(interior=FRAMES[:1])
    work(container)
    (image,) = api.get(f"/downloads/{placed['jobId']}").json["images"]
    assert "frameUrls" not in image


def test_frames_that_are_not_of_one_view_are_rejected_with_a_code_and_refunded(api: Api, container) -> None:
    before = api.credits()
    placed = place(api, [photo("UNFIT"), *FRAMES[1:]])
    work(container)
    quality = api.get(f"/jobs/{placed['jobId']}/quality").json["photos"][0]
    assert (quality["verdict"], quality["reason"]) == ("rejected", "frames_unfit")
    assert quality["message"] == "The frames do not show the same view."
    assert api.credits() == before


def test_a_frame_that_is_gone_is_waited_for_and_then_refunded(api: Api, container, clock: FakeClock) -> None:
    placed = place(api)
    with container.database.read_session() as session:
        frame = session.scalars(select(PhotoFrame).order_by(PhotoFrame.place)).first()
    container.storage.delete(frame.storage_key)
    work(container)
    assert api.status(placed["jobId"])["status"] == "processing"
    clock.now += container.time_limit / 2
    work(container)
    assert api.status(placed["jobId"])["creditsRefunded"] == placed["creditCost"]
    assert api.get(f"/jobs/{placed['jobId']}/quality").json["photos"][0]["message"] == FILE_GONE
    acts.put(container.storage, frame.storage_key, FRAMES[0])


def test_variants_are_made_of_all_frames(api: Api, container: Container) -> None:
    placed = place(api, interiorEnhancements=["hdr_enhancement", "flambient_enhancement"])
    work(container)
    image = api.get(f"/downloads/{placed['jobId']}").json["images"][0]["id"]
    asked = api.post(f"/jobs/{placed['jobId']}/images/{image}/variants", {"without": ["flambient_enhancement"]})
    assert asked.status_code == 202, asked.text
    assert remake(container) == 1
    assert [opened().read() for opened in container.engine.contexts[-1].frames] == FRAMES


def test_a_result_that_is_sent_back_is_made_again_of_all_frames(api: Api, container: Container) -> None:
    job_id = place(api)["jobId"]
    work(container)
    develop(container)
    made = len(container.engine.contexts)
    send_back(container, job_id)
    revise(container)
    assert len(container.engine.contexts) == made + 1
    assert [opened().read() for opened in container.engine.contexts[-1].frames] == FRAMES


def test_all_frames_are_among_the_originals(api: Api, container: Container) -> None:
    session_id, files = upload(api, FRAMES)
    named = [{**file, "fileName": f"IMG_{place}.jpg"} for place, file in enumerate(files)]
    job_id = order(api, session_id, named).json["jobId"]
    work(container)
    with container.database.read_session() as session:
        job, extras = session.get_one(Job, job_id), {zip_downloads.ORIGINALS}
        found = zip_downloads.entries(session, container.storage, job, extras=extras)
    originals = [entry.path.rpartition("/")[2] for entry in found if f"/{zip_downloads.ORIGINALS}/" in entry.path]
    assert originals == ["IMG_0.jpg", "IMG_1.jpg", "IMG_2.jpg"]


def test_what_is_told_of_a_person_names_every_frame(api: Api, container: Container) -> None:
    place(api)
    with container.database.read_session() as session:
        user_id = organizations.get_owner(session, api.account_id).user.id
        told = personal_data.collect(session, user_id, api.account_id, container.clock())
    (ordered,) = told["orders"][0]["photos"]
    assert [frame["sizeBytes"] for frame in ordered["frames"]] == [len(content) for content in FRAMES]


def test_an_order_is_the_same_again_whatever_its_first_answer(api: Api) -> None:
    session_id, files = upload(api, FRAMES)
    first, again = (order(api, session_id, files) for _ in range(2))
    assert first.json["jobId"] == again.json["jobId"]
    assert first.json["assets"] == again.json["assets"]
    alone = [{key: value for key, value in file.items() if key != "group"} for file in files]
    assert order(api, session_id, alone).status_code == 409


def test_an_order_made_again_has_its_frames_in_groups(api: Api, container: Container) -> None:
    placed = place(api)
    parts = container.database, container.storage, api.account_id, placed["jobId"], container.upload_quota
    draft_id = reorders.make_draft(*parts, container.clock())
    with container.database.read_session() as session:
        draft = drafts.get(session, api.account_id, draft_id)
        rows = draft_photos.get_all(session, draft)
    assert [len(frames) for frames in draft_photos.group_frames(rows)] == [3]
    assert draft.last_merge is None, "nobody has just merged them, so nothing is offered to be undone"


def test_frames_go_when_the_pictures_do(api: Api, container: Container, clock: FakeClock) -> None:
    place(api)
    work(container)
    clock.pass_(seconds=container.settings.retention_seconds + 1)
    container.sweep.everything()
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(PhotoFrame)) == 0
        assert session.scalar(select(func.count()).select_from(Photo)) == 0
    assert not list(container.settings.storage_path.rglob("interior-*"))


def multipart(api: Api, groups: object, count: int = 4):
    form = {
        "address": order_body()["address"],
        "serviceType": "interior",
        "interiorEnhancements": json.dumps(["hdr_enhancement"]),
        "interiorGroups": json.dumps(groups),
    }
    files = {f"interiorPhoto{number}": (io.BytesIO(photo(str(number))), f"{number}.jpg") for number in range(count)}
    return api.post("/orders", data={**form, **files}, content_type="multipart/form-data")


def test_groups_of_a_form_are_lists_of_its_photo_fields(api: Api) -> None:
    answer = multipart(api, [[2, 0], [1, 3]])
    assert answer.status_code == 200, answer.text
    assert [[frame["fileName"] for frame in each["frames"]] for each in answer.json["assets"]] == [
        ["0.jpg", "2.jpg"],
        ["1.jpg", "3.jpg"],
    ]


@pytest.mark.parametrize(
    ("groups", "details"),
    [
        ({}, {"interiorGroups": "Must be a list."}),
        ([1], {"interiorGroups[0]": "Must be a list."}),
        ([[0, 9]], {"interiorGroups[0][1]": "There is no interior photo 9."}),
        ([[0, 1], [1, 2]], {"interiorGroups[1][0]": "Listed twice."}),
        ([["0"]], {"interiorGroups[0][0]": "Must be a whole number."}),
    ],
)
def test_groups_that_make_no_sense_are_refused_by_name(api: Api, container, groups, details) -> None:
    answer = multipart(api, groups)
    assert (answer.status_code, answer.json["details"]) == (400, details)
    assert not list(container.settings.storage_path.rglob("interior-*"))


def seen(container: Container, *taken: tuple[float, float | None, bytes]) -> None:
    """What the workers read of the files, in the order of their content's names."""
    order_of_files = iter(taken)

    def facts(_: bytes):
        seconds, exposure, view = next(order_of_files)
        return make_facts(view, taken_at=NOON + timedelta(seconds=seconds), exposure_value=exposure)

    container.previews.facts = facts


def test_groups_are_proposed_once_the_files_were_looked_at_and_can_be_ordered(api: Api, container) -> None:
    made = api.upload([*FRAMES, photo("hall")])
    session_id = made["uploadSessionId"]
    waiting = api.post(f"/orders/{session_id}/groups", {})
    assert (waiting.status_code, waiting.json) == (202, {"livemode": True, "status": "pending", "pendingCount": 4})
    seen(container, (0, 8, b"room"), (1, 10, b"room"), (2, 6, b"room"), (60, 8, b"hall"))
    develop(container)
    found = api.post(f"/orders/{session_id}/groups", {})
    assert (found.status_code, found.json["status"], found.json["problems"]) == (200, "ready", [])
    groups = [file.get("group") for file in found.json["interiorFiles"]]
    assert groups == ["interior-0"] * 3 + [None]
    placed = order(api, session_id, found.json["interiorFiles"])
    assert placed.status_code == 200, placed.text
    assert placed.json["photosUploaded"] == 2
    assert api.post(f"/orders/{session_id}/groups", {}).status_code == 409


def test_what_is_not_grouped_is_told_with_its_files(api: Api, container: Container) -> None:
    made = api.upload(FRAMES[:2])
    named = [{**file, "fileName": f"{place}.jpg"} for place, file in enumerate(made["interiorFiles"])]
    path = f"/orders/{made['uploadSessionId']}/groups"
    api.post(path, {})
    seen(container, (0, 8, b"room"), (1, 8, b"room"))
    develop(container)
    found = api.post(path, {"interiorFiles": named}).json
    assert found["interiorFiles"] == named
    assert [(each["code"], each["filePaths"]) for each in found["problems"]] == [
        ("equal_exposures", [file["filePath"] for file in named])
    ]


def test_groups_of_nothing_of_others_and_of_what_is_not_there(api: Api, other_api: Api) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    path = f"/orders/{room['uploadSessionId']}/groups"
    assert api.post(path, {}).json == {
        "livemode": True,
        "status": "ready",
        "interiorFiles": [],
        "exteriorFiles": [],
        "problems": [],
    }
    missing = api.post(path, {"interiorFiles": [{"filePath": room["interiorUrls"][0]["filePath"]}]})
    assert (missing.status_code, [*missing.json["details"]]) == (400, ["interiorFiles[0].filePath"])
    assert other_api.post(path, {}).status_code == 404
    assert api.post("/orders/ups_unknown/groups", {}).status_code == 404


def test_frames_known_not_to_be_one_view_are_refused_before_anything_is_paid(
    api: Api, container: Container
) -> None:
    session_id, targets = upload(api, FRAMES)
    api.post(f"/orders/{session_id}/groups", {})
    seen(container, (0, 8, b"room"), (1, 10, b"room"), (2, 6, b"hall"))
    develop(container)
    before = api.credits()
    answer = order(api, session_id, targets)
    words = "Its frames show different views. Without a group each file is a separate photo."
    assert (answer.status_code, answer.json["details"]) == (400, {"interiorFiles[0].group": words})
    assert api.credits() == before
    apart = order(api, session_id, [{**each, "group": None} for each in targets])
    assert apart.status_code == 200, apart.text
