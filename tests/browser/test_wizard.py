"""The wizard against what goes wrong: lost transfers, hostile files, sessions that end, two tabs, going back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, Request, Route, expect
from sqlalchemy import func, select

from app.models import Job
from tests.browser import axe, drafting, seeds
from tests.browser.test_live import end_session
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside, sign_in

HOSTILE = Path(__file__).parents[2].parent / "shared" / "photos" / "hostile"


def photo_file(name: str, content: bytes = inside(), media_type: str = "image/jpeg") -> FilePayload:
    return {"name": name, "mimeType": media_type, "buffer": content}


def at(here: World, new_page: Visits, draft: str, page_name: str, **options: object) -> Page:
    """A customer at a page of the wizard, with the draft as it was left there."""
    here.person(Who.CUSTOMER)
    drafting.begin(here, draft, Who.CUSTOMER, *drafting.STOPPED[draft])
    page = here.window(new_page, Who.CUSTOMER, **options)
    page.goto(f"/drafts/{here.drafts[draft]}/{page_name}")
    return page


def jobs(here: World) -> int:
    with here.container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Job)) or 0


def rows(page: Page, zone: str = "interior") -> list[str]:
    """The names of the photos in the list, in order."""
    return page.locator(f"[data-zone={zone}] .file .name").all_inner_texts()


def uploaded(page: Page, count: int) -> None:
    expect(page.locator("#status")).to_contain_text(re.compile(rf"^{count} of \d+ photos uploaded"))


def test_photos_are_sent_three_at_a_time_and_again_when_the_network_falters(here: World, new_page: Visits) -> None:
    new_page.expect("^503: PUT")
    page = at(here, new_page, "service", "photos")
    under_way, most, failed = set[str](), [0], set[str]()

    def began(request: Request) -> None:
        if request.method == "PUT":
            under_way.add(request.url)
            most.append(len(under_way))

    def ended(request: Request) -> None:
        under_way.discard(request.url)

    def falter(route: Route) -> None:
        if len(failed) < 3 and route.request.url not in failed and route.request.method == "PUT":
            failed.add(route.request.url)
            route.fulfill(status=503)
        else:
            route.continue_()

    page.on("request", began)
    page.on("requestfinished", ended)
    page.on("requestfailed", ended)
    page.route(lambda _: True, falter)
    page.locator("#interior-files").set_input_files([photo_file(f"room {number}.jpg") for number in range(7)])
    uploaded(page, 7)
    assert len(failed) == 3
    assert max(most) <= 3
    page.reload()
    assert rows(page) == [f"room {number}.jpg" for number in range(7)]


def test_files_that_are_no_photos_say_so_in_their_row(here: World, new_page: Visits) -> None:
    new_page.expect("^415: PUT")
    page = at(here, new_page, "service", "photos")
    files = [
        photo_file("note.txt", b"hello", "text/plain"),
        photo_file("empty.jpg", b""),
        photo_file("fake.jpg", b"<script>alert(1)</script>" * 10),
        photo_file("room.jpg"),
    ]
    page.locator("#interior-files").set_input_files(files)
    uploaded(page, 1)
    listed = page.locator("[data-zone=interior] .file")
    expect(listed.filter(has_text="note.txt")).to_contain_text("Not a photo format")
    expect(listed.filter(has_text="empty.jpg")).to_contain_text("empty")
    expect(listed.filter(has_text="fake.jpg")).to_contain_text("Not taken")
    assert axe.violations(page) == []


def test_the_order_of_photos_is_changed_by_keyboard_and_kept(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "photos", "photos")
    with page.expect_response("**/order"):
        page.get_by_role("button", name="Move later: living-room.jpg").press("Enter")
    expect(page.locator("#status")).to_contain_text("moved to place 2 of 2")
    expect(page.get_by_role("button", name="Move later: living-room.jpg")).to_be_focused()
    page.reload()
    assert rows(page) == ["bedroom.jpg", "living-room.jpg"]
    with page.expect_response("**/remove"):
        page.get_by_role("button", name="Remove bedroom.jpg").press("Enter")
    expect(page.get_by_role("button", name="Remove living-room.jpg")).to_be_focused()
    page.reload()
    assert rows(page) == ["living-room.jpg"]


@pytest.mark.skipif(not HOSTILE.is_dir(), reason="the hand-out photos are not on this machine")
@pytest.mark.parametrize("live", [True, False], ids=["with scripts", "without scripts"])
def test_hostile_files_hurt_nobody(here: World, new_page: Visits, live: bool) -> None:
    new_page.expect("^415: PUT")
    page = at(here, new_page, "service", "photos", java_script_enabled=live)
    hostile = sorted(HOSTILE.iterdir())
    picked, fine = [hostile[place] for place in range(0, len(hostile), max(1, len(hostile) // 30))][:30], "room.jpg"
    payloads = [photo_file(path.name, path.read_bytes()) for path in picked]
    page.locator("#interior-files").set_input_files([*payloads, photo_file(fine)])
    if live:
        expect(page.locator("#status")).to_contain_text("photos uploaded")
    else:
        with page.expect_navigation():
            page.get_by_role("button", name="Upload the chosen photos").click()
    seeds.make_previews(here)
    page.goto(page.url)
    assert fine in rows(page)
    expect(page.locator("h1")).to_have_text("Add your photos")
    expect(page.locator(f"img[alt='{fine}']")).to_be_visible()


def test_a_session_that_ends_in_the_wizard_leads_back_to_the_same_page(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "address", "service")
    where = page.url
    with page.expect_response("**/price/*"):  # no 401 of its own leads away before the button does
        page.locator("#service-both").check()
    end_session(here)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    expect(page).to_have_url(where)


def test_a_session_that_ends_before_the_price_is_asked_leads_back_to_the_same_page(
    here: World, new_page: Visits
) -> None:
    new_page.expect("^401: POST .*/price/")
    page = at(here, new_page, "address", "service")
    where = page.url
    end_session(here)
    page.locator("#service-both").check()
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    expect(page).to_have_url(where)


def test_a_session_that_ends_during_an_upload_leads_back_to_the_photos(here: World, new_page: Visits) -> None:
    new_page.expect("^401: POST")
    page = at(here, new_page, "service", "photos")
    where = page.url
    end_session(here)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#interior-files").set_input_files([photo_file("room.jpg")])
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    expect(page).to_have_url(where)


def test_of_two_tabs_the_slower_one_is_told_and_loses_nothing(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "address", "address")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_label("City").fill("Shelbyville")
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(re.compile("/service$"))
    other.get_by_label("City").fill("Capital City")
    other.get_by_role("button", name="Continue").click()
    expect(other.get_by_role("main")).to_contain_text("changed in another tab")
    expect(other.get_by_label("City")).to_have_value("Capital City")
    other.get_by_role("button", name="Continue").click()
    expect(other).to_have_url(re.compile("/service$"))


def test_pressed_twice_and_in_two_tabs_the_button_places_one_order(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full", "review")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name=re.compile("^Place order")).dblclick()
    expect(page).to_have_url(re.compile("/orders/job_"))
    other.get_by_role("button", name=re.compile("^Place order")).click()
    expect(other).to_have_url(page.url)
    assert jobs(here) == 1


def test_back_after_placing_shows_the_order_and_no_form(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "full", "enhancements/each")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name=re.compile("^Place order")).click()
    placed = re.compile("/orders/job_")
    expect(page).to_have_url(placed)
    page.go_back()
    expect(page).to_have_url(placed)
    assert jobs(here) == 1


def test_the_price_follows_what_is_ticked(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "photos", "enhancements")
    total = page.locator("#total")
    expect(total).to_be_visible()
    before = total.inner_text()
    page.get_by_label("HDR balance", exact=True).check()
    expect(total).not_to_have_text(before)
    assert axe.violations(page) == []


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
