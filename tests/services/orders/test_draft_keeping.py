"""Drafts belong to their account, change under one hand at a time, and are forgotten with their files."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain import limits
from app.domain.drafts import Content
from app.domain.errors import Conflict, NotFound
from app.domain.retention import DRAFTS_KEPT
from app.models import Draft, DraftPhoto, UploadSession
from app.services.orders import drafts
from app.services.uploads import uploads
from tests.conftest import PHOTO, Api
from tests.reading import count
from tests.services.drafting import add_photo, begin


def test_an_untouched_draft_is_taken_again_so_that_a_double_press_leaves_one(
    api: Api, container: Container
) -> None:
    with container.database.unit_of_work() as session:
        first = drafts.begin(session, api.account_id, container.upload_quota, container.clock()).id
        assert drafts.begin(session, api.account_id, container.upload_quota, container.clock()).id == first
    assert begin(container, api.account_id).id == first
    assert begin(container, api.account_id).id != first


def test_another_accounts_draft_does_not_exist(api: Api, other_api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    with container.database.read_session() as session:
        for account_id, draft_id in (
            (other_api.account_id, draft.id),
            (api.account_id, "dft_x"),
            (api.account_id, ""),
        ):
            with pytest.raises(NotFound):
                drafts.get(session, account_id, draft_id)
        assert drafts.get(session, api.account_id, draft.id).id == draft.id


def test_the_list_tells_drafts_begun_in_earnest_with_their_photos(
    api: Api, other_api: Api, container: Container
) -> None:
    old = begin(container, api.account_id, "1 Old Road")
    container.clock.pass_(minutes=1)
    new = begin(container, api.account_id, "2 New Road")
    add_photo(container, old)
    add_photo(container, old, "reference.jpg", is_reference=True)
    begin(container, other_api.account_id)
    with container.database.unit_of_work() as session:
        drafts.begin(session, api.account_id, container.upload_quota, container.clock())
        listed = drafts.list_open(session, api.account_id)
    assert {(each.draft_id, each.content.street, each.photo_count) for each in listed} == {
        (old.id, "1 Old Road", 1),
        (new.id, "2 New Road", 0),
    }
    assert listed[0].kept_until == container.clock() + DRAFTS_KEPT


def test_a_change_of_something_older_is_refused_and_loses_nothing(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    now = container.clock()
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        seen = held.version
        assert drafts.write(session, held, Content(street="1 First Tab"), now, seen)
        assert not drafts.write(session, held, Content(street="2 Second Tab"), now, seen)
        assert drafts.content_of(held).street == "1 First Tab"
        # The same said twice is no clash.
        assert drafts.write(session, held, Content(street="1 First Tab"), now, seen)
        assert drafts.write(session, held, Content(street="2 Second Tab"), now, held.version)


def test_one_account_has_only_so_many_drafts(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_OPEN_DRAFTS", 2)
    for number in range(2):
        begin(container, api.account_id, f"{number} Road")
    with pytest.raises(Conflict):
        begin(container, api.account_id)


def test_a_draft_holds_its_files_until_it_is_forgotten(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    photo = add_photo(container, draft)
    container.clock.pass_(days=DRAFTS_KEPT.days - 1, hours=23)
    container.sweep.everything()
    assert count(container, Draft) == count(container, UploadSession) == 1
    assert container.storage.stat(photo.storage_key)
    container.clock.pass_(hours=1)
    container.sweep.everything()
    assert count(container, Draft) == count(container, DraftPhoto) == count(container, UploadSession) == 0
    assert container.storage.stat(photo.storage_key) is None


def test_a_change_keeps_the_draft_longer(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    container.clock.pass_(days=6)
    add_photo(container, draft)
    container.clock.pass_(days=6)
    container.sweep.everything()
    assert count(container, Draft) == 1


def test_sessions_that_no_draft_holds_are_swept_as_before(api: Api, container: Container) -> None:
    begin(container, api.account_id)
    api.upload(interior=[PHOTO])
    container.clock.pass_(hours=25)
    with container.database.read_session() as session:
        (unused,) = uploads.list_unused(session, container.clock())
        assert session.scalar(select(Draft.id).where(Draft.upload_session_id == unused)) is None


def test_a_discarded_draft_takes_its_files_along(api: Api, container: Container) -> None:
    draft = begin(container, api.account_id)
    photo = add_photo(container, draft)
    with container.database.unit_of_work() as session:
        drafts.discard(session, container.storage, drafts.get_open(session, api.account_id, draft.id))
    assert count(container, Draft) == count(container, DraftPhoto) == count(container, UploadSession) == 0
    assert container.storage.stat(photo.storage_key) is None
    assert timedelta(days=7) == DRAFTS_KEPT
