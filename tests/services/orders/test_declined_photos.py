"""What was declined of a photo is ordered again to be shown: one draft with only that, at the price refunded."""

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain import draft_parts
from app.domain.drafts import DraftOrder
from app.domain.errors import Conflict, NotFound
from app.domain.lifecycle import Status
from app.models import Draft, DraftPhoto, Job, Mail, Photo
from app.services.orders import declines, draft_photos, drafts, reorders
from app.services.orders.reorders import PhotoAgain
from engine.types.enhancements import Enhancement
from engine.types.hints import HintedSurface
from engine.types.outlook import HintPart
from tests import acts, reading
from tests.acts import at_once
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo
from tests.sent_back import DECLUTTER, HDR, STAGING, ordered

UNSEEN = photo("DECLINE UNSEEN")
SKY, GRASS = "sky_enhancement", "grass_enhancement"


def photo_of(container: Container, job_id: str, place: int = 0) -> Photo:
    with container.database.read_session() as session:
        mine = select(Photo).where(Photo.job_id == job_id).order_by(Photo.type, Photo.index)
        return session.scalars(mine).all()[place]


def show(container: Container, api: Api, job_id: str, place: int = 0) -> PhotoAgain:
    parts = (container.database, container.storage, api.account_id, job_id, photo_of(container, job_id, place).id)
    return reorders.order_declined(*parts, container.upload_quota, container.clock())


def opened(container: Container, api: Api, made: PhotoAgain) -> tuple[DraftOrder, list[DraftPhoto]]:
    with container.database.read_session() as session:
        draft = drafts.get(session, api.account_id, made.draft_id)
        rows = draft_photos.get_all(session, draft)
        return draft_photos.as_draft_order(draft, rows, imagery=False, unsorted=()), rows


def count_drafts(container: Container) -> int:
    return len(reading.found(container, select(Draft)))


def test_only_the_declined_step_of_the_one_photo_is_in_the_draft_at_its_price(
    api: Api, container: Container
) -> None:
    lost = photo("HALF UNSEEN")
    job_id = ordered(api, container, STAGING, HDR, contents=(PHOTO, lost))
    refunded = reading.one(container, Job, job_id).credits_refunded
    before = api.credits()
    # HALF declines the last step, which is the light.
    made = show(container, api, job_id, 1)
    order, (row,) = opened(container, api, made)
    assert (made.photo_id, made.part) == (row.id, HintPart.FLOOR)
    (drafted,) = order.photos
    assert order.edit_request(drafted).steps == [HDR]
    assert draft_parts.price(order).credits == refunded
    assert (order.content.address, api.credits()) == ("12 Garden Lane, Springfield, IL 62704", before)
    with container.storage.open(row.storage_key) as file:
        assert file.read() == lost


def test_a_rejected_photo_is_ordered_again_whole_with_what_was_shown_before(api: Api, container: Container) -> None:
    hints = {"surfaces": {"floor": [[[0.1, 0.6], [0.9, 0.6], [0.5, 0.9]]]}}
    config = {"photoType": "interior", "photoIndex": 0, "hints": hints}
    staged = {"virtualStaging": {"0": {"style": "coastal"}}, "photoConfigs": [config]}
    job_id = ordered(api, container, STAGING, DECLUTTER, contents=(UNSEEN,), **staged)
    made = show(container, api, job_id)
    order, (row,) = opened(container, api, made)
    request = order.edit_request(order.photos[0])
    assert (made.part, request.steps) == (HintPart.PLACEMENTS, [DECLUTTER, STAGING])
    assert (request.style, row.edit_request.hints.surfaces.keys()) == ("coastal", {HintedSurface.FLOOR})


def test_of_a_renovation_only_the_change_that_was_not_done_with_its_picture(api: Api, container: Container) -> None:
    upload = api.upload([photo("EVERY SECOND UNSEEN"), photo("OAK")])
    like = upload["interiorFiles"].pop()["filePath"]
    words = {"changeDescription": "Warm white paint", "referenceText": "like the hall"}
    shown = {"changeType": "floor", "changeDescription": "Oak planks", "referenceImages": [like]}
    changes = [{"changeType": "walls", **words}, shown, {"changeType": "cabinets", **words}]
    chosen = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": changes}}
    job_id = api.order([PHOTO], **upload, **chosen)["jobId"]
    work(container)
    made = show(container, api, job_id)
    order, rows = opened(container, api, made)
    (floor,) = order.edit_request(order.photos[0]).changes
    (reference,) = [row for row in rows if row.is_reference]
    assert (made.part, floor.change_description) == (HintPart.FLOOR, "Oak planks")
    assert floor.reference_images == (reference.id,)
    assert draft_parts.price(order).credits == 1


def test_pressed_twice_or_in_two_tabs_at_once_it_is_one_draft(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING, contents=(UNSEEN, PHOTO))
    came = at_once(*[lambda: show(container, api, job_id)] * 3)
    assert len({(each.draft_id, each.photo_id) for each in came}) == 1
    assert show(container, api, job_id) == came[0]
    assert count_drafts(container) == 1
    left = [each for each in container.storage.list_files("uploads/") if "/previews/" not in each.key]
    assert len(left) == 3, "two ordered photos and one copy"


def test_after_its_photo_is_removed_from_the_draft_another_is_made(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING, contents=(UNSEEN, PHOTO))
    first = show(container, api, job_id)
    with container.database.unit_of_work() as session:
        session.get_one(DraftPhoto, first.photo_id).removed_at = container.clock()
    assert show(container, api, job_id).draft_id != first.draft_id


