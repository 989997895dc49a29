"""The wizard against what goes wrong: sessions that end, two tabs, what nobody types."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import drafting
from tests.browser.test_live import end_session
from tests.browser.visits import Visits
from tests.browser.world import Who, World, sign_in

HOSTILE = Path(__file__).parents[2].parent / "shared" / "photos" / "hostile"


def at(here: World, new_page: Visits, draft: str, page_name: str = "", **options: object) -> Page:
    """A customer at a page of the wizard, or at the board, with the draft as it was left there."""
    here.person(Who.CUSTOMER)
    drafting.begin(here, draft, Who.CUSTOMER, *drafting.STOPPED[draft])
    page = here.window(new_page, Who.CUSTOMER, **options)
    page.goto(f"/drafts/{here.drafts[draft]}/{page_name}" if page_name else f"/properties/{here.drafts[draft]}")
    return page


def test_a_session_that_ends_in_the_wizard_loses_nothing_that_was_typed(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun", "address")
    where = page.url
    page.get_by_label("City").fill("Shelbyville")
    end_session(here)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    expect(page.get_by_role("heading")).to_have_text("This was not saved yet")
    page.get_by_role("button", name="Send it now").click()
    expect(page).to_have_url(re.compile("/properties/"))
    page.goto(where)
    expect(page.get_by_label("City")).to_have_value("Shelbyville")


def test_a_session_that_ends_before_the_price_is_asked_keeps_what_is_typed_on_the_page(
    here: World, new_page: Visits
) -> None:
    new_page.expect("^401: POST .*/price/", "401")
    page = at(here, new_page, "full")
    page.get_by_role("link", name="Open bedroom.jpg").click()
    # Loaded as a whole: only then does the page ask for the price.
    page.wait_for_url("**/photos/**")
    end_session(here)
    page.get_by_label("New look").fill("Slate, dark and matt")
    page.keyboard.press("Tab")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(page.locator("#signed-out")).to_contain_text("Nothing is lost")
    sign_in_again(page)
    expect(page.get_by_label("New look")).to_have_value("Slate, dark and matt")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile("/properties/"))


def sign_in_again(page: Page) -> None:
    """Follow the way that a page offers whose session ended, and come back to it."""
    with page.context.expect_page() as opening:
        page.locator("#signed-out").get_by_role("link", name="Sign in again").click()
    other = opening.value
    sign_in(other, Who.CUSTOMER)
    other.close()
    page.bring_to_front()
    expect(page.locator("#signed-out")).to_be_hidden()


def test_of_two_tabs_the_slower_one_is_told_and_loses_nothing(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun", "address")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_label("City").fill("Shelbyville")
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile("/properties/"))
    other.get_by_label("City").fill("Capital City")
    other.get_by_role("button", name="Continue").click()
    expect(other.get_by_role("main")).to_contain_text("changed in another tab")
    expect(other.get_by_label("City")).to_have_value("Capital City")
    other.get_by_role("button", name="Continue").click()
    expect(other).to_have_url(re.compile("/properties/"))


def test_a_pasted_address_is_put_into_its_fields(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "new", "address")
    page.get_by_label("Street address").fill("7 Elm Street, Springfield, IL 62704")
    page.keyboard.press("Tab")
    expect(page.get_by_label("City")).to_have_value("Springfield")
    expect(page.get_by_label("ZIP or postal code")).to_have_value("62704")


def test_a_name_of_ten_thousand_characters_is_refused_in_words(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "new", "address")
    page.get_by_label("Street address").fill("7 " + "Elm" * 3333)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".summary")).to_be_visible()
    assert page.title().startswith("Error: ")
