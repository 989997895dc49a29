"""Sandboxes cost their accounts nothing, so they may use less, keep it for days, and their work comes last."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text, update

from app.container import Container
from app.domain import limits, retention
from app.domain.errors import Conflict, OutlooksExceeded
from app.domain.ports import QueueName
from app.domain.sending import DeliveryState
from app.models import Delivery, Event, Job, Photo, Preview, PublicPage, ShareLink, StoredOutlook
from app.services.orders import drafts, sandbox_room
from app.services.previews import outlooks, previews, turns
from app.services.previews.outlooks import OutlookSubject
from app.services.retention import keeping
from app.services.uploads import uploads
from app.services.uploads.quotas import UploadQuota
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import databases, reading
from tests.acts import at_once
from tests.conftest import PHOTO, Api, develop, order_body, photo_worker, work
from tests.fakes import FakeClock
from tests.sandboxes import enter_test_mode
from tests.services.hooks import register

REQUEST = EditRequest((Enhancement.HDR,))


@pytest.fixture
def tried(api: Api, container: Container) -> Api:
    """The same account with a test key."""
    return enter_test_mode(api, container)


def place(api: Api, files: int = 1, **fields: Any) -> Any:
    return api.post("/orders/from-uploads", {**order_body(), **api.upload([PHOTO] * files), **fields})


def test_a_sandbox_has_a_smaller_quota_for_uploads_and_no_live_account_has(
    api: Api, tried: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.uploads.quotas.TEST_OPEN_SESSIONS", 2)
    for _ in range(3):
        assert api.post("/orders/upload-urls", {"interiorCount": 1}).status_code == 200
    for _ in range(2):
        assert tried.post("/orders/upload-urls", {"interiorCount": 1}).status_code == 200
    refused = tried.post("/orders/upload-urls", {"interiorCount": 1})
    assert (refused.status_code, refused.json["details"]) == (429, {"openSessions": 2, "limit": 2})


def test_a_sandbox_holds_fewer_bytes(api: Api, tried: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.services.uploads.quotas.TEST_HELD_MEGABYTES", 0)
    url = tried.post("/orders/upload-urls", {"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    refused = tried.put(url, PHOTO)
    assert (refused.status_code, refused.json["details"]["limitBytes"]) == (413, 0)
    url = api.post("/orders/upload-urls", {"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    assert api.put(url, PHOTO).status_code == 200


def test_where_a_setting_allows_less_that_holds_for_sandboxes_too(
    tried: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(container), "upload_quota", UploadQuota(1, 10**9))
    assert tried.post("/orders/upload-urls", {"interiorCount": 1}).status_code == 200
    assert tried.post("/orders/upload-urls", {"interiorCount": 1}).json["details"]["limit"] == 1


@pytest.mark.parametrize(("name", "wait"), [("TEST_PHOTOS_IN_WORK", "60"), ("TEST_PHOTOS_A_DAY", "3600")])
def test_a_sandbox_has_so_many_photos_in_work_and_a_day_and_a_live_account_any_number(
    api: Api, tried: Api, container: Container, monkeypatch: pytest.MonkeyPatch, name: str, wait: str
) -> None:
    monkeypatch.setattr(sandbox_room, name, 2)
    assert place(tried, 2).status_code == 200
    before = tried.credits()
    refused = place(tried)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, wait)
    assert refused.json["details"] == {"photos": 3, "limit": 2}
    assert tried.credits() == before
    assert place(api, 3).status_code == 200
    work(container)
    # What is made is in work no longer, but was ordered today.
    assert place(tried).status_code == (200 if name == "TEST_PHOTOS_IN_WORK" else 429)
    container.clock.pass_(hours=25)
    work(container)
    assert place(tried).status_code == 200


def test_test_orders_at_the_same_moment_have_no_more_together(tried: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_room, "TEST_PHOTOS_IN_WORK", 2)
    bodies = [{**order_body(), **tried.upload([PHOTO])} for _ in range(6)]

    def order(body: dict[str, Any]) -> int:
        own = Api(tried.client.application.test_client(), tried.account_id, tried.secret)
        return own.post("/orders/from-uploads", body).status_code

    statuses = at_once(*(lambda body=each: order(body) for each in bodies))
    assert sorted(statuses) == [200] * 2 + [429] * 4


@pytest.mark.skipif(not databases.GIVEN, reason="SQLite has one writer")
def test_upload_sessions_are_opened_while_a_test_order_is_placed(tried: Api, container: Container) -> None:
    with container.database.unit_of_work() as ordering:
        sandbox_room.require(ordering, tried.account_id, 1, container.clock())
        with container.database.unit_of_work() as session:
            session.execute(text("SET LOCAL lock_timeout = '1s'"))
            uploads.open_session(session, tried.account_id, container.upload_quota, container.clock())


def test_photos_that_are_made_are_in_work_no_longer_while_others_of_their_order_are(
    tried: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_room, "TEST_PHOTOS_IN_WORK", 2)
    place(tried, 2)
    first = reading.found(container, select(Photo.id))[0]
    photo_worker(container).process(first)
    assert place(tried).status_code == 200
    assert place(tried).status_code == 429


def test_a_sandbox_has_fewer_drafts_and_outlooks_that_wait(
    api: Api, tried: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TEST_OPEN_DRAFTS", 1)
    monkeypatch.setattr(outlooks, "TEST_WAITING_OUTLOOKS", 1)

    def begin_two(account_id: str) -> None:
        with container.database.unit_of_work() as session:
            for _ in range(2):
                drafts.begin(session, account_id, container.upload_quota, container.clock()).version = 2
                session.flush()

    def ask_two(account_id: str) -> None:
        with container.database.unit_of_work() as session:
            for name in ("a", "b"):
                subject = OutlookSubject(account_id, f"{account_id}/{name}", account_id, "1", REQUEST)
                outlooks.request(session, subject, container.clock())

    for act, refusal in ((begin_two, Conflict), (ask_two, OutlooksExceeded)):
        act(api.account_id)
        with pytest.raises(refusal):
            act(tried.account_id)


def test_results_of_test_orders_are_removed_days_before_live_ones(
    api: Api, tried: Api, container: Container, clock: FakeClock
) -> None:
    live, test = (each.order([PHOTO])["jobId"] for each in (api, tried))
    work(container)
    develop(container)
    clock.now += retention.TEST_RESULTS_KEPT - timedelta(seconds=1)
    container.sweep.everything()
    assert tried.get(f"/downloads/{test}").status_code == 200
    clock.pass_(seconds=1)
    container.sweep.everything()
    assert tried.get(f"/downloads/{test}").status_code == 404
    assert api.get(f"/downloads/{live}").status_code == 200
    upload = reading.one(container, Job, test).upload_session_id
    for prefix in (f"results/{test}/", f"uploads/{upload}/"):
        assert list(container.storage.list_files(prefix)) == []


def test_the_catalog_says_for_how_long(api: Api, tried: Api, container: Container) -> None:
    kept = [each.get("/catalog").json["limits"]["retentionSeconds"] for each in (api, tried)]
    assert kept == [container.settings.retention_seconds, retention.TEST_RESULTS_KEPT.total_seconds()]


def test_nobody_keeps_test_orders_longer_by_a_link_a_public_page_or_a_choice(
    tried: Api, container: Container, clock: FakeClock
) -> None:
    job_id = tried.order([PHOTO], interiorEnhancements=["declutter"])["jobId"]
    work(container)
    end = clock() + retention.TEST_RESULTS_KEPT
    clock.pass_(hours=1)
    assert tried.post(f"/jobs/{job_id}/shares", {"days": 30}).status_code == 201
    assert tried.post(f"/jobs/{job_id}/public-page", {"months": 24}).status_code == 200
    for model in (ShareLink, PublicPage):
        assert reading.only(container, select(model)).expires_at == end, model
    with pytest.raises(Conflict, match="3 days at most"), container.database.unit_of_work() as session:
        keeping.keep(session, tried.account_id, job_id, 10**9, clock())


def test_events_and_held_deliveries_of_test_mode_are_removed_after_a_week(
    api: Api, tried: Api, container: Container, clock: FakeClock
) -> None:
    for each in (api, tried):
        each.order([PHOTO])
        register(container, each.account_id)
        each.order([PHOTO])
    with container.database.unit_of_work() as session:
        session.execute(update(Delivery).values(state=DeliveryState.HELD))

    def whose() -> list[Any]:
        container.sweep.forget_old_deliveries()
        container.sweep.forget_old_events()
        owners = {each.id: each.account_id for each in reading.found(container, select(Event))}
        held = {owners[each.event_id] for each in reading.found(container, select(Delivery))}
        return [Counter(owners.values()), held]

    both, live = {api.account_id: 2, tried.account_id: 2}, {api.account_id}
    first = tried.get("/events").json["events"][0]["id"]
    clock.now += retention.TEST_EVENTS_KEPT - timedelta(seconds=1)
    assert whose() == [both, both.keys()]
    clock.pass_(seconds=1)
    assert whose() == [{api.account_id: 2}, live], "the live event that nothing delivers is kept, too"
    refused = tried.get(f"/events?after={first}")
    assert (refused.status_code, "7 days" in refused.text) == (400, True)
    clock.now += retention.EVENTS_KEPT
    assert whose() == [{}, set()]


def ask(container: Container, account_id: str, key: str) -> str:
    """Have somebody look at the file; the id of the outlook."""
    with container.database.unit_of_work() as session:
        subject = OutlookSubject(account_id, key, key.rpartition("/")[0] + "/", "1", REQUEST)
        return outlooks.request(session, subject, container.clock()).id


def choose(container: Container, key: str) -> str:
    with container.database.read_session() as session:
        return turns.choose(session, key, container.clock())


def preview_of(container: Container, api: Api) -> str:
    """The key of a photo that was just uploaded, of which small pictures are due."""
    files = api.upload([PHOTO])["interiorFiles"]
    return str(files[0]["filePath"])


def test_previews_of_test_mode_are_made_when_no_live_one_is_due(
    api: Api, tried: Api, container: Container, clock: FakeClock
) -> None:
    test = preview_of(container, tried)
    assert choose(container, test) == test
    clock.pass_(seconds=1)
    first = preview_of(container, api)
    clock.pass_(seconds=1)
    second = preview_of(container, api)
    assert choose(container, test) == first
    assert choose(container, second) == second, "live ones are made in the order in which workers hear of them"
    develop(container)
    assert choose(container, test) == test


def test_results_and_photos_of_test_orders_are_of_test_mode(api: Api, tried: Api, container: Container) -> None:
    for each in (api, tried):
        each.order([PHOTO])
    work(container)
    rows = reading.found(container, select(Preview))
    assert len(rows) == 4
    jobs = {each.upload_session_id: each for each in reading.found(container, select(Job))}
    jobs |= {each.id: each for each in jobs.values()}
    for row in rows:
        assert row.livemode is jobs[row.folder.split("/")[1]].livemode, row.folder


def test_outlooks_of_test_mode_wait_for_live_outlooks_and_previews(
    api: Api, tried: Api, container: Container, clock: FakeClock
) -> None:
    test = ask(container, tried.account_id, "uploads/x/interior-0")
    assert reading.one(container, StoredOutlook, test).livemode is False
    assert choose(container, test) == test
    live = ask(container, api.account_id, "uploads/y/interior-0")
    assert choose(container, test) == live
    preview = preview_of(container, api)
    assert choose(container, test) == preview
    assert choose(container, live) == live


def test_a_test_preview_that_waited_is_found_by_the_sweep(api: Api, tried: Api, container: Container) -> None:
    test, live = preview_of(container, tried), preview_of(container, api)
    container.queue.queues[QueueName.PREVIEWS].clear()
    container.sweep.notify_due_previews()
    assert set(container.queue.queues[QueueName.PREVIEWS]) == {test, live}
    with container.database.unit_of_work() as session:
        previews.claim(session, choose(container, test), container.clock())
    container.queue.queues[QueueName.PREVIEWS].clear()
    container.sweep.notify_due_previews()
    assert container.queue.queues[QueueName.PREVIEWS] == [test]
