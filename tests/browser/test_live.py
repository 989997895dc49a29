"""Pages that live: an order's progress comes by itself, stops when there is none, and survives what goes wrong."""

import re

from playwright.sync_api import Page, Request, expect

from app.domain.ids import Prefix, new_id
from app.models import Job
from app.services.security import sign_ins
from tests.browser import seeds
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside, sign_in

LONG_MILLISECONDS = 60_000
TOGETHER = new_id(Prefix.DRAFT)


def order_page(here: World, new_page: Visits, photos: int = 2) -> Page:
    """A customer who watches an order of theirs; only `fast_forward` makes the page's time pass quickly."""
    here.person(Who.CUSTOMER)
    job = seeds.order(here, "watched", [inside(number) for number in range(photos)])
    page = here.window(new_page, Who.CUSTOMER)
    page.clock.install()
    page.goto(f"/properties/{job}")
    return page


def polls(page: Page) -> list[str]:
    """The addresses asked for from now on by scripts."""
    seen: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type in ("xhr", "fetch"):
            seen.append(request.url)

    page.on("request", note)
    return seen


def wait(page: Page) -> None:
    """Let so much time pass that every page has asked for news."""
    with page.expect_response(lambda answer: "/news" in answer.url):
        page.clock.fast_forward(LONG_MILLISECONDS)


def test_progress_comes_by_itself_and_states_are_announced(here: World, new_page: Visits) -> None:
    page = order_page(here, new_page)
    expect(page.get_by_role("main")).to_contain_text("0 of 2 photos processed")
    seeds.work(here, most=1)
    wait(page)
    expect(page.get_by_role("main")).to_contain_text("1 of 2 photos processed")
    expect(page.locator("#status")).to_contain_text("Processing")
    seeds.work(here)
    wait(page)
    expect(page.get_by_role("button", name="Download all")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Ready")


def test_what_is_selected_stays_so_while_the_page_changes(here: World, new_page: Visits) -> None:
    page = order_page(here, new_page)
    ready = seeds.order(here, "ready", [inside(5)])
    seeds.work(here, job_id=ready)
    together(here, ready, here.jobs["watched"])
    page.goto(f"/properties/{TOGETHER}")
    page.locator(".shot > input").check()
    seeds.work(here, most=1)
    wait(page)
    expect(page.get_by_role("main")).to_contain_text("2 of 3 photos are ready")
    expect(page.locator(".shot > input")).to_be_checked()
    expect(page.locator("[data-picked]")).to_have_text("1 selected")


def together(here: World, *job_ids: str) -> None:
    """Let these orders be of one property."""
    with here.container.database.unit_of_work() as session:
        for place, job_id in enumerate(job_ids):
            job = session.get_one(Job, job_id)
            job.draft_id, job.draft_place = TOGETHER, place


def test_a_settled_order_is_asked_for_until_its_small_pictures_are_there(here: World, new_page: Visits) -> None:
    page = order_page(here, new_page, 1)
    seeds.work(here)
    wait(page)
    expect(page.get_by_role("button", name="Download all")).to_be_visible()
    expect(page.get_by_text("Preview is being made")).to_be_visible()
    seeds.make_previews(here)
    wait(page)
    expect(page.get_by_text("Preview is being made")).to_be_hidden()
    expect(page.get_by_role("link", name="Share these pictures")).to_be_visible()
    asked = polls(page)
    page.clock.fast_forward(10 * LONG_MILLISECONDS)
    expect(page.get_by_role("button", name="Download all")).to_be_visible()
    assert asked == []


def test_a_page_that_nobody_looks_at_asks_for_nothing(here: World, new_page: Visits) -> None:
    page = order_page(here, new_page)
    page.evaluate("() => Object.defineProperty(document, 'hidden', {value: true})")
    asked = polls(page)
    page.clock.fast_forward(LONG_MILLISECONDS)
    expect(page.locator("#board")).to_be_visible()
    assert asked == []


def test_focus_stays_where_it_is_while_the_page_changes(here: World, new_page: Visits) -> None:
    page = order_page(here, new_page)
    page.locator("#refresh").focus()
    seeds.work(here, most=1)
    wait(page)
    expect(page.get_by_role("main")).to_contain_text("1 of 2 photos processed")
    assert page.evaluate("() => document.activeElement.id") == "refresh"


def test_a_page_that_cannot_ask_says_since_when_it_is_old(here: World, new_page: Visits) -> None:
    new_page.expect("")
    page = order_page(here, new_page)
    stale = page.locator("[data-stale]").first
    expect(stale).to_be_hidden()
    page.route("**/news*", lambda route: route.abort())
    for _ in range(3):
        with page.expect_event("requestfailed"):
            page.clock.fast_forward(LONG_MILLISECONDS)
    expect(stale).to_be_visible()
    page.unroute("**/news*")
    stale.get_by_role("link").click()
    expect(stale).to_be_hidden()


def test_a_session_that_ends_while_watching_leads_back_to_the_order(here: World, new_page: Visits) -> None:
    new_page.expect(r"401: GET .*/news", "401")
    page = order_page(here, new_page)
    watched = page.url
    end_session(here)
    page.clock.fast_forward(LONG_MILLISECONDS)
    page.wait_for_url(lambda url: "/sign-in?" in url)
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    expect(page).to_have_url(watched)


def end_session(here: World) -> None:
    """End every sign-in of the customer, as another browser of theirs can."""
    with here.container.database.unit_of_work() as session:
        sign_ins.end_all(session, here.people[Who.CUSTOMER].account_id)


def test_moments_are_told_in_the_visitors_zone_and_in_utc_on_hover(here: World, new_page: Visits) -> None:
    here.person(Who.CUSTOMER)
    job = seeds.order(here, "watched", [inside(0)])
    page = here.window(new_page, Who.CUSTOMER, timezone_id="America/Los_Angeles")
    page.goto(f"/properties/{job}")
    told = page.locator("main time").first
    expect(told).to_contain_text(re.compile("P[SD]T$|GMT-[78]$"))
    expect(told).to_have_attribute("title", re.compile("UTC$"))
    page = here.window(new_page, Who.CUSTOMER, timezone_id="America/Los_Angeles", java_script_enabled=False)
    page.goto(f"/properties/{job}")
    expect(page.locator("main time").first).to_contain_text("UTC")
