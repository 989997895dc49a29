"""Takes the README's pictures of orders: the real service enhances our own renders, and nothing in them is drawn.

python -m tests.browser.readme_pictures

Each order gets clouds and furniture of its own, so look at the pictures before you commit them.
"""

import io
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image, ImageOps
from playwright.sync_api import FilePayload, Page, expect

from tests.browser import bars, board_hands, visits
from tests.browser.hands import Mouse
from tests.browser.kept import ROOT, SIZES, keep
from tests.journeys.service import Service
from tests.waiting import ORDER_SECONDS

RENDERS = ROOT / "static" / "img" / "landing"
SETTINGS = {"QC_MODE": "auto+review"}
"""Some results wait for a reviewer, the others are ready as they pass their checks."""
WIDE = {"width": 1440, "height": 1125}
"""A window of the same shape as that of a desktop, in which four photos stand side by side."""
DESK = {"width": 1440, "height": 1640}
"""As tall as the page: what sticks to the edge of a lower one would hide a part of it."""
ORDER_MILLISECONDS = ORDER_SECONDS * 1000
WHOLE = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class View:
    """A photo as a photographer names it: a part of a render, perhaps mirrored, so that no two show one view.

    `box`: left, upper, right and lower edge, as shares of the render. `own`: effects for this photo only.
    """

    name: str
    render: str
    box: tuple[float, float, float, float] = WHOLE
    is_mirrored: bool = False
    own: tuple[str, ...] = ()

    def file(self) -> FilePayload:
        """The photo, to be chosen in a browser."""
        content = (RENDERS / self.render).read_bytes()
        if self.is_mirrored or self.box != WHOLE:
            image = Image.open(io.BytesIO(content))
            edges = [share * length for share, length in zip(self.box, image.size * 2, strict=True)]
            image = image.crop([round(edge) for edge in edges])
            made = io.BytesIO()
            (ImageOps.mirror(image) if self.is_mirrored else image).save(made, "JPEG", quality=95, subsampling=0)
            content = made.getvalue()
        return board_hands.photo_file(f"{self.name}.jpg", content)


FRONT = View("front", "outside.jpg")
WALK = View("front-walk", "outside.jpg", (0, 0.14, 0.7, 0.84), is_mirrored=True)
GARAGE = View("driveway", "outside.jpg", (0.34, 0.2, 1, 0.86))
LIVING = View("living-room", "inside.jpg")
FAMILY = View("family-room", "empty.jpg", own=("Virtual staging", "HDR balance"))
DEN = View("den", "sofa.jpg", is_mirrored=True, own=("Remove furniture", "HDR balance"))
STUDY = View("study", "empty.jpg", is_mirrored=True, own=FAMILY.own)
GUEST = View("guest-room", "bags.jpg", (0.4, 0.38, 1, 0.98), own=("Declutter", "HDR balance"))


@dataclass(frozen=True)
class Listing:
    """A property whose photos are ordered. `effects`: those for all photos of their kind."""

    street: str
    city: str
    region: str
    postcode: str
    views: tuple[View, ...]
    effects: tuple[str, ...]


SUNNY = ("Blue sky", "HDR balance")
DELIVERED = Listing(
    "48 Lantern Hill Road", "Burlington", "VT", "05401", (FRONT, LIVING), ("Golden hour", "HDR balance")
)
READY = Listing("204 Juniper Lane", "Asheville", "NC", "28801", (FRONT, FAMILY, LIVING), SUNNY)
REVIEWED = Listing(
    "7 Mill Pond Court", "Madison", "WI", "53703", (FRONT, WALK, LIVING), ("Twilight", "HDR balance")
)
PROCESSED = Listing("31 Orchard Bend", "Portland", "ME", "04101", (FRONT, LIVING, FAMILY, STUDY, DEN), SUNNY)
BEGUN = Listing(
    "562 Cedar Ridge Drive",
    "Springfield",
    "IL",
    "62704",
    (FRONT, WALK, GARAGE, LIVING, FAMILY, DEN, GUEST),
    ("Green lawn", *SUNNY),
)


@dataclass
class Studio:
    """The running service and windows on it."""

    service: Service
    windows: visits.Visits

    def window(self, who: str, size: dict[str, int], scheme: str = "light") -> Page:
        """A window of the demo customer or reviewer, signed in with the password that the first start printed."""
        look: Any = {"viewport": size, "color_scheme": scheme, "reduced_motion": "reduce"}
        page = self.windows(base_url=self.service.url, **look)
        printed = re.search(rf"{who}\s+(\S+)\s+password (\S+)", self.service.log.read_text())
        assert printed, f"the first start printed no password of the {who}"
        page.goto("/sign-in")
        page.fill("[name=email]", printed[1])
        page.fill("[name=password]", printed[2])
        with page.expect_navigation():
            page.press("[name=password]", "Enter")
        return page


def main() -> int:
    """Take them all; the exit status says whether anything went wrong in the browser."""
    path = visits.found(*visits.BROWSERS) or sys.exit("no Chromium; deploy/test-packages.sh says how to get it")
    with (
        tempfile.TemporaryDirectory() as folder,
        Service(Path(folder), **SETTINGS).running() as service,
        visits.started(path) as browser,
    ):
        windows = visits.Visits(browser)
        take_all(Studio(service, windows))
        for problem in windows.problems():
            print(problem, file=sys.stderr)
        return 1 if windows.problems() else 0


