"""From a new account to enhanced pictures on the disk: with scripts, without, and by keyboard alone."""

import io
import re
import zipfile
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect
from sqlalchemy import select

from app.models import Preview
from tests import scenes
from tests.browser import board_hands
from tests.browser.board_hands import photo_file
from tests.browser.hands import Keyboard
from tests.browser.traveller import WAYS, Traveller
from tests.browser.visits import Visits
from tests.engine.rooms import ROOMS
from tests.journeys.service import Service, seldom
from tests.waiting import ORDER_SECONDS, eventually

WIDTH, HEIGHT = 624, 416
LABELED = re.compile("label", re.IGNORECASE)
ALL = re.compile("^Download all")
PICTURES = {
    "front.jpg": scenes.encoded(scenes.house(WIDTH, HEIGHT)),
    "living room.jpg": scenes.encoded(ROOMS[0].drawn(WIDTH, HEIGHT)),
    "bedroom.jpg": scenes.encoded(ROOMS[1].drawn(WIDTH, HEIGHT)),
}

LABELS = {
    "front.jpg": "digitally-altered",
    "living room.jpg": "virtually-staged",
    "bedroom.jpg": "virtually-renovated",
}


class Journey(Traveller):
    """Somebody who orders pictures."""

    def begin(self) -> None:
        self.open("/orders")
        self.press("button", "Start your first order")
        self.hands.write(self.page.get_by_label("Street address"), "12 Garden Lane")
        self.hands.write(self.page.get_by_label("City"), "Springfield")
        self.hands.write(self.page.get_by_label("State or region"), "IL")
        self.hands.write(self.page.get_by_label("ZIP or postal code"), "62704")
        self.press("button", "Continue")

    def add_photos(self) -> None:
        files = [photo_file(name, content) for name, content in PICTURES.items()]
        board_hands.add_photos(self.page, self.hands, *files, live=self.live)
        board_hands.sort(self.page, self.hands, "exterior", "front.jpg", live=self.live)
        board_hands.sort(self.page, self.hands, "interior", "living room.jpg", "bedroom.jpg", live=self.live)

    def choose(self) -> None:
        for label in ("Blue sky", "HDR balance"):
            board_hands.choose_for_all(self.page, self.hands, label, self.live)
        self.press("link", "Open living room.jpg")
        self.hands.tick(self.page.get_by_label("Something else for this photo only"))
        self.hands.tick(self.page.get_by_label("Virtual staging", exact=True))
        self.hands.choose(self.page.get_by_label("Room", exact=True), "Living room")
        self.hands.tick(self.page.get_by_label("Scandinavian"))
        self.press("button", re.compile("^Save$"))
        self.press("link", "Open bedroom.jpg")
        self.hands.tick(self.page.get_by_label("Something else for this photo only"))
        self.hands.tick(self.page.get_by_label("Virtual renovation", exact=True))
        self.hands.choose(self.page.get_by_label("What to change"), "Floor")
        self.hands.write(self.page.get_by_label("New look"), "Wide oak planks, matt")
        self.press("button", re.compile("^Save$"))

    def place(self) -> None:
        self.press("button", re.compile("^Place order for"))
        expect(self.main).to_contain_text("Your order is placed")

    def watch(self) -> None:
        done = self.main.get_by_role("button", name=ALL)
        if self.live:
            expect(done).to_be_visible(timeout=ORDER_SECONDS * 1000)
            return

        def look_again() -> bool:
            self.press("link", "Refresh")
            return done.is_visible()

        done.is_visible() or eventually("the order is done", seldom(look_again), ORDER_SECONDS)

    def compare(self) -> None:
        for number in (3, 2):
            self.open_photo(number)
            expect(self.main).to_contain_text(re.compile("Virtually (staged|renovated)"))
            self.wait_for_labeled()
        for word in ("Before", "After"):
            picture = self.main.get_by_alt_text(re.compile(f"^{word}:")).first
            picture.scroll_into_view_if_needed()
            eventually(f"{word} is shown", partial(picture.evaluate, "(image) => image.naturalWidth"))
        if self.live:
            slider = self.main.get_by_role("slider")
            self.hands.press(slider, "End") if isinstance(self.hands, Keyboard) else slider.press("End")
            expect(slider).to_have_attribute("aria-valuetext", "100% after")

    def open_photo(self, number: int) -> None:
        """From the photos, or from another one, to the page of this one."""
        if "/photos/" in self.page.url:
            self.press("link", "All photos")
        tile = self.main.locator(".shot a").nth(number - 1)
        eventually("its picture is there", seldom(partial(self.has_picture, tile)), ORDER_SECONDS)
        if not self.live:
            with self.page.expect_navigation():
                self.hands.press(tile)
            return
        self.hands.press(tile)
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        with self.page.expect_navigation():
            self.hands.press(dialog.get_by_role("link", name="Details and downloads"))

    def has_picture(self, tile: Locator) -> bool:
        """Whether both pictures of the tile can be compared."""
        return tile.get_attribute("data-viewed") is not None or not self.page.reload()

    def wait_for_labeled(self) -> None:
        """The picture with its disclosure written into it is made after the others."""
        labeled = self.main.get_by_role("button", name=LABELED)

        def look_again() -> bool:
            self.page.reload()
            return labeled.is_visible()

        labeled.is_visible() or eventually("the labeled picture is there", seldom(look_again), ORDER_SECONDS)
        eventually("so are those of all others", seldom(self.has_all_previews), ORDER_SECONDS)

    def has_all_previews(self) -> bool:
        """Whether nothing small or labeled is still to be made."""
        with self.service.books() as here, here.database.read_session() as session:
            to_be_made = select(Preview.source_key).where(Preview.width.is_(None), Preview.error.is_(None))
            return session.scalar(to_be_made.limit(1)) is None

    def download(self, name: str | re.Pattern[str]) -> Path:
        """The file that a button gives."""
        with self.page.expect_download() as waiting:
            self.hands.press(self.main.get_by_role("button", name=name))
        return waiting.value.path()


# The quick lane makes this way in a browser through the whole service, and no other.
QUICK = "with scripts"


@pytest.mark.parametrize("way", [pytest.param(way, marks=[pytest.mark.quick] * (way == QUICK)) for way in WAYS])
def test_a_first_order_from_the_sign_up_to_the_pictures(way: str, service: Service, new_page: Visits) -> None:
    hands, live = WAYS[way]
    page = new_page(base_url=service.url, java_script_enabled=live)
    journey = Journey(service, page, hands(page), live, f"{way.replace(' ', '.')}@example.com")
    journey.sign_up()
    service.grant(journey.email, 50)
    journey.begin()
    journey.add_photos()
    journey.choose()
    journey.place()
    journey.watch()
    journey.compare()
    labeled = Image.open(journey.download(LABELED))
    assert labeled.size == (WIDTH, HEIGHT)
    journey.press("link", "All photos")
    pictures = opened(journey.download(ALL))
    assert pictures.keys() == {*PICTURES, *(f"{Path(name).stem}-{label}.jpg" for name, label in LABELS.items())}
    for name, original in PICTURES.items():
        assert pictures[name].size == (WIDTH, HEIGHT)
        assert pictures[name].tobytes() != Image.open(io.BytesIO(original)).tobytes()
    assert service.mismatches() == []


def opened(path: Path) -> dict[str, Image.Image]:
    """The pictures of a ZIP, by name."""
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return {Path(name).name: Image.open(io.BytesIO(packed.read(name))) for name in packed.namelist()}
