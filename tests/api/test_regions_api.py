"""What we see in a photo by program: asked before and after an order, read by workers alone, gone with its file."""

import base64
import io
from datetime import timedelta

import pytest
from PIL import Image
from sqlalchemy import func, select

from app.container import Container
from app.domain.ids import Prefix, is_id
from app.domain.ports import QueueName
from app.domain.retention import UPLOADS_KEPT
from app.models import Membership, StoredOutlook
from app.services.previews import outlook_worker, outlooks
from app.services.retention import account_deletion, expiry
from engine.effects import virtual_staging
from engine.types.hint_document import read_hints
from tests import scenes
from tests.conftest import PHOTO, Api, look, work
from tests.engine.box_rooms import BoxRoom
from tests.fakes import FakeClock, photo

ROOM = scenes.encoded(scenes.room())
EMPTY = scenes.encoded(
    BoxRoom(left=-3.0, right=3.2, far=6.0, width=480, height=320, things=()).drawn(furnished=False)[0]
)
LAWN = {"exteriorEnhancements": ["grass_enhancement"]}
FURNISH = {"interiorEnhancements": ["virtual_staging"], "virtualStaging": {"0": {"roomType": "bedroom"}}}


def ask(api: Api, uploaded: dict[str, object], **fields: object):
    service = "interior" if "interiorFiles" in uploaded else "exterior"
    body = {"serviceType": service, **{name: each for name, each in uploaded.items() if name.endswith("Files")}}
    return api.post(f"/orders/{uploaded['uploadSessionId']}/regions", {**body, **fields})


def count(container: Container) -> int:
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(StoredOutlook)) or 0


def test_it_is_pending_until_a_worker_looked_and_then_says_what_steps_would_do(
    api: Api, container: Container
) -> None:
    uploaded, before = api.upload([ROOM]), api.credits()
    waiting = ask(api, uploaded, **FURNISH)
    assert (waiting.status_code, waiting.json) == (202, {"livemode": True, "status": "pending"})
    assert look(container) == 1
    found = ask(api, uploaded, **FURNISH)
    assert (found.status_code, found.json["status"]) == (200, "ready")
    (step,) = found.json["steps"]
    assert step["enhancement"] == "virtual_staging"
    assert step["prospect"] in {"likely", "needs_hint", "not_possible"}
    assert read_hints(found.json["seen"]).surfaces
    assert found.json["certainties"].keys() == found.json["seen"]["surfaces"].keys()
    with Image.open(io.BytesIO(base64.b64decode(found.json["labels"]["image"]))) as labels:
        assert (labels.mode, max(labels.size)) == ("P", 480)
    assert len(found.data) < 100_000
    assert api.credits() == before
    assert look(container) == 0


def test_what_is_seen_is_ordered_as_hints(api: Api, container: Container) -> None:
    uploaded = api.upload([ROOM])
    ask(api, uploaded, **FURNISH)
    look(container)
    seen = ask(api, uploaded, **FURNISH).json["seen"]
    surfaces = {"surfaces": seen["surfaces"]}
    config = {"photoConfigs": [{"photoType": "interior", "photoIndex": 0, "hints": surfaces}]}
    assert ask(api, uploaded, **FURNISH, **config).status_code == 202
    look(container)
    assert ask(api, uploaded, **FURNISH, **config).json["hinted"] is True


def test_furniture_that_is_placed_is_shown_in_a_small_picture(api: Api, container: Container) -> None:
    uploaded = api.upload([EMPTY])
    ask(api, uploaded, **FURNISH)
    look(container)
    found = ask(api, uploaded, **FURNISH).json
    assert "layoutPreview" not in found
    main = next(each for each in found["plan"]["layouts"][0]["pieces"] if each["main"])
    placed = {"placements": [{name: main[name] for name in ("piece", "at", "faces") if name in main}]}
    config = {"photoConfigs": [{"photoType": "interior", "photoIndex": 0, "hints": placed}]}
    ask(api, uploaded, **FURNISH, **config)
    look(container)
    shown = ask(api, uploaded, **FURNISH, **config).json
    assert shown["plan"]["layouts"] == found["plan"]["layouts"][:1]
    with Image.open(io.BytesIO(base64.b64decode(shown["layoutPreview"]))) as preview:
        assert (preview.format, preview.size) == ("JPEG", (480, 320))