def test_what_showing_does_not_help_or_is_not_ones_own_is_refused_and_leaves_no_draft(
    api: Api, other_api: Api, container: Container
) -> None:
    job_id = ordered(api, container, STAGING, contents=(photo("DECLINE"), PHOTO))
    for place in range(2):
        with pytest.raises(Conflict):
            show(container, api, job_id, place)
    with pytest.raises(NotFound):
        show(container, other_api, job_id)
    other_id = ordered(api, container, STAGING, contents=(UNSEEN, PHOTO))
    parts = (container.database, container.storage, api.account_id, job_id, photo_of(container, other_id).id)
    with pytest.raises(NotFound):
        reorders.order_declined(*parts, container.upload_quota, container.clock())
    parts = (container.database, container.storage, api.account_id, other_id, photo_of(container, other_id).id)
    acts.expire(container)
    with pytest.raises(Conflict):
        reorders.order_declined(*parts, container.upload_quota, container.clock())
    assert count_drafts(container) == 0


def test_while_reviewers_decide_nothing_is_offered(api: Api, container: Container) -> None:
    steps = {"exteriorEnhancements": [SKY, GRASS], "interiorEnhancements": [STAGING]}
    houses = [photo("DECLINE UNSEEN"), photo("HOUSE")]
    job_id = api.order([UNSEEN, photo("ROOM")], exterior=houses, **steps)["jobId"]
    work(container, automatic=False)
    assert reading.one(container, Job, job_id).status is Status.QC_REVIEW
    for place in range(4):
        with container.database.read_session() as session:
            job, row = session.get_one(Job, job_id), photo_of(container, job_id, place)
            assert declines.find_help(session, job, row.id) == (None, None)
        with pytest.raises(Conflict):
            show(container, api, job_id, place)


def test_outside_what_another_photo_got_is_not_sold_again(api: Api, container: Container) -> None:
    both = {"exteriorEnhancements": [SKY, GRASS]}
    # HALF declines the last step, which is the lawn or the sky.
    one = api.order(exterior=[photo("HALF UNSEEN")], **both)["jobId"]
    two = api.order(exterior=[photo("HALF UNSEEN"), photo("HOUSE")], **both)["jobId"]
    none = api.order(exterior=[UNSEEN, photo("DECLINE")], **both)["jobId"]
    work(container)
    for job_id, price in ((one, 1), (none, 2)):
        assert reading.one(container, Job, job_id).credits_refunded == price
        order, _ = opened(container, api, show(container, api, job_id))
        assert draft_parts.price(order).credits == price
    assert reading.one(container, Job, two).credits_refunded == 0
    with pytest.raises(Conflict):
        show(container, api, two)


def test_outside_all_photos_that_lack_the_same_are_one_order_at_one_price(api: Api, container: Container) -> None:
    both = {"exteriorEnhancements": [SKY, GRASS]}
    # Nowhere was the last step done; the last photo lacks the other one too, which was paid for and needs no order.
    photos = [photo("HALF UNSEEN 1"), photo("HALF UNSEEN 2"), UNSEEN]
    job_id = api.order(exterior=photos, interior=[UNSEEN], interiorEnhancements=[STAGING], **both)["jobId"]
    work(container)
    made = show(container, api, job_id)
    order, rows = opened(container, api, made)
    assert len(rows) == 3
    assert draft_parts.price(order).credits == 1
    second = show(container, api, job_id, 1)
    assert (second.draft_id, second.photo_id) == (
        made.draft_id,
        next(row.id for row in rows if row.id != made.photo_id),
    )
    assert show(container, api, job_id, 3).draft_id != made.draft_id, "a room has a price of its own"


def test_the_mail_leads_to_what_can_be_shown(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING, contents=(PHOTO, UNSEEN, photo("DECLINE UNSEEN too")))
    undeliverable = ordered(api, container, STAGING, contents=(UNSEEN,))
    with container.database.read_session() as session:
        texts = [each.text for each in session.scalars(select(Mail).order_by(Mail.id))]
    for order_id, place in ((job_id, 1), (undeliverable, 0)):
        (text,) = [each for each in texts if f"/properties/{order_id}\n" in each]
        assert "Show us the floor in interior-" in text
        assert ("and 1 other photo:" in " ".join(text.split())) == (order_id == job_id)
        assert f"/properties/{order_id}/photos/{photo_of(container, order_id, place).id}#show-us" in text
    assert sum("Show us" in each for each in texts) == 2


def test_the_mail_says_what_is_free_because_other_photos_got_it(api: Api, container: Container) -> None:
    job_id = api.order(exterior=[photo("HOUSE"), UNSEEN], exteriorEnhancements=[SKY, GRASS])["jobId"]
    work(container)
    with container.database.read_session() as session:
        (text,) = session.scalars(select(Mail.text)).all()
    assert "for free, because other photos got it" in " ".join(text.split())
    assert f"#show-free-{photo_of(container, job_id, 1).id}" in text


def test_the_quality_report_names_the_hint(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING, contents=(UNSEEN, PHOTO))
    lost, kept = api.get(f"/jobs/{job_id}/quality").json["photos"]
    assert (lost["hint"], "hint" in kept) == ("surfaces.floor", False)
    assert lost["steps"][0]["enhancement"] == Enhancement.STAGING
