"""What is known of uploaded files is read with their previews, once, and goes with the files."""

from datetime import datetime, timedelta
from hashlib import sha256

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain.retention import UPLOADS_KEPT
from app.models import PhotoFacts, Preview
from app.services.orders import draft_photos, drafts
from app.services.previews import photo_facts, previews
from app.services.uploads import uploads
from engine.types.enhancements import PhotoType
from engine.types.pictures import Previews
from engine.types.report import Reason
from tests import acts
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock, make_facts, photo
from tests.services.drafting import add_photo, begin


def known(container: Container) -> dict[str, PhotoFacts]:
    with container.database.read_session() as session:
        return {each.storage_key: each for each in session.scalars(select(PhotoFacts))}


def want_facts(container: Container, session_id: str, keys: list[str]) -> None:
    with container.database.unit_of_work() as session:
        previews.request_facts(session, keys, uploads.prefix(session_id), container.clock())


def upload(api: Api, *contents: bytes) -> tuple[str, list[str]]:
    made = api.upload(list(contents))
    return made["uploadSessionId"], [file["filePath"] for file in made["interiorFiles"]]


def test_a_file_that_arrives_in_a_draft_is_known_once_its_previews_are_made(api: Api, container: Container) -> None:
    taken_at = datetime.fromisoformat("2026-06-01T12:00:00.250")
    container.previews.facts = lambda content: make_facts(
        content, taken_at=taken_at, exposure_value=9.5, flash_fired=False, guessed_type=PhotoType.INTERIOR
    )
    row = add_photo(container, begin(container, api.account_id))
    assert known(container) == {}
    develop(container)
    found = known(container)[row.storage_key]
    assert (found.sha256, found.width, found.height, found.fault) == (sha256(PHOTO).hexdigest(), 4, 3, None)
    assert (found.taken_at, found.exposure_value, found.flash_fired) == (taken_at, 9.5, False)
    assert found.guessed_type is PhotoType.INTERIOR
    assert photo_facts.as_file_facts(found) == container.previews.facts(PHOTO)


@pytest.mark.parametrize(("mark", "fault"), [("BROKEN", Reason.UNDECODABLE), ("CRASH", Reason.PROCESSING_FAILED)])
def test_a_file_that_cannot_be_read_is_known_by_its_fault(
    api: Api, container, clock: FakeClock, mark, fault
) -> None:
    session_id, [key] = upload(api, photo(mark))
    want_facts(container, session_id, [key])
    for _ in range(4):
        develop(container)
        clock.pass_(seconds=61)
    found = known(container)[key]
    assert (found.fault, found.width) == (fault, None)
    assert photo_facts.as_file_facts(found) is None


def test_nothing_is_kept_of_files_that_are_ordered_or_of_results(api: Api, container: Container) -> None:
    api.order([PHOTO])
    work(container)
    assert develop(container) == 2
    assert known(container) == {}


def test_a_file_put_again_is_looked_at_again(api: Api, container: Container) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    [target] = room["interiorUrls"]
    api.put(target["uploadUrl"], PHOTO)
    want_facts(container, room["uploadSessionId"], [target["filePath"]])
    develop(container)
    assert known(container)[target["filePath"]].sha256 == sha256(PHOTO).hexdigest()
    api.put(target["uploadUrl"], photo("another"))
    assert known(container) == {}
    develop(container)
    assert known(container)[target["filePath"]].sha256 == sha256(photo("another")).hexdigest()


def test_files_whose_previews_were_made_before_facts_were_kept_are_looked_at_once(
    api: Api, container: Container
) -> None:
    session_id, [key] = upload(api, PHOTO)
    with container.database.unit_of_work() as session:
        previews.request(session, key, uploads.prefix(session_id), container.clock())
        held = previews.claim(session, key, container.clock())
        previews.finish(session, held, Previews({}, 4, 3))
    want_facts(container, session_id, [key])
    assert develop(container) == 1
    assert key in known(container)
    assert develop(container) == 0


def test_facts_go_with_a_photo_that_is_taken_out(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    kept, gone = add_photo(container, draft, "a.jpg"), add_photo(container, draft, "b.jpg")
    develop(container)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_photos.erase(session, container.storage, held, draft_photos.get(session, held, gone.id))
    assert set(known(container)) == {kept.storage_key}


@pytest.mark.parametrize("way", ["discarded", "swept", "expired", "deleted"])
def test_facts_go_with_the_files(api: Api, container: Container, clock: FakeClock, way: str) -> None:
    draft = begin(container, api.account_id)
    add_photo(container, draft)
    develop(container)
    assert len(known(container)) == 1
    sweep = container.sweep
    if way == "discarded":
        with container.database.unit_of_work() as session:
            drafts.discard(session, container.storage, drafts.get(session, api.account_id, draft.id))
    else:
        if way == "deleted":
            acts.delete_account(container, api.account_id)
        clock.now += timedelta(days=8) if way == "expired" else UPLOADS_KEPT + timedelta(days=8)
        sweep.everything()
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(PhotoFacts)) == 0
        assert session.scalar(select(func.count()).select_from(Preview)) == 0