def test_a_preview_that_breaks_does_not_cost_the_outlook(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without light it cannot be rendered.
    monkeypatch.setattr(virtual_staging, "estimate_room_light", None)
    uploaded = api.upload([EMPTY])
    placed = {"placements": [{"piece": "bed", "at": [0.5, 0.8]}]}
    config = {"photoConfigs": [{"photoType": "interior", "photoIndex": 0, "hints": placed}]}
    ask(api, uploaded, **FURNISH, **config)
    look(container)
    answer = ask(api, uploaded, **FURNISH, **config).json
    assert answer["status"] == "ready"
    assert "layoutPreview" not in answer


def test_another_wish_and_another_file_get_another_answer(api: Api, container: Container) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    target = room["interiorUrls"][0]
    uploaded = {"uploadSessionId": room["uploadSessionId"], "interiorFiles": [{"filePath": target["filePath"]}]}
    api.put(target["uploadUrl"], ROOM)
    ask(api, uploaded, **FURNISH)
    look(container)
    assert ask(api, uploaded, **FURNISH).status_code == 200
    assert ask(api, uploaded, interiorEnhancements=["declutter"]).status_code == 202
    api.put(target["uploadUrl"], scenes.encoded(scenes.room(cast=(1, 1, 1))))
    assert ask(api, uploaded, **FURNISH).status_code == 202
    look(container)
    assert ask(api, uploaded, **FURNISH).status_code == 200


def test_a_file_that_is_no_photo_has_an_answer_in_words(api: Api, container: Container) -> None:
    uploaded = api.upload([PHOTO])
    ask(api, uploaded, **FURNISH)
    look(container)
    answer = ask(api, uploaded, **FURNISH)
    assert (answer.status_code, answer.json["status"]) == (200, "failed")
    assert answer.json["message"]


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({}, "interiorEnhancements"),
        ({"interiorEnhancements": ["sky_enhancement"]}, "interiorEnhancements[0]"),
        ({"interiorEnhancements": ["virtual_renovation"]}, "renovations.0"),
        (
            {**FURNISH, "photoConfigs": [{"photoType": "interior", "hints": {"surfaces": {"sky": []}}}]},
            "photoConfigs[0].hints.surfaces.sky",
        ),
        ({"interiorEnhancements": ["declutter"], "interiorFiles": []}, "interiorFiles"),
        ({**FURNISH, "interiorFiles": [{"filePath": "uploads/ups_other/interior-0"}]}, "interiorFiles[0].filePath"),
    ],
)
def test_faults_are_those_of_an_order(api: Api, container: Container, fields: object, place: str) -> None:
    answer = ask(api, api.upload([ROOM]), **fields)
    assert (answer.status_code, list(answer.json["details"])) == (400, [place])
    assert count(container) == 0


def test_it_is_one_photo_at_a_time(api: Api) -> None:
    answer = ask(api, api.upload([ROOM, ROOM]), **FURNISH)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["interiorFiles"])


def test_files_of_others_unknown_and_ordered_sessions_are_refused(api: Api, other_api: Api) -> None:
    uploaded = api.upload([ROOM])
    assert ask(other_api, uploaded, **FURNISH).status_code == 404
    assert ask(api, {**uploaded, "uploadSessionId": "ups_unknown"}, **FURNISH).status_code == 404
    job_id = api.order([PHOTO])["jobId"]
    photo_id = api.get(f"/jobs/{job_id}/quality").json["photos"][0]["id"]
    assert other_api.get(f"/jobs/{job_id}/photos/{photo_id}/regions").status_code == 404
    assert api.get(f"/jobs/{job_id}/photos/pho_unknown/regions").status_code == 404


def test_a_photo_of_a_job_has_its_own_steps(api: Api, container: Container) -> None:
    job_id = api.order(exterior=[scenes.encoded(scenes.house_on_asphalt())], **LAWN)["jobId"]
    photo_id = api.get(f"/jobs/{job_id}/quality").json["photos"][0]["id"]
    path = f"/jobs/{job_id}/photos/{photo_id}/regions"
    assert api.get(path).status_code == 202
    look(container)
    answer = api.get(path)
    assert answer.status_code == 200
    (step,) = answer.json["steps"]
    assert (step["enhancement"], step["prospect"]) != ("grass_enhancement", "likely")
    assert step["reason"] in {"no_lawn", "not_exterior"}


