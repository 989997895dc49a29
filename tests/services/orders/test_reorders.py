"""Ordering again: a draft like an order, with copies of its photos."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.draft_orders import to_body
from app.domain.drafts import Content
from app.domain.errors import Conflict, NotFound
from app.models import Draft, DraftPhoto, Job, Photo, UploadSession
from app.services.orders import draft_photos, drafts, reorders
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.hints import HintedSurface
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeImagery, photo


def again(container: Container, api: Api, job_id: str) -> str:
    return reorders.make_draft(
        container.database, container.storage, api.account_id, job_id, container.upload_quota, container.clock()
    )


def opened(container: Container, api: Api, draft_id: str) -> tuple[Draft, Content, list[DraftPhoto]]:
    with container.database.read_session() as session:
        draft = drafts.get(session, api.account_id, draft_id)
        return draft, drafts.content_of(draft), draft_photos.get_all(session, draft)


def files(container: Container) -> set[str]:
    root = container.settings.storage_path
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_the_draft_has_the_address_the_edit_requests_and_the_photos(container: Container, api: Api) -> None:
    inside, outside = photo("one"), photo("two")
    job_id = api.order([inside], [outside])["jobId"]
    draft, content, photos = opened(container, api, again(container, api, job_id))
    assert content.address == "12 Garden Lane, Springfield, IL 62704"
    assert content.service_type is None, "it follows from the photos"
    assert content.interior_enhancements == (Enhancement.HDR,)
    assert content.exterior_enhancements == (Enhancement.SKY,)
    assert [(each.type, read(container, each)) for each in photos] == [
        (PhotoType.EXTERIOR, outside),
        (PhotoType.INTERIOR, inside),
    ]
    assert all(each.storage_key.startswith(f"uploads/{draft.upload_session_id}/") for each in photos)
    assert all(each.size_bytes == len(inside) for each in photos)


FLOOR = ((0.1, 0.6), (0.9, 0.6), (0.5, 0.9))
HINTS = {
    "surfaces": {"floor": [[list(point) for point in FLOOR]]},
    "placements": [{"piece": "sofa", "at": [0.5, 0.7]}],
}


def test_hints_are_those_of_their_photo_alone_and_ordered_as_far_as_they_suit(
    container: Container, api: Api
) -> None:
    configs = [{"photoType": "interior", "photoIndex": 0, "hints": HINTS}]
    staged = {"interiorEnhancements": ["virtual_staging"], "photoConfigs": configs}
    job_id = api.order([photo("one"), photo("two")], **staged)["jobId"]
    draft, _, (first, second) = opened(container, api, again(container, api, job_id))
    hints = first.edit_request.hints
    assert hints is not None
    assert (hints.surfaces, len(hints.placements)) == ({HintedSurface.FLOOR: (FLOOR,)}, 1)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        draft_photos.write(
            session, held, first.id, replace(first.edit_request, enhancements=(Enhancement.HDR,)), container.clock()
        )
        draft_photos.copy_edit_request(session, held, first.id, [second.id], container.clock())
    _, _, (first, second) = opened(container, api, draft.id)
    assert (first.edit_request.hints, second.edit_request.hints) == (hints, None)
    config, _ = to_body(draft_photos.as_draft_order(draft, [first, second], imagery=False, unsorted=()))[
        "photoConfigs"
    ]
    assert (config["hints"].placements, config["hints"].surfaces) == ((), hints.surfaces)


def read(container: Container, copied: DraftPhoto) -> bytes:
    with container.storage.open(copied.storage_key) as file:
        return file.read()


def test_names_and_order_of_the_photos_are_kept(container: Container, api: Api) -> None:
    upload = api.upload([photo(str(number)) for number in range(12)])
    for number, file in enumerate(upload["interiorFiles"]):
        file["fileName"] = f"room {number}.jpg"
    job_id = api.order([PHOTO], **upload)["jobId"]
    _, _, photos = opened(container, api, again(container, api, job_id))
    assert [each.file_name for each in photos] == [f"room {number}.jpg" for number in range(12)]
    assert [read(container, each) for each in photos] == [photo(str(number)) for number in range(12)]


def test_photos_that_became_different_things_have_edit_requests_of_their_own(
    container: Container, api: Api
) -> None:
    configs = [{"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]}]
    staging = {"1": {"style": "coastal", "roomType": "bedroom"}}
    job_id = api.order([PHOTO, PHOTO], photoConfigs=configs, virtualStaging=staging)["jobId"]
    _, content, photos = opened(container, api, again(container, api, job_id))
    first, second = (each.edit_request for each in photos)
    assert content.interior_enhancements == ()
    assert first.enhancements == (Enhancement.HDR,)
    assert second.enhancements == (Enhancement.STAGING,)
    assert (second.staging.style, second.staging.room_type) == ("coastal", "bedroom")


def test_renovations_come_with_their_words_and_copies_of_their_pictures(container: Container, api: Api) -> None:
    upload = api.upload([PHOTO, photo("OAK")])
    like = upload["interiorFiles"].pop()["filePath"]
    words = {"changeType": "walls", "changeDescription": "Warm white", "referenceText": "like the hall"}
    shown = {"changeType": "floor", "changeDescription": "Oak planks", "referenceImages": [like]}
    chosen = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [words, shown]}}
    job_id = api.order([PHOTO], **upload, **chosen)["jobId"]
    _, _, (one, reference) = opened(container, api, again(container, api, job_id))
    walls, floor = one.edit_request.changes
    assert (walls.change_type, walls.change_description, walls.reference_text) == (
        "walls",
        "Warm white",
        "like the hall",
    )
    assert floor.reference_images == (reference.id,)
    assert reference.is_reference
    assert read(container, reference) == photo("OAK")


def test_public_imagery_becomes_the_choice_of_it(container: Container, api: Api) -> None:
    container.imagery = FakeImagery({"12 Garden Lane, Springfield, IL 62704": PHOTO})
    order = {"serviceType": "both", "exteriorEnhancements": ["golden_hour"]}
    job_id = api.order([PHOTO], **order)["jobId"]
    work(container)
    _, content, photos = opened(container, api, again(container, api, job_id))
    assert content.public_imagery
    assert content.exterior_enhancements == (Enhancement.GOLDEN_HOUR,)
    assert [each.type for each in photos] == [PhotoType.INTERIOR]


def test_a_draft_without_a_file_is_not_given_out_as_a_new_one(container: Container, api: Api) -> None:
    container.imagery = FakeImagery({"12 Garden Lane, Springfield, IL 62704": PHOTO})
    outside_only = {"serviceType": "exterior", "interiorFiles": [], "interiorEnhancements": []}
    job_id = api.order([PHOTO], exteriorEnhancements=["golden_hour"], **outside_only)["jobId"]
    work(container)
    draft_id = again(container, api, job_id)
    with container.database.unit_of_work() as session:
        assert drafts.begin(session, api.account_id, container.upload_quota, container.clock()).id != draft_id


def test_a_failed_order_can_be_ordered_again(container: Container, api: Api) -> None:
    job_id = api.order([photo("CRASH")])["jobId"]
    for _ in range(4):
        work(container)
        container.clock.pass_(minutes=1)
    assert api.status(job_id)["status"] == "failed"
    assert len(opened(container, api, again(container, api, job_id))[2]) == 1


def test_an_expired_order_is_refused_and_leaves_no_draft(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    container.clock.pass_(days=8)
    container.sweep.expire_jobs()
    with pytest.raises(Conflict, match="no longer kept"):
        again(container, api, job_id)
    assert rows(container) == []


def test_a_copy_that_fails_leaves_nothing_behind(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    before = files(container)
    copy, calls = container.storage.copy, iter((None, OSError("the disk is full")))

    def once(from_key: str, to_key: str):
        if error := next(calls):
            raise error
        return copy(from_key, to_key)

    with patch.object(container.storage, "copy", once), pytest.raises(OSError, match="disk is full"):
        again(container, api, job_id)
    assert files(container) == before
    assert rows(container) == []


def test_photos_that_vanish_meanwhile_are_told_as_gone(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    with patch.object(container.storage, "copy", side_effect=FileNotFoundError), pytest.raises(Conflict):
        again(container, api, job_id)
    assert rows(container) == []


def rows(container: Container) -> list[Draft]:
    with container.database.read_session() as session:
        assert not list(session.scalars(select(DraftPhoto)))
        used = session.scalars(select(Job.upload_session_id)).all()
        assert session.scalars(select(UploadSession.id)).all() == used
        return list(session.scalars(select(Draft)))


def test_a_crash_while_copying_leaves_files_that_go_with_their_draft(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    before = files(container)

    def dies(from_key: str, to_key: str) -> None:
        container.storage.create(to_key, 1000).publish()
        raise KeyboardInterrupt  # as a killed process, nothing after this runs

    with patch.object(container.storage, "copy", dies), pytest.raises(KeyboardInterrupt):
        again(container, api, job_id)
    assert files(container) > before
    container.clock.pass_(days=8)
    for _ in ("the draft", "then its files"):
        container.sweep.everything()
    assert files(container) <= before


def test_the_copies_outlive_the_order(container: Container, api: Api) -> None:
    job_id = api.order([photo("kept")])["jobId"]
    work(container)
    container.clock.pass_(days=6, hours=23)
    draft_id = again(container, api, job_id)
    container.clock.pass_(hours=2)
    container.sweep.everything()
    with container.database.read_session() as session:
        assert not list(session.scalars(select(Photo)))
    (copied,) = opened(container, api, draft_id)[2]
    assert read(container, copied) == photo("kept")


def test_another_accounts_order_is_not_found(container: Container, api: Api, other_api: Api) -> None:
    theirs = other_api.order([PHOTO])["jobId"]
    for job_id in (theirs, "job_" + "0" * 22, "nonsense"):
        with pytest.raises(NotFound):
            again(container, api, job_id)


def test_two_at_once_make_two_whole_drafts(container: Container, api: Api) -> None:
    first, second = (api.order([PHOTO] * count)["jobId"] for count in (1, 3))
    copy, found = container.storage.copy, []

    def meanwhile(from_key: str, to_key: str):
        if not found:
            found.append("")
            found[0] = again(container, api, second)
        return copy(from_key, to_key)

    with patch.object(container.storage, "copy", meanwhile):
        found.append(again(container, api, first))
    assert [len(opened(container, api, each)[2]) for each in found] == [3, 1]
