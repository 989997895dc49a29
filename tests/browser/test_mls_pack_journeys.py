"""An agent in Los Angeles orders what CRMLS bars and what must be told, and takes home packs of two services."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image
from playwright.sync_api import expect
from sqlalchemy import select

from app.domain.lifecycle import Status
from app.models import Job, Result
from app.services.photos import quality
from app.services.photos.quality import Decision
from engine.types.report import Verdict
from tests import scenes
from tests.browser import board_hands
from tests.browser.board_hands import photo_file
from tests.browser.hands import Mouse
from tests.browser.traveller import Traveller
from tests.browser.visits import Visits
from tests.engine.rooms import ROOMS
from tests.journeys.service import Service, seldom
from tests.journeys.whole import SETTINGS, Start
from tests.waiting import ORDER_SECONDS, eventually

PHOTOS = {
    "exterior": ("front.jpg", scenes.encoded(scenes.house(960, 640), exif=scenes.camera_exif())),
    "interior": ("living room.jpg", scenes.encoded(ROOMS[0].drawn(624, 416))),
}
GPS = ExifTags.IFD.GPSInfo


@pytest.fixture(scope="module")
def reviewed(started: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose results a person passes: no drawn house is fit to sell at dusk."""
    with started(tmp_path_factory.mktemp("packs"), **{**SETTINGS, "QC_MODE": "manual"}) as service:
        yield service


class AgentJourney(Traveller):
    """An agent who advertises in Los Angeles."""

    def order(self) -> None:
        self.open("/orders")
        self.press("button", "Start your first order")
        for label, words in (
            ("Street address", "12 Garden Lane"),
            ("City", "Los Angeles"),
            ("State or region", "CA"),
            ("ZIP or postal code", "90001"),
        ):
            self.hands.write(self.page.get_by_label(label), words)
        self.hands.press(self.page.locator("#listing > summary"))
        mls = self.page.get_by_label("Listing service (MLS)")
        self.hands.choose(mls, "CRMLS, California Regional Multiple Listing Service")
        self.press("button", "Continue")
        files = [photo_file(name, content) for name, content in PHOTOS.values()]
        board_hands.add_photos(self.page, self.hands, *files, live=self.live)
        for kind in ("exterior", "interior"):
            board_hands.sort(self.page, self.hands, kind, PHOTOS[kind][0], live=self.live)
        for enhancement in ("Green lawn", "Twilight", "Virtual staging"):
            board_hands.choose_for_all(self.page, self.hands, enhancement, self.live)

    def place(self) -> str:
        """Told what is barred, and let go on only knowing it; the job."""
        barred = self.page.locator("#accepts_barred")
        expect(barred).to_contain_text("Green lawn, by CRMLS, rule 11.5.2")
        expect(barred).not_to_contain_text("Twilight")
        self.press("button", re.compile("^Place order for"))
        expect(self.main).not_to_contain_text("Your order is placed")
        self.hands.tick(self.page.get_by_label("I understand and want to order anyway"))
        self.press("button", re.compile("^Place order for"))
        expect(self.main).to_contain_text("Your order is placed")
        return re.search(r"job_\w+", self.main.inner_text())[0]

    def approve(self, job_id: str) -> None:
        """What a reviewer does."""

        def in_review() -> bool:
            with self.service.books() as here, here.database.read_session() as session:
                return session.get_one(Job, job_id).status is Status.QC_REVIEW

        eventually("the order is reviewed", seldom(in_review), ORDER_SECONDS)
        with self.service.books() as here, here.database.unit_of_work() as session:
            for result in session.scalars(select(Result).where(Result.job_id == job_id)):
                quality.decide(session, result.id, Decision(Verdict.APPROVED, "usr_reviewer"), here.clock())
            session.flush()
            quality.finish(session, job_id, here.clock())

    def take_pack(self, mls: str) -> zipfile.ZipFile:
        """Ask for it on the page of the results, wait, and download it."""
        self.hands.choose(self.main.get_by_label("Listing service (MLS)"), mls)
        self.press("button", "Create the pack")
        download = self.main.get_by_role("button", name=re.compile("^Download the pack"))
        expect(download).to_be_visible(timeout=ORDER_SECONDS * 1000)
        with self.page.expect_download() as waiting:
            self.hands.press(download)
        archive = zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes()))
        assert archive.testzip() is None
        return archive


