"""The public pages with scripts: the estimate follows its form, the pair its slider, the status the service."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from app.domain.catalog import ENTRIES
from engine.types.enhancements import Enhancement
from tests.browser.visits import Visits
from tests.browser.world import Who, World


def opened(here: World, new_page: Visits, path: str) -> Page:
    page = here.window(new_page, Who.NOBODY)
    page.goto(here.site.url + path)
    return page


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def total(page: Page) -> Locator:
    return page.locator("#estimate tfoot .num")


def test_the_estimate_follows_the_form_and_the_address_keeps_it(here: World, new_page: Visits) -> None:
    page = opened(here, new_page, "/prices")
    expect(total(page)).to_have_text("7")
    page.get_by_label(ENTRIES[Enhancement.TWILIGHT].label).check()
    expect(total(page)).to_have_text("7.5")
    expect(page.get_by_label(ENTRIES[Enhancement.TWILIGHT].label)).to_be_focused()
    assert Enhancement.TWILIGHT in asked(page)["enhancement"]
    page.reload()
    expect(total(page)).to_have_text("7.5")


def test_a_wrong_count_is_told_while_the_form_stays_as_it_is(here: World, new_page: Visits) -> None:
    page = opened(here, new_page, "/prices")
    page.locator("#interior").fill("many")
    page.locator("#exterior").focus()
    expect(page.locator("#estimate")).to_contain_text("Enter how many interior photos")
    expect(page.locator("#interior")).to_have_value("many")
    page.locator("#interior").fill("4")
    page.locator("#exterior").focus()
    expect(total(page)).to_have_text("4")
    assert asked(page)["interior"] == ["4"]


def test_what_the_order_does_not_cover_is_not_asked(here: World, new_page: Visits) -> None:
    page = opened(here, new_page, "/prices")
    expect(page.locator("#changes")).to_be_hidden()
    page.get_by_label(ENTRIES[Enhancement.RENOVATION].label).check()
    expect(page.locator("#changes")).to_be_visible()
    page.get_by_label("Exterior", exact=True).check()
    expect(page.locator("#interior")).to_be_hidden()
    expect(total(page)).to_have_text("2")


def test_before_and_after_are_compared_by_keyboard(here: World, new_page: Visits) -> None:
    page = opened(here, new_page, "/")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "0% after")
    page.get_by_role("button", name="After", exact=True).press("Enter")
    expect(slider).to_have_attribute("aria-valuetext", "100% after")


def test_the_status_looks_again_by_itself(here: World, new_page: Visits) -> None:
    page = here.window(new_page, Who.NOBODY)
    page.clock.install()
    page.goto(here.site.url + "/status")
    expect(page.locator("#parts")).to_contain_text("Not working now")
    here.container.sweep.beat()
    page.clock.fast_forward(16_000)
    expect(page.locator("#parts")).to_contain_text("Everything works")
