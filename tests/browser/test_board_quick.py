"""A board whose answers are slow: what is done and what arrives meanwhile is not lost, and is done once."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.browser.board_hands import answered, names, photo_file, shot, sort_all
from tests.browser.test_wizard import at
from tests.browser.visits import Visits
from tests.browser.world import World
from tests.waiting import eventually


def board_of(here: World, new_page: Visits, *files: str) -> Page:
    """The board with these photos, with what is done to rooms in sight."""
    page = at(here, new_page, "begun")
    page.locator("#photos-files").set_input_files([photo_file(each) for each in files])
    expect(page.locator(".shot")).to_have_count(len(files))
    sort_all(page)
    page.locator("#interior-line").click()
    return page


@contextmanager
def held(page: Page, path: str) -> Iterator[list[Route]]:
    """Requests that end in this are on their way, and come to the server when the block is left."""
    routes: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        route.continue_() if is_over else routes.append(route)

    page.route(f"**{path}", hold)
    yield routes
    is_over = True
    for route in routes:
        route.continue_()


def selected(page: Page, *wanted: str) -> None:
    """Have these photos selected and no others."""
    for box in page.locator(".shot > input").all():
        box.uncheck()
    for name in wanted:
        shot(page, name).locator("input").check()


def press(page: Page, button: str, menu: str = "") -> None:
    """Press a button of the toolbar, and wait for nothing."""
    if menu:
        page.locator(f"#{menu} > summary").click()
    page.locator(button).click()


def sent(page: Page, routes: list[Route], button: str, menu: str = "") -> None:
    """Press it, until what it asks for is on its way."""
    with page.expect_request(lambda request: request.method == "POST"):
        press(page, button, menu)
    eventually("it is on its way", lambda: page.locator("#board").count() and routes)


STAGING, HDR, FLAMBIENT, GOLDEN_HOUR = "#interior-3", "#interior-4", "#interior-5", "#exterior-2"
"""Effects for all photos of a kind."""


def effects_of(page: Page, name: str) -> str:
    return shot(page, name).locator(".shot-effects").inner_text()


def test_what_is_ticked_while_an_earlier_tick_is_still_being_saved_is_saved_too(
    here: World, new_page: Visits
) -> None:
    page = board_of(here, new_page, "room.jpg")
    chosen = (STAGING, "#staging_style-coastal", HDR, FLAMBIENT)
    with held(page, "/effects") as routes:
        sent(page, routes, STAGING)
        page.locator("#staging_style label", has_text="Coastal").click()
        for each in (HDR, FLAMBIENT):
            page.locator(each).click()
    expect(page.locator("#interior-line")).to_contain_text("Virtual staging, HDR balance, Flambient light")
    expect(page.locator(FLAMBIENT)).to_be_focused()
    page.reload()
    for each in chosen:
        expect(page.locator(each)).to_be_checked()


def test_what_is_done_while_the_board_comes_anew_goes_first(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    with held(page, page.url.removeprefix("http:")):
        with page.expect_request(page.url):
            page.evaluate("document.dispatchEvent(new Event('board:stale'))")
        selected(page, "room.jpg")
        press(page, "#remove")
        expect(page.locator(".shot")).to_have_count(1)
        expect(page.locator("#undo")).to_be_visible()


def test_files_that_arrive_while_the_board_comes_anew_are_shown(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg")
    with held(page, page.url.removeprefix("http:")):
        with page.expect_request(page.url):
            page.evaluate("document.dispatchEvent(new Event('board:stale'))")
        page.locator("#photos-files").set_input_files([photo_file("hall.jpg"), photo_file("attic.jpg")])
        expect(page.locator("[data-note]")).to_have_text("3 of 3 photos uploaded")
    expect(page.locator(".shot")).to_have_count(3)


def test_buttons_pressed_while_an_earlier_change_is_being_saved_are_done_after_it(
    here: World, new_page: Visits
) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg", "attic.jpg")
    with held(page, "/selection") as routes:
        selected(page, "room.jpg")
        sent(page, routes, "#remove")
        selected(page, "room.jpg", "hall.jpg")
        press(page, "#add-flambient_enhancement", "menu-add")
        selected(page, "hall.jpg")
        press(page, "#move-later", "menu-more")
        page.locator(HDR).click()
    expect(page.locator("#interior > summary")).to_contain_text("HDR balance")
    assert names(page) == ["attic.jpg", "hall.jpg"]
    assert "Flambient" in effects_of(page, "hall.jpg")
    assert "Flambient" not in effects_of(page, "attic.jpg")
    expect(page.locator("#not-done")).to_be_hidden()


def test_a_button_pressed_twice_is_done_once(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    selected(page, "room.jpg")
    press(page, "#remove")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/undo") else None)
    with held(page, "/undo") as routes:
        sent(page, routes, "#undo-button")
        press(page, "#undo-button")
        selected(page, "hall.jpg")
        press(page, "#move-later", "menu-more")
    expect(page.locator("#status")).to_have_text("1 photo moved later.")
    assert len(asked) == 1


def test_a_button_that_moves_photos_moves_them_at_each_press(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "attic.jpg", "hall.jpg", "room.jpg")
    first = names(page)[0]
    with held(page, "/selection") as routes:
        selected(page, first)
        sent(page, routes, "#move-later", "menu-more")
        press(page, "#move-later", "menu-more")
    expect(page.locator(".shot-name").last).to_have_text(first)


def test_undo_pressed_after_a_further_remove_brings_back_what_it_named(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg", "attic.jpg")
    selected(page, "room.jpg")
    press(page, "#remove")
    expect(page.locator("#undo")).to_contain_text("room.jpg")
    with held(page, "/selection") as routes:
        selected(page, "hall.jpg")
        sent(page, routes, "#remove")
        press(page, "#undo-button")
    expect(page.locator("#undo")).to_contain_text("hall.jpg")
    expect(shot(page, "room.jpg")).to_be_visible()
    assert sorted(names(page)) == ["attic.jpg", "room.jpg"]


def test_what_cannot_be_done_any_more_is_said(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    with held(page, "/selection") as routes:
        selected(page, "room.jpg")
        sent(page, routes, "#remove")
        press(page, "#move-later", "menu-more")
    expect(page.locator("#not-done")).to_contain_text("Not done: “Move later”.")
    expect(page.locator("#status")).to_contain_text("Not done: “Move later”.")
    expect(page.locator(".shot")).to_have_count(1)


def test_after_a_change_that_was_lost_nothing_is_ordered(here: World, new_page: Visits) -> None:
    new_page.expect("htmx:sendError", "ERR_FAILED")
    page = at(here, new_page, "full")
    with held(page, "/selection") as routes:
        selected(page, "bedroom.jpg")
        sent(page, routes, "#remove")
        press(page, "#place-order")
        routes.pop().abort()
    expect(page.locator("#not-done")).to_contain_text("Not done: “Remove”, “Place order for")
    expect(page.locator("#place-order")).to_be_visible()
    expect(page.locator(".shot")).to_have_count(3)


def test_an_order_placed_while_a_change_is_being_saved_is_placed_with_it(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full")
    page.locator("#exterior > summary").click()
    with held(page, "/effects") as routes:
        sent(page, routes, GOLDEN_HOUR)
        press(page, "#place-order")
    expect(page.locator("main .notice.good")).to_contain_text("Your order is placed.")
    expect(page.locator(".shot").first).to_contain_text("Golden hour")


def test_a_change_pressed_after_place_is_made_and_nothing_is_ordered_yet(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full")
    with held(page, "/selection") as routes:
        selected(page, "bedroom.jpg")
        sent(page, routes, "#move-later", "menu-more")
        press(page, "#place-order")
        press(page, "#remove")
    expect(page.locator("#not-done")).to_contain_text("Not done: “Place order for")
    expect(page.locator(".shot")).to_have_count(2)
    expect(page.locator("#place-order")).to_be_visible()


def test_an_order_whose_price_a_change_raised_meanwhile_is_not_placed(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full")
    with held(page, "/selection") as routes:
        selected(page, "bedroom.jpg")
        sent(page, routes, "#add-virtual_staging", "menu-add")
        press(page, "#place-order")
    expect(page.get_by_role("alert")).to_contain_text("The price changed from")


def test_a_link_is_followed_once_all_is_saved(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg")
    board = page.url
    with held(page, "/effects") as routes:
        sent(page, routes, STAGING)
        page.locator(HDR).click()
        page.get_by_role("link", name="Open room.jpg").click()
    page.wait_for_url("**/photos/*")
    page.goto(board)
    for each in (STAGING, HDR):
        expect(page.locator(each)).to_be_checked()


def test_what_is_selected_and_typed_while_a_change_is_being_saved_stays(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    with held(page, "/selection") as routes:
        selected(page, "room.jpg")
        sent(page, routes, "#move-later", "menu-more")
        selected(page, "hall.jpg")
        page.locator("#menu-renovate > summary").click()
        page.locator("#change_description").fill("Oak planks")
    expect(page.locator("#status")).to_have_text("1 photo moved later.")
    expect(page.locator("#change_description")).to_be_visible()
    expect(page.locator("#change_description")).to_have_value("Oak planks")
    expect(shot(page, "hall.jpg").locator("input")).to_be_checked()
    expect(shot(page, "room.jpg").locator("input")).not_to_be_checked()


def test_a_refused_renovation_stands_there_as_it_was_typed_to_be_mended(here: World, new_page: Visits) -> None:
    new_page.expect("^422: POST")
    page = board_of(here, new_page, "room.jpg")
    selected(page, "room.jpg")
    page.locator("#menu-renovate > summary").click()
    page.locator("#change_type").select_option("floor")
    page.locator("#change_description").fill("Like the show home")
    page.locator("#renovate").click()
    expect(page.locator(".summary")).to_contain_text("give a reference in words")
    expect(page.locator("#change_type")).to_have_value("floor")
    expect(page.locator("#change_description")).to_have_value("Like the show home")
    page.locator("#reference_text").fill("Kahrs Oak")
    page.locator("#renovate").click()
    expect(page.locator("#status")).to_have_text("To be renovated: 1 photo.")
    expect(page.locator("#change_description")).not_to_be_visible()


def test_the_focus_stays_where_somebody_works(here: World, new_page: Visits) -> None:
    page = board_of(here, new_page, "room.jpg", "hall.jpg")
    selected(page, "hall.jpg")
    page.locator("#select-none").click()
    expect(page.locator("#select-none")).to_be_hidden()
    expect(shot(page, "hall.jpg").locator("input")).to_be_focused()
    page.locator("#service-line").click()
    answered(page, page.locator("#save-service").click)
    expect(page.locator("#save-service")).to_be_focused()
    answered(page, page.locator(HDR).check)
    page.locator("#keep-style-line").click()
    page.locator("#style_name").fill("Ours")
    answered(page, page.locator("#keep-style-button").click)
    expect(page.locator("#keep-style-button")).to_be_focused()
    answered(page, page.locator("#use-style").click)
    expect(page.locator("#use-style")).to_be_focused()
