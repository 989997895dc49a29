"""Looking closely: before and after under one slider, and a review by the keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.domain.lifecycle import Status
from app.models import Job
from tests.browser import seeds
from tests.browser.visits import Visits
from tests.browser.world import Day, Who, World, inside

Worlds = dict[Day, World]


@pytest.fixture
def comparing(worlds: Worlds, new_page: Visits) -> Page:
    """A customer at the results of an order."""
    world = worlds[Day.BUSY]
    page = world.window(new_page, Who.CUSTOMER)
    page.goto(f"/orders/{world.jobs['approved']}/results")
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


def status_of(here: World) -> Status:
    with here.container.database.read_session() as session:
        return session.get_one(Job, here.jobs["job"]).status


def test_a_review_is_done_with_keys_alone(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.locator("#review").focus()
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
    assert status_of(here) is Status.APPROVED


def test_outside_the_frame_no_key_decides_anything(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.get_by_role("link", name="Reviews").first.focus()
    page.keyboard.press("a")
    expect(page.get_by_role("main")).to_contain_text("0 of 2 decided")


def test_keys_that_are_switched_off_decide_nothing(here: World, new_page: Visits) -> None:
    page = reviewed(here, new_page, "", "")
    page.get_by_role("button", name="Switch keys off").click()
    page.wait_for_load_state()
    page.locator("#review").focus()
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Switch keys on")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("0 of 2 decided")