def take_all(studio: Studio) -> None:
    """Order property after property, and keep what each page shows on the way."""
    page = studio.window("Customer", SIZES["desktop"])
    delivered = order(page, DELIVERED)
    ready, reviewed = order(page, READY), order(page, REVIEWED)
    await_results(page, delivered)
    with page.expect_download():
        page.locator("#download-all").click()
    await_results(page, ready)
    take_results(studio, page, ready)
    take_review(studio, page, reviewed)
    take_unordered(studio)
    take_progress(studio, order(page, PROCESSED))
    page.goto("/orders")
    take(page, "orders")


def take(page: Page, name: str) -> None:
    """Keep the window once all its pictures are there."""
    bars.see_all(page)
    keep(page, name)


def begin(page: Page, listing: Listing) -> None:
    """Bring a property to the board, with its photos and what is to be done to them."""
    hands = Mouse(page)
    page.goto("/orders")
    with page.expect_navigation():
        page.locator('form[action$="/drafts"] button').first.click()
    for field in ("street", "city", "region", "postcode"):
        page.fill(f"[name={field}]", getattr(listing, field))
    with page.expect_navigation():
        page.locator("[data-continue]").click()
    board_hands.add_photos(page, hands, *(view.file() for view in listing.views))
    expect(page.locator("[data-shots=waiting]")).to_have_count(0)
    for label in listing.effects:
        board_hands.choose_for_all(page, hands, label)
    for view in listing.views:
        if view.own:
            choose_for_one(page, view)


def choose_for_one(page: Page, view: View) -> None:
    """Choose the effects that only this photo has."""
    with page.expect_navigation():
        page.get_by_role("link", name=f"Open {view.name}.jpg", exact=True).click()
    page.get_by_label("Something else for this photo only").check()
    for label in view.own:
        page.get_by_label(label, exact=True).check()
    if "Virtual staging" in view.own:
        page.get_by_label("Room", exact=True).select_option(label="Living room")
        page.get_by_role("radio", name="Mid century modern").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def order(page: Page, listing: Listing) -> str:
    """Order a property's photos; the address of its page."""
    begin(page, listing)
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Place order for")).click()
    expect(page.get_by_role("main")).to_contain_text("Your order is placed")
    return page.url


def await_results(page: Page, url: str) -> None:
    """Stay on the property's page until its order is done."""
    page.goto(url)
    expect(page.get_by_role("button", name=re.compile("^Download all"))).to_be_visible(timeout=ORDER_MILLISECONDS)
    expect(page.locator("a.look[data-viewed]")).to_have_count(page.locator(".shot").count())


def take_results(studio: Studio, page: Page, url: str) -> None:
    """The staged room before and after, light on a desktop and dark on a phone."""
    path = page.locator(".shot").filter(has_text=f"{FAMILY.name}.jpg").locator("a.look").get_attribute("href")
    assert path
    for name, window in (
        ("results", page),
        ("results-dark", studio.window("Customer", SIZES["phone"], "dark")),
    ):
        window.goto(path)
        slider = window.get_by_role("slider")
        slider.fill("70")
        slider.blur()
        take(window, name)


def take_review(studio: Studio, customer: Page, url: str) -> None:
    """An order with results that the checks are unsure of, claimed by a reviewer."""
    customer.goto(url)
    expect(customer.get_by_role("main")).to_contain_text("In review", timeout=ORDER_MILLISECONDS)
    page = studio.window("Reviewer", SIZES["desktop"])
    page.goto("/reviews")
    with page.expect_navigation():
        page.get_by_role("link", name=re.compile(REVIEWED.street)).first.click()
    with page.expect_navigation():
        page.get_by_role("button", name="Claim").click()
    bars.see_all(page)
    # From the results on, so that the photo is seen whole.
    page.locator("#end").evaluate("(part) => scrollTo(0, part.getBoundingClientRect().top + scrollY - 16)")
    keep(page, "review")


def take_unordered(studio: Studio) -> None:
    """The board of a property before it is ordered, and the desk with the furniture of one of its rooms."""
    page = studio.window("Customer", WIDE)
    begin(page, BEGUN)
    expect(page.get_by_text("Checking what can be done")).to_have_count(0)
    page.goto(urlsplit(page.url).path)
    take(page, "board")
    photo = board_hands.shot(page, FAMILY.name).locator("[name=photo]").get_attribute("value")
    page.set_viewport_size(DESK)
    page.goto(f"/drafts/{urlsplit(page.url).path.rpartition('/')[2]}/photos/{photo}/hints/placements")
    layout = page.locator(".layout input").first
    layout.check()
    with page.expect_navigation():
        page.get_by_role("button", name="Preview").click()
    expect(page.locator("#layout-preview img")).to_be_visible()
    layout.check()
    take(page, "desk")


def take_progress(studio: Studio, url: str) -> None:
    """An order at work, on a phone, once a first result is ready."""
    page = studio.window("Customer", SIZES["phone"])
    page.goto(url)
    some_are_ready = page.get_by_text(re.compile("[1-4] of 5 photos are ready"))
    expect(some_are_ready).to_be_visible(timeout=ORDER_MILLISECONDS)
    expect(page.get_by_text("Preview is being made")).to_have_count(0)
    assert some_are_ready.count(), "the order was done before its first pictures were seen"
    take(page, "progress")


if __name__ == "__main__":
    sys.exit(main())
