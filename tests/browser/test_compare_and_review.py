"""Looking closely: before and after under one slider, and a review by the keys."""

import re
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from app.domain.lifecycle import Status
from app.models import Job
from tests import reading, scenes
from tests.browser import axe, seeds
from tests.browser.visits import Visits
from tests.browser.world import Day, Who, World, inside

Worlds = dict[Day, World]


@pytest.fixture
def comparing(worlds: Worlds, new_page: Visits) -> Page:
    """A customer at the results of an order."""
    world = worlds[Day.BUSY]
    page = world.window(new_page, Who.CUSTOMER)
    page.goto(f"/orders/{world.jobs['approved']}/results?photo=1")
    return page


def test_the_slider_listens_to_the_keyboard_and_says_where_it_is(comparing: Page) -> None:
    slider = comparing.get_by_role("slider")
    slider.focus()
    for key, said in (("Home", "0% after"), ("End", "100% after"), ("ArrowUp", "100% after")):
        comparing.keyboard.press(key)
        expect(slider).to_have_attribute("aria-valuetext", said)
    comparing.keyboard.press("PageDown")
    expect(slider).not_to_have_attribute("aria-valuetext", "100% after")


def test_the_slider_follows_the_pointer_on_the_picture(comparing: Page) -> None:
    pair = comparing.locator("[data-pair]")
    pair.scroll_into_view_if_needed()
    box = pair.bounding_box()
    assert box is not None
    comparing.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    comparing.mouse.down()
    comparing.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.5)
    comparing.mouse.up()
    expect(comparing.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile(r"^2[456]% after"))


def test_two_buttons_show_all_of_one_picture(comparing: Page) -> None:
    slider = comparing.get_by_role("slider")
    comparing.get_by_role("button", name="After", exact=True).click()
    expect(slider).to_have_attribute("aria-valuetext", "100% after")
    comparing.get_by_role("button", name="Before", exact=True).click()
    expect(slider).to_have_attribute("aria-valuetext", "0% after")


@pytest.fixture
def viewer(comparing: Page) -> Locator:
    """The same pictures at full screen."""
    comparing.get_by_role("button", name="Full screen").click()
    dialog = comparing.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def test_at_full_screen_arrows_lead_through_all_photos_and_closing_stays_at_the_last(
    comparing: Page, viewer: Locator
) -> None:
    expect(viewer.get_by_text("1 of 3")).to_be_visible()
    expect(viewer.get_by_role("button", name="Previous")).to_be_hidden()
    comparing.keyboard.press("ArrowRight")
    comparing.keyboard.press("ArrowRight")
    comparing.keyboard.press("ArrowRight")
    expect(viewer.get_by_text("3 of 3")).to_be_visible()
    comparing.keyboard.press("ArrowLeft")
    comparing.keyboard.press("Escape")
    expect(comparing.get_by_role("main")).to_contain_text("Photo 2 of 3")


@pytest.fixture
def board(worlds: Worlds, new_page: Visits) -> Page:
    """A customer at all photos of an order that is ready."""
    world = worlds[Day.BUSY]
    page = world.window(new_page, Who.CUSTOMER)
    page.goto(f"/properties/{world.jobs['approved']}")
    return page


def test_a_click_on_a_tile_shows_it_at_full_screen_and_closing_stays_on_the_board(board: Page) -> None:
    address = board.url
    board.locator(".shot a").nth(1).click()
    viewer = board.get_by_role("dialog")
    expect(viewer.get_by_text("2 of 3")).to_be_visible()
    assert axe.violations(board) == []
    board.keyboard.press("ArrowRight")
    expect(viewer.get_by_text("3 of 3")).to_be_visible()
    board.keyboard.press("Escape")
    expect(board.locator(".shot a").nth(2)).to_be_focused()
    assert board.url == address
    board.keyboard.press("Enter")
    viewer.get_by_role("link", name="Details and downloads").click()
    expect(board.get_by_role("main")).to_contain_text("Photo 3 of 3")


def test_selected_tiles_are_downloaded_together(board: Page) -> None:
    boxes = board.locator(".shot > input")
    boxes.first.focus()
    board.keyboard.press("Space")
    board.keyboard.press("Shift+ArrowRight")
    expect(board.locator("[data-picked]")).to_have_text("2 selected")
    with board.expect_download() as downloaded:
        board.get_by_role("button", name="Download selected (ZIP)").click()
    assert downloaded.value.suggested_filename.endswith(".zip")
    expect(boxes.nth(1)).to_be_checked()


