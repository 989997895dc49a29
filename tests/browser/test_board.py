"""The photo board in a browser: many files, each once, taken up again; many photos changed together, and back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect
from sqlalchemy import delete, select

from app.models import DraftPhoto, Job
from engine.types.enhancements import Enhancement
from engine.types.options import OPTIONS
from tests import reading
from tests.browser import axe, board_hands, drafting, seeds
from tests.browser.board_hands import answered, names, photo_file, pick, press_in_menu, shot
from tests.browser.hands import Keyboard, Mouse
from tests.browser.test_live import end_session
from tests.browser.test_wizard import at, sign_in_again
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside
from tests.waiting import eventually


def choose(page: Page, *files: object) -> None:
    page.locator("#photos-files").set_input_files(list(files))


def uploaded(page: Page, text: str) -> None:
    expect(page.locator("[data-note]")).to_have_text(text)


def puts(page: Page) -> list[str]:
    """The addresses that files are sent to from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    return sent


def test_photos_are_sent_three_at_a_time_and_again_when_the_network_falters(here: World, new_page: Visits) -> None:
    new_page.expect("^503: PUT")
    page = at(here, new_page, "begun")
    under_way, most, failed = set[str](), [0], set[str]()

    def began(request: Request) -> None:
        if request.method == "PUT":
            under_way.add(request.url)
            most.append(len(under_way))

    def falter(route: Route) -> None:
        if len(failed) < 3 and route.request.url not in failed and route.request.method == "PUT":
            failed.add(route.request.url)
            route.fulfill(status=503)
        else:
            route.continue_()

    page.on("request", began)
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: under_way.discard(request.url))
    page.route(lambda _: True, falter)
    choose(page, *(photo_file(f"room {number}.jpg") for number in range(7)))
    uploaded(page, "7 of 7 photos uploaded")
    assert len(failed) == 3
    assert max(most) <= 3
    page.reload()
    assert names(page) == [f"room {number}.jpg" for number in range(7)]


def test_of_two_hundred_files_those_that_are_no_photos_keep_no_other_out(here: World, new_page: Visits) -> None:
    new_page.expect("^415: PUT")
    page = at(here, new_page, "begun")
    small = b"\xff\xd8\xff\xe0"
    good = [photo_file(f"room {number}.jpg", small + f"{number:0100}".encode()) for number in range(180)]
    wrong = [photo_file(f"note {number}.txt", b"hello", "text/plain") for number in range(18)]
    choose(
        page, *good[:90], *wrong, photo_file("fake.jpg", b"<script>" * 9), photo_file("empty.jpg", b""), *good[90:]
    )
    expect(page.locator("[data-note]")).to_have_text("180 of 180 photos uploaded, 20 not taken", timeout=120_000)
    expect(page.locator("[data-refused-note]")).to_have_text("20 files were not taken. Everything else goes on.")
    page.locator("[data-refused] summary").click()
    told = page.locator("[data-refused-list]")
    for name, why in (("note 3.txt", "is not JPEG"), ("fake.jpg", "is not JPEG"), ("empty.jpg", "empty")):
        expect(told.locator("li").filter(has_text=name)).to_contain_text(why)
    expect(page.locator(".shot")).to_have_count(180)
    page.reload()
    expect(page.locator(".shot")).to_have_count(180)
    expect(page.locator("#several")).to_have_count(0)
    answered(page, page.get_by_role("button", name="All 180 are interior").click)
    expect(page.locator("#several")).to_contain_text("If you order now, these files become 4 orders")