def pictures(archive: zipfile.ZipFile) -> dict[str, Image.Image]:
    return {
        name: Image.open(io.BytesIO(archive.read(name))) for name in archive.namelist() if name.endswith(".jpg")
    }


def captions(archive: zipfile.ZipFile) -> dict[str, str]:
    text = archive.read("captions.csv").decode("utf-8-sig")
    return {row["file"]: row["caption"] for row in csv.DictReader(io.StringIO(text))}


def media(archive: zipfile.ZipFile) -> dict[str, dict[str, object]]:
    return {each["MediaObjectID"]: each for each in json.loads(archive.read("media.json"))["value"]}


def is_altered(picture: Image.Image) -> bool:
    return b"DigitalSourceType" in picture.info.get("xmp", b"")


def have_no_label(altered: Image.Image) -> bool:
    """Whether the corner where labels are drawn has nothing white as paper, which no drawn scene has there."""
    height, width = altered.height, altered.width
    corner = np.asarray(altered)[int(height * 0.9) :, : width // 3]
    return bool((corner.min(axis=2) > 250).mean() < 0.005)


def test_an_agent_takes_home_what_each_service_wants(reviewed: Service, new_page: Visits) -> None:
    page = new_page(base_url=reviewed.url)
    agent = AgentJourney(reviewed, page, Mouse(page), live=True, email="packs@example.com")
    agent.sign_up()
    reviewed.grant(agent.email, 50)
    agent.order()
    job_id = agent.place()
    agent.approve(job_id)
    results = f"/properties/{job_id}"
    agent.open(results)
    agent.press("button", "Publish the originals")
    public = page.locator("#public-url").inner_text()

    crmls = agent.take_pack("CRMLS, California Regional Multiple Listing Service")
    expect(agent.main).to_contain_text("CRMLS bars green lawn: photo 1 is in the pack without it.")
    found = pictures(crmls)
    assert list(found) == [
        "01-front-altered.jpg",
        "02-front-original.jpg",
        "03-living-room-altered.jpg",
        "04-living-room-original.jpg",
    ], "the original immediately after"
    for name, picture in found.items():
        assert (picture.format, picture.mode, picture.info.get("icc_profile")) == ("JPEG", "RGB", None)
        assert not picture.getexif().get_ifd(GPS)
        assert is_altered(picture) == ("altered" in name)
        assert have_no_label(picture), "a watermark is not needed, and was not asked for"
    assert captions(crmls) == {
        "01-front-altered.jpg": f"Digitally altered. Original, unaltered image: {public}/1",
        "02-front-original.jpg": "Original, unaltered photo.",
        "03-living-room-altered.jpg": f"Virtually staged. Original, unaltered image: {public}/2",
        "04-living-room-original.jpg": "Original, unaltered photo.",
    }
    told = media(crmls)
    assert told["01-front-altered.jpg"]["MediaAlteration"] == ["TwilightConversion"], "no lawn"
    assert told["01-front-altered.jpg"]["ImageOf"] == "FrontOfStructure"
    assert told["03-living-room-altered.jpg"]["MediaAlteration"] == ["VirtualStagingItemAddition"]
    assert f"Original, unaltered images: {public}" in crmls.read("remarks.txt").decode()

    agent.open(results)
    now = agent.take_pack("MLS Now, MLS Now, Ohio and West Virginia")
    expect(agent.main).to_contain_text("MLS Now bars green lawn and twilight: photo 1 is in the pack")
    found = pictures(now)
    assert list(found) == [
        "01-front-original.jpg",
        "02-living-room-altered.jpg",
        "originals/02-living-room-original.jpg",
    ], "an unaltered outside first"
    assert not is_altered(found["01-front-original.jpg"])
    assert all(have_no_label(picture) for picture in found.values()), "no overlay"
    assert media(now)["01-front-original.jpg"]["PreferredPhotoYN"] is True

    with page.expect_navigation():
        agent.hands.press(agent.main.get_by_role("link", name="Printable sheet with QR code"))
    sheet = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    read, *_ = cv2.QRCodeDetector().detectAndDecode(sheet)
    assert read == public
    phone = new_page(base_url=reviewed.url, viewport={"width": 390, "height": 844})
    phone.goto(read)
    for picture in phone.get_by_role("main").get_by_alt_text(re.compile("original", re.IGNORECASE)).all():
        picture.scroll_into_view_if_needed()
        eventually("the original is shown", partial(picture.evaluate, "(image) => image.naturalWidth"))
    assert reviewed.mismatches() == []