def test_at_full_screen_two_pictures_are_compared_in_three_ways(comparing: Page, viewer: Locator) -> None:
    before, after = viewer.locator("figure.before"), viewer.locator("figure.after")
    viewer.get_by_role("radio", name="Side by side").check(force=True)
    boxes = before.bounding_box(), after.bounding_box()
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    viewer.get_by_role("radio", name="One at a time").check(force=True)
    expect(before).to_be_hidden()
    turn = viewer.get_by_role("button", name="Show before")
    turn.click()
    expect(before).to_be_visible()
    expect(after).to_be_hidden()
    expect(turn).to_have_attribute("aria-pressed", "true")
    viewer.get_by_role("radio", name="Slider").check(force=True)
    viewer.get_by_role("slider").press("Home")
    expect(viewer.get_by_role("slider")).to_have_attribute("aria-valuetext", "0% after")


def test_at_full_screen_a_picture_is_seen_pixel_for_pixel(comparing: Page, viewer: Locator) -> None:
    image = viewer.locator("figure.after img")
    expect(image).to_have_js_property("complete", True)
    viewer.get_by_role("button", name="100 %").click()
    expect(image).to_have_attribute("src", re.compile("/result/full"))
    wide = viewer.locator("[data-photos] li").first.get_attribute("data-width")
    assert image.evaluate("(image) => image.getBoundingClientRect().width") == pytest.approx(float(wide or 0))
    viewer.get_by_role("button", name="Next").click()
    expect(viewer.get_by_role("button", name="100 %")).to_have_attribute("aria-pressed", "false")


def test_the_full_screen_keeps_every_bar_of_a_page(comparing: Page, viewer: Locator) -> None:
    for mode in ("Slider", "Side by side", "One at a time"):
        viewer.get_by_role("radio", name=mode).check(force=True)
        assert axe.violations(comparing) == []
    comparing.set_viewport_size({"width": 320, "height": 640})
    assert comparing.evaluate("() => document.documentElement.scrollWidth") <= 320
    for button in viewer.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 320


_OUTSIDE_STAGE = """() => {
  const stage = document.querySelector("[data-stage]").getBoundingClientRect();
  const images = [...document.querySelectorAll("[data-stage] img")];
  if (!images.every((image) => image.complete && image.naturalWidth)) return null;
  return [Math.max(...images.map((image) => image.getBoundingClientRect()).flatMap((box) => [
    stage.left - box.left, stage.top - box.top, box.right - stage.right, box.bottom - stage.bottom,
    Math.min(stage.width, stage.height) / 3 - Math.max(box.width, box.height)]))];
}"""
"""By how many pixels a picture at full screen is cut off, or is too small; null until it is loaded."""


def test_at_full_screen_no_picture_is_cut_off(here: World, new_page: Visits) -> None:
    here.person(Who.CUSTOMER)
    upright = scenes.encoded(scenes.house(800, 1200), quality=85)
    job = seeds.order(here, "job", [inside()], exterior=[upright])
    seeds.work(here)
    seeds.make_previews(here)
    for size in ({"width": 390, "height": 844}, {"width": 1440, "height": 900}):
        page = here.window(new_page, Who.CUSTOMER, viewport=size)
        page.goto(f"/properties/{job}")
        for photo, mode in product((0, 1), ("slider", "side", "turns")):
            page.locator(".shot a").nth(photo).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            page.locator(f"input[name=viewer-mode][value={mode}]").check(force=True)
            (outside,) = page.wait_for_function(_OUTSIDE_STAGE).json_value()
            assert outside <= 0.5, (size, photo, mode)
            page.keyboard.press("Escape")


def reviewed(here: World, new_page: Visits, *results: str) -> Page:
    """A reviewer who has claimed an order with these results (markers of the engine)."""
    here.person(Who.CUSTOMER)
    here.person(Who.STAFF, "0")
    job = seeds.order(here, "job", [inside(number, marker) for number, marker in enumerate(results)])
    seeds.work(here, automatic=False)
    seeds.make_previews(here)
    page = here.window(new_page, Who.STAFF)
    page.goto(f"/reviews/{job}")
    page.get_by_role("button", name="Claim").click()
    page.wait_for_load_state()
    return page


def test_a_review_is_done_with_keys_alone(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.locator("#review").focus()
    for shown in ("100", "0", "100"):
        page.keyboard.press("f")
        expect(page.get_by_label("How much of the result is shown")).to_have_value(shown)
    page.keyboard.press("a")
    expect(page.get_by_role("main")).to_contain_text("1 of 2 decided")
    page.locator("#review").focus()
    page.keyboard.press("r")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Edges")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("2 of 2 decided")
    page.get_by_role("link", name="Finish review").press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Nothing can be changed afterwards")
    page.get_by_role("button", name=re.compile("^Finish")).press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Finished")
    assert reading.one(here.container, Job, here.jobs["job"]).status is Status.APPROVED


def test_outside_the_frame_no_key_decides_anything(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.get_by_role("link", name="Reviews").first.focus()
    page.keyboard.press("a")
    expect(page.get_by_role("main")).to_contain_text("0 of 2 decided")


def test_keys_that_are_switched_off_decide_nothing(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.get_by_role("button", name="Turn off").click()
    page.wait_for_load_state()
    page.locator("#review").focus()
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("0 of 2 decided")