def test_what_is_there_already_is_not_sent_again(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    sent = puts(page)
    choose(page, *(photo_file(name, inside(0)) for name in ("a.jpg", "same.jpg")), photo_file("b.jpg", inside(1)))
    uploaded(page, "2 of 2 photos uploaded, 1 already here")
    page.reload()
    choose(page, photo_file("again.jpg", inside(0)), photo_file("c.jpg", inside(2)))
    uploaded(page, "1 of 1 photo uploaded, 1 already here")
    assert len(set(sent)) == 3
    expect(page.locator(".shot")).to_have_count(3)


def test_the_same_folder_in_two_tabs_is_taken_once(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    other = page.context.new_page()
    other.goto(page.url)
    files = [photo_file(f"room {number}.jpg") for number in range(6)]
    for tab in (page, other):
        choose(tab, *files)
    for tab in (page, other):
        expect(tab.locator("[data-note]")).to_contain_text(re.compile("uploaded(, . already here)?$"))
    page.reload()
    expect(page.locator(".shot")).to_have_count(6)


def test_an_upload_that_was_cut_off_goes_on_with_the_files_that_are_missing(here: World, new_page: Visits) -> None:
    new_page.expect("")
    page = at(here, new_page, "begun")
    files = [photo_file(f"room {number}.jpg") for number in range(5)]
    sent = puts(page)
    # Every file after the second never leaves this machine.
    page.route(re.compile(r":\d+/uploads/"), lambda route: route.continue_() if len(sent) <= 2 else None)
    choose(page, *files)
    expect(page.locator(".shot")).to_have_count(2)
    where, context = page.url, page.context
    other = context.new_page()
    other.goto(where)
    expect(other.locator("#arriving")).to_contain_text("3 more files are being uploaded in another tab")
    expect(other.locator(".ghost")).to_have_count(0)
    expect(page.locator("#arriving")).to_be_hidden()
    page.close(run_before_unload=False)
    ended = select(DraftPhoto).where(DraftPhoto.uploaded_at.is_(None), DraftPhoto.expected_until <= here.clock())
    eventually("it is known that the page is closed", lambda: len(reading.found(here.container, ended)) == 3)
    other.close()
    page = context.new_page()
    page.goto(where)
    expect(page.locator(".ghost-name")).to_have_text(["room 2.jpg", "room 3.jpg", "room 4.jpg"])
    assert axe.violations(page) == []
    sent = puts(page)
    with page.expect_file_chooser() as choosing:
        page.locator(".ghost").get_by_role("link", name=re.compile("room 3.jpg$")).click()
    choosing.value.set_files(files)
    uploaded(page, "3 of 3 photos uploaded, 2 already here")
    assert len(sent) == 3
    expect(page.locator(".shot")).to_have_count(5)
    expect(page.locator("#unfinished")).to_have_count(0)


def test_a_file_that_was_left_out_elsewhere_says_so_and_retry_adds_it_again(here: World, new_page: Visits) -> None:
    new_page.expect("^404")
    page = at(here, new_page, "begun")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "PUT" else route.continue_()

    page.route("**/uploads/*", hold)
    choose(page, photo_file("room.jpg"))
    expect(page.locator("[data-state]")).to_have_text("Uploading")
    eventually("it is on its way", lambda: held)
    with here.container.database.unit_of_work() as session:
        session.execute(delete(DraftPhoto).where(DraftPhoto.uploaded_at.is_(None)))
    page.evaluate("() => dispatchEvent(new Event('pageshow'))")
    expect(page.locator("[data-state]")).to_have_text(re.compile("left out of this order. Retry adds it again"))
    assert len(held) == 1, "nobody wants it, so it is not sent again"
    page.unroute("**/uploads/*")
    page.get_by_role("button", name="Retry room.jpg").click()
    uploaded(page, "1 of 1 photo uploaded")
    expect(shot(page, "room.jpg")).to_be_visible()


def test_an_upload_waits_while_there_is_no_network(here: World, new_page: Visits) -> None:
    new_page.expect("")
    page = at(here, new_page, "begun")
    page.route("**/uploads/**", lambda route: route.continue_())
    page.context.set_offline(True)
    choose(page, photo_file("room.jpg"))
    expect(page.locator("[data-paused]")).to_contain_text("You are offline")
    page.context.set_offline(False)
    uploaded(page, "1 of 1 photo uploaded")
    expect(page.locator("[data-paused]")).to_be_hidden()


def test_uploads_and_changes_wait_for_a_new_sign_in_and_go_on(here: World, new_page: Visits) -> None:
    new_page.expect("^401: POST", "^401: GET", "401")
    page = at(here, new_page, "full")
    pick(page, Mouse(page), "bedroom.jpg")
    page.locator("#menu-renovate > summary").click()
    page.get_by_label("New look").fill("Wide oak boards")
    end_session(here)
    choose(page, photo_file("attic.jpg"))
    page.locator("#exterior-line").click()
    page.get_by_label("Green lawn", exact=True).uncheck()
    expect(page.locator("#signed-out")).to_contain_text("You were signed out. Nothing is lost")
    sign_in_again(page)
    uploaded(page, "1 of 1 photo uploaded")
    expect(page.get_by_label("New look")).to_have_value("Wide oak boards")
    page.locator("#menu-renovate > summary").click()
    expect(shot(page, "attic.jpg")).to_be_visible()
    expect(page.locator("#exterior-line")).to_have_text("Exterior photos: Blue sky")
    press_on(page, "attic.jpg")


def press_on(page: Page, name: str) -> None:
    """Forms of the page are good for whoever is signed in now."""
    pick(page, Mouse(page), name)
    press_in_menu(page, Mouse(page), "menu-more", "Move to exterior")
    expect(page.locator("#exterior-title")).to_be_visible()


@pytest.mark.parametrize("way", [Mouse, Keyboard])
def test_photos_are_taken_out_together_and_come_back(
    here: World, new_page: Visits, way: Callable[[Page], Keyboard | Mouse]
) -> None:
    page = at(here, new_page, "full")
    hands = way(page)
    pick(page, hands, "living-room.jpg", "bedroom.jpg")
    answered(page, lambda: hands.press(page.get_by_role("button", name="Remove", exact=True)))
    expect(page.locator("#undo")).to_contain_text("Removed 2 photos")
    expect(page.locator("#service-line")).to_have_text("Service type: exterior (1 exterior)")
    page.reload()
    answered(page, lambda: hands.press(page.get_by_role("button", name="Undo")))
    assert names(page) == ["front.jpg", "living-room.jpg", "bedroom.jpg"]
    expect(shot(page, "living-room.jpg")).to_contain_text("Scandinavian, living room")


def test_many_photos_are_selected_with_shift_and_with_the_arrow_keys(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    choose(page, *(photo_file(f"room {number}.jpg") for number in range(6)))
    uploaded(page, "6 of 6 photos uploaded")
    expect(page.locator(".shot")).to_have_count(6)
    board_hands.sort_all(page)
    shot(page, "room 1.jpg").locator("label").click()
    shot(page, "room 4.jpg").locator("label").click(modifiers=["Shift"])
    expect(page.locator("[data-picked]")).to_have_text("4 selected")
    page.get_by_role("button", name="None").click()
    first = shot(page, "room 0.jpg").locator("input")
    first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(shot(page, "room 2.jpg").locator("input")).to_be_focused()
    expect(page.locator("[data-picked]")).to_have_text("2 selected")
    page.get_by_role("button", name="All", exact=True).click()
    press_in_menu(page, Mouse(page), "menu-add", "Declutter")
    expect(page.locator(".shot-effects", has_text="Declutter")).to_have_count(6)
    expect(page.locator("[data-picked]")).to_have_text("6 selected")
    expect(page.locator("#total")).to_have_text("3 credits")
    assert axe.violations(page) == []


def test_what_is_typed_in_a_menu_stays_while_photos_arrive(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full")
    expect(page.locator("#selection")).to_be_hidden()
    pick(page, Mouse(page), "bedroom.jpg")
    page.locator("#menu-renovate > summary").click()
    page.get_by_label("New look").fill("Wide oak boards")
    choose(page, photo_file("hall.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_label("New look")).to_have_value("Wide oak boards")
    page.locator("#menu-renovate > summary").click()
    expect(shot(page, "hall.jpg")).to_be_visible()


def test_enter_on_a_box_changes_nothing(here: World, new_page: Visits) -> None:
    new_page.expect("^422")
    page = at(here, new_page, "full")
    before = page.locator("#total").inner_text()
    for box in (shot(page, "bedroom.jpg").locator("input"), page.locator("#effects input[type=checkbox]").first):
        box.evaluate("(each) => { each.closest('details')?.setAttribute('open', ''); each.focus(); }")
        page.keyboard.press("Enter")
    page.reload()
    expect(page.locator("#total")).to_have_text(before)


def test_the_price_and_the_options_follow_what_is_ticked_for_all(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "photos")
    expect(page.locator("#basket")).to_contain_text("3 photos have no enhancement")
    board_hands.choose_for_all(page, Mouse(page), "HDR balance")
    expect(page.locator("#total")).to_have_text("1 credit")
    board_hands.choose_for_all(page, Mouse(page), "Blue sky")
    expect(page.locator("#total")).to_have_text("2 credits")
    expect(page.locator(".lacks")).to_have_count(0)
    assert axe.violations(page) == []
    ticked = (Enhancement.HDR, Enhancement.SKY)
    for option in OPTIONS:
        display = page.locator(f"#option-{option.name}").evaluate("(each) => getComputedStyle(each).display")
        assert (display != "none") == option.is_for(ticked), option.name


def test_of_two_tabs_the_slower_one_is_told_before_it_overwrites_the_lists(here: World, new_page: Visits) -> None:
    new_page.expect("^422")
    page = at(here, new_page, "photos")
    other = page.context.new_page()
    other.goto(page.url)
    board_hands.choose_for_all(page, Mouse(page), "HDR balance")
    board_hands.choose_for_all(other, Mouse(other), "Declutter")
    expect(other.get_by_role("main")).to_contain_text("changed in another tab")
    expect(other.get_by_label("Declutter", exact=True)).to_be_checked()
    page.reload()
    expect(page.locator("#interior-line")).to_contain_text("HDR balance")
    answered(other, other.get_by_role("button", name="Save my choices").click)
    expect(other.locator("#interior-line")).to_have_text("Interior photos: Declutter")
    expect(other.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(page.locator("#interior-line")).to_contain_text("Declutter")


def test_pressed_twice_and_in_two_tabs_the_button_places_one_order(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name=re.compile("^Place order")).dblclick()
    expect(page.locator("#panel")).to_be_visible()
    other.get_by_role("button", name=re.compile("^Place order")).click()
    expect(other).to_have_url(page.url)
    assert reading.count(here.container, Job) == 1
    page.go_back()
    expect(page).to_have_url(other.url)


def test_many_photos_become_several_orders_at_one_press(here: World, new_page: Visits) -> None:
    here.person(Who.CUSTOMER)
    drafting.begin(here, "many", Who.CUSTOMER, *drafting.STOPPED["many"])
    page = here.window(new_page, Who.CUSTOMER)
    page.goto(f"/properties/{here.drafts['many']}")
    expect(page.locator("#several")).to_contain_text("these files become 2 orders")
    page.get_by_role("button", name=re.compile("^Place 2 orders for 33 credits")).click()
    expect(page.get_by_role("main")).to_contain_text("Your 2 orders are placed")
    expect(page.locator(".order-rows li")).to_have_count(2)
    assert reading.count(here.container, Job) == 2
    page.goto(f"/properties/{here.drafts['many']}")
    expect(page.locator(".order-rows li")).to_have_count(2)


def test_small_pictures_come_by_themselves(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "photos")
    expect(shot(page, "bedroom.jpg")).to_contain_text("Preview is being made")
    seeds.make_previews(here)
    expect(page.locator(".shot img")).to_have_count(3)
