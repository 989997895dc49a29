"""A browser over a bucket: photos go straight there, or by the service where they cannot; so do results."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from app.adapters.storage_s3 import S3Storage
from app.domain.ports import INCOMING
from tests import s3_servers
from tests.browser import seeds
from tests.browser.board_hands import names, photo_file
from tests.browser.test_board import uploaded
from tests.browser.test_wizard import at
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside
from tests.s3_servers import S3Server

NAMES = [f"room {number}.jpg" for number in range(4)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[S3Server]:
    """Named before the world, so that it is there to the end."""
    with s3_servers.rclone(tmp_path / "bucket") as server:
        yield server


@pytest.fixture
def over_bucket(store: S3Server, here: World) -> World:
    """The world, its files in a bucket that lets its pages in."""
    store.kill()
    store.start("--allow-origin", here.site.url)
    here.container.storage = S3Storage(store.access(), "", here.container.urls, direct=True)
    return here


def add(page: Page, *wanted: str) -> list[str]:
    """Choose these files; the origins that they were sent to in the end."""
    sent: list[str] = []
    page.on("requestfinished", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    page.locator("#photos-files").set_input_files([photo_file(name) for name in wanted])
    count = len(wanted)
    uploaded(page, f"{count} of {count} {'photo' if count == 1 else 'photos'} uploaded")
    page.reload()
    return sent


def test_photos_go_to_the_bucket_itself(over_bucket: World, store: S3Server, new_page: Visits) -> None:
    page = at(over_bucket, new_page, "begun")
    # One goes ahead: of files that come at the same moment into a new folder rclone refuses or loses some.
    sent = add(page, NAMES[0])
    sent += add(page, *NAMES[1:])
    assert names(page) == NAMES
    assert len({urlsplit(url).path for url in sent}) == len(NAMES)
    assert all(url.startswith(f"{store.url}/photos/{INCOMING}") for url in sent)
    assert len([name for name in store.names() if name.startswith("uploads/")]) == len(NAMES)
    assert not [name for name in store.names() if name.startswith(INCOMING)]


def test_what_is_no_photo_is_told_in_its_row(over_bucket: World, new_page: Visits) -> None:
    new_page.expect("^415: POST")
    page = at(over_bucket, new_page, "begun")
    page.locator("#photos-files").set_input_files([photo_file("fake.jpg", b"<script>" * 10), photo_file("a.jpg")])
    uploaded(page, "1 of 1 photo uploaded, 1 not taken")
    expect(page.locator("[data-refused-list]")).to_contain_text("fake.jpg: The file is not JPEG")


def test_where_a_browser_cannot_reach_the_bucket_photos_go_through_the_service(
    over_bucket: World, store: S3Server, new_page: Visits
) -> None:
    new_page.expect("CORS|ERR_FAILED|net::")
    store.kill()
    store.start("--allow-origin", "http://another.example")
    page = at(over_bucket, new_page, "begun")
    sent = add(page, *NAMES[:2])
    assert names(page) == NAMES[:2]
    assert {url.startswith(f"{over_bucket.site.url}/uploads/") for url in sent} == {True}


def test_a_result_is_downloaded_from_the_bucket(over_bucket: World, store: S3Server, new_page: Visits) -> None:
    direct = over_bucket.container.storage
    over_bucket.container.storage = S3Storage(store.access(), "", over_bucket.container.urls)
    over_bucket.person(Who.CUSTOMER)
    job_id = seeds.order(over_bucket, "done", interior=[inside()])
    seeds.work(over_bucket)
    over_bucket.container.storage = direct
    page = over_bucket.window(new_page, Who.CUSTOMER)
    page.goto(f"/orders/{job_id}/results?photo=1")
    for name, folder in (("Result", "results"), ("Original photo", "uploads")):
        with page.expect_download() as waiting:
            page.get_by_role("main").get_by_role("button", name=name, exact=True).click()
        assert waiting.value.url.startswith(f"{store.url}/photos/{folder}/")
        assert waiting.value.path().read_bytes().startswith(b"\xff\xd8\xff")
