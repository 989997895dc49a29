"""A board whose answers are slow: what is done and what arrives meanwhile is not lost."""

import time

from playwright.sync_api import Page, Route, expect

from tests.browser.board_hands import photo_file
from tests.browser.test_wizard import at
from tests.browser.visits import Visits
from tests.browser.world import World

SLOW_SECONDS = 0.5


def slow(route: Route) -> None:
    """Hold a request up, as a network does."""
    time.sleep(SLOW_SECONDS)
    route.continue_()


def board_of(here: World, new_page: Visits, *names: str) -> Page:
    """The board with these photos, with what is done to rooms in sight."""
    page = at(here, new_page, "service")
    page.locator("#photos-files").set_input_files([photo_file(each) for each in names])
    expect(page.locator(".shot")).to_have_count(len(names))
    expect(page.locator("#interior[open]")).to_have_count(1)
    return page


def test_what_is_ticked_while_an_earlier_tick_is_still_being_saved_is_saved_too(
    here: World, new_page: Visits
) -> None:
    page = board_of(here, new_page, "room.jpg")
    page.route("**/effects", slow)
    boxes = page.locator("#interior .effect-list input[type=checkbox]")
    chosen = [str(boxes.nth(place).get_attribute("id")) for place in (0, 1, 3)]
    for each in chosen:
        page.locator(f"#{each}").click()
    page.wait_for_load_state("networkidle")
    page.unroute("**/effects")
    page.reload()
    for each in chosen:
        expect(page.locator(f"#{each}")).to_be_checked()


def come_anew(page: Page) -> None:
    """Let the board be asked for, slowly."""
    page.route(page.url, slow)
    with page.expect_request(page.url):
        page.evaluate("document.dispatchEvent(new Event('board:stale'))")


def test_what_is_done_while_the_board_comes_anew_goes_first(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    come_anew(page)
    page.locator(".shot > input").first.check()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator(".shot")).to_have_count(1)
    expect(page.locator("#undo")).to_be_visible()


def test_files_that_arrive_while_the_board_comes_anew_are_shown(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg")
    come_anew(page)
    page.locator("#photos-files").set_input_files([photo_file("hall.jpg"), photo_file("attic.jpg")])
    expect(page.locator(".shot")).to_have_count(3)