def test_only_so_many_photos_of_an_account_wait(
    api: Api, other_api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlooks, "MAX_WAITING", 2)
    photos = [api.upload([photo(name)]) for name in ("one", "two", "three")]
    answers = [ask(api, each, **FURNISH) for each in photos]
    assert [each.status_code for each in answers] == [202, 202, 429]
    assert (answers[2].json["details"], answers[2].headers["Retry-After"]) == ({"limit": 2}, "30")
    assert ask(api, photos[0], **FURNISH).status_code == 202
    assert ask(other_api, other_api.upload([PHOTO]), **FURNISH).status_code == 202
    look(container)
    assert ask(api, photos[2], **FURNISH).status_code == 202


def test_of_a_file_only_the_newest_answers_are_kept(api: Api, container: Container, clock: FakeClock) -> None:
    uploaded = api.upload([PHOTO])
    for style in ("modern", "scandinavian", "industrial", "coastal", "farmhouse", "traditional"):
        clock.pass_(seconds=1)
        wish = {"interiorEnhancements": ["virtual_staging"], "virtualStaging": {"0": {"style": style}}}
        assert ask(api, uploaded, **wish).status_code in (202, 400)
    assert 1 < count(container) <= outlooks.MAX_KEPT


def test_workers_of_previews_are_told_and_a_lost_wake_up_is_found(api: Api, container: Container) -> None:
    ask(api, api.upload([ROOM]), **FURNISH)

    def told() -> list[str]:
        return [each for each in container.queue.queues[QueueName.PREVIEWS] if is_id(each, Prefix.OUTLOOK)]

    assert len(told()) == 1
    container.sweep.everything()
    assert len(set(told())) == 1
    assert len(told()) >= 2


def test_an_answer_goes_with_the_unused_upload(api: Api, container: Container, clock: FakeClock) -> None:
    ask(api, api.upload([ROOM]), **FURNISH)
    clock.now += UPLOADS_KEPT + timedelta(days=1)
    container.sweep.everything()
    assert count(container) == 0


def test_an_answer_goes_with_the_expired_job(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    photo_id = api.get(f"/jobs/{job_id}/quality").json["photos"][0]["id"]
    assert api.get(f"/jobs/{job_id}/photos/{photo_id}/regions").status_code == 202
    with container.database.unit_of_work() as session:
        expiry.expire(session, job_id, container.clock())
    assert count(container) == 0
    assert api.get(f"/jobs/{job_id}/photos/{photo_id}/regions").status_code == 404


def test_an_answer_goes_with_its_account_and_no_other(api: Api, other_api: Api, container: Container) -> None:
    for each in (api, other_api):
        ask(each, each.upload([PHOTO]), **FURNISH)
    with container.database.unit_of_work() as session:
        account_id = session.scalars(select(StoredOutlook.account_id).order_by(StoredOutlook.created_at)).first()
        user_id = session.scalar(select(Membership.user_id).where(Membership.organization_id == account_id))
        account_deletion.delete_account(session, user_id, container.clock())
    with container.database.read_session() as session:
        (left,) = session.scalars(select(StoredOutlook.account_id)).all()
    assert left != account_id


def test_an_answer_is_dropped_when_its_file_went_meanwhile(api: Api, container: Container) -> None:
    ask(api, api.upload([ROOM]), **FURNISH)
    with container.database.unit_of_work() as session:
        (outlook_id,) = session.scalars(select(StoredOutlook.id)).all()
        held = outlooks.claim(session, outlook_id, container.clock())
    with container.database.unit_of_work() as session:
        outlooks.forget_files(session, [held.source_key])
    with container.database.unit_of_work() as session:
        assert not outlooks.finish(session, held, {})
    assert count(container) == 0


def test_a_missing_file_and_a_reader_that_breaks_are_given_up_in_words(
    api: Api, container: Container, clock: FakeClock
) -> None:
    uploaded = api.upload([ROOM])
    ask(api, uploaded, **FURNISH)
    container.storage.delete(uploaded["interiorFiles"][0]["filePath"])
    look(container)
    with container.database.read_session() as session:
        assert session.scalars(select(StoredOutlook.error)).all() == [outlook_worker.GONE]

    class Broken:
        def read(self, *_: object) -> None:
            raise RuntimeError("broken")

    container.outlooks = Broken()
    again = api.upload([photo("again")])
    ask(api, again, **FURNISH)
    for _ in range(4):
        look(container)
        clock.pass_(minutes=5)
    assert ask(api, again, **FURNISH).json == {"livemode": True, "status": "failed", "message": outlooks.GIVEN_UP}
