"""How files come to the board in a browser: folders, drops, pastes, what is no photo, and what goes wrong."""

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect
from sqlalchemy import select

from app.models import DraftPhoto
from app.services.orders import draft_arrivals
from tests.browser.board_hands import names, photo_file, shot
from tests.browser.test_live import end_session
from tests.browser.test_wizard import at, sign_in_again
from tests.browser.visits import Visits
from tests.browser.world import World, inside
from tests.domain.test_unsupported_files import NIKON
from tests.waiting import eventually

_PASTE = """([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], name, { type: "image/png" }));
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def fill(folder: Path, photos: int = 4) -> Path:
    """A card's folder: photos in folders of folders, and what cameras and systems put beside them."""
    (folder / "DCIM" / "100CANON").mkdir(parents=True)
    for number in range(photos):
        file = photo_file(f"room {number}.jpg")
        (folder / "DCIM" / ("100CANON" if number % 2 else ".") / file["name"]).write_bytes(file["buffer"])
    for name in (".DS_Store", "Thumbs.db", "DCIM/room 0.xmp"):
        (folder / name).write_bytes(b"of no use")
    (folder / "DCIM" / "100CANON" / "DSC_1.NEF").write_bytes(NIKON)
    (folder / "floor plan.pdf").write_bytes(b"%PDF-1.7")
    return folder


def choose(page: Page, *files: FilePayload) -> None:
    page.locator("#photos-files").set_input_files(list(files))


def note(page: Page, text: str) -> None:
    expect(page.locator("[data-note]")).to_have_text(text)


def told(page: Page) -> list[str]:
    """What is said of files that were not taken, in the order of their names."""
    page.locator("[data-refused] summary").click()
    expect(page.locator("[data-refused-list] li").first).to_be_visible()
    return sorted(page.locator("[data-refused-list] li").all_inner_texts())


def drop(page: Page, *paths: Path) -> None:
    """Drop files and folders of this machine on the page, as a hand would."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})
    session.detach()


def hold_back(page: Page, after: int) -> list[Route]:
    """Let the first so many files pass; all others wait in what this gives, and go nowhere by themselves."""
    sent, held = [0], list[Route]()

    def pass_or_hold(route: Route) -> None:
        if route.request.method != "PUT":
            route.continue_()
            return
        sent[0] += 1
        if sent[0] <= after:
            route.continue_()
        else:
            held.append(route)

    page.route("**/uploads/*", pass_or_hold)
    return held


def test_a_folder_is_taken_with_all_its_folders_and_twice_adds_nothing(
    here: World, new_page: Visits, tmp_path: Path
) -> None:
    page = at(here, new_page, "begun")
    folder = fill(tmp_path / "card")
    page.locator("#folder-files").set_input_files(folder)
    note(page, "4 of 4 photos uploaded, 2 not taken")
    expect(page.locator(".shot")).to_have_count(4)
    assert told(page) == [
        "DSC_1.NEF: This is a camera raw file. Export it as JPEG or TIFF and add that instead.",
        "floor plan.pdf: This is a PDF. Export its pictures as JPEG and add those instead.",
    ]
    page.reload()
    page.locator("#folder-files").set_input_files(folder)
    note(page, "0 of 0 photos uploaded, 4 already here, 2 not taken")
    expect(page.locator(".shot")).to_have_count(4)
    assert len(names(page)) == 4


def test_folders_and_files_are_dropped_anywhere_on_the_page(here: World, new_page: Visits, tmp_path: Path) -> None:
    page = at(here, new_page, "begun")
    single = tmp_path / "hall.jpg"
    single.write_bytes(photo_file("hall.jpg")["buffer"])
    drop(page, fill(tmp_path / "card"), single)
    note(page, "5 of 5 photos uploaded, 2 not taken")
    expect(shot(page, "hall.jpg")).to_be_visible()
    expect(shot(page, "room 3.jpg")).to_be_visible()
    expect(page.locator(".shot")).to_have_count(5)


def test_a_picture_is_pasted(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    page.evaluate(_PASTE, ["image.png", base64.b64encode(inside(0)).decode()])
    note(page, "1 of 1 photo uploaded")
    expect(shot(page, "image.png")).to_be_visible()


def test_what_is_chosen_before_the_scripts_are_there_is_taken_too(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/js/board/files.js*", hold)
    page.reload(wait_until="commit")
    choose(page, photo_file("hall.jpg"))
    eventually("its script is on its way", lambda: page.locator("#photos-files").count() and waiting)
    waiting.pop().continue_()
    note(page, "1 of 1 photo uploaded")
    expect(shot(page, "hall.jpg")).to_be_visible()


def test_of_a_live_photo_the_still_half_is_taken_and_nothing_is_said_of_the_other(
    here: World, new_page: Visits
) -> None:
    page = at(here, new_page, "begun")
    movie = b"\0\0\0\x14ftypqt  "
    choose(
        page,
        photo_file("IMG_7.MOV", movie, "video/quicktime"),
        photo_file("IMG_7.jpg"),
        photo_file("tour.mov", movie, "video/quicktime"),
        photo_file("empty.jpg", b""),
    )
    note(page, "1 of 1 photo uploaded, 2 not taken")
    assert told(page) == [
        "empty.jpg: The file is empty.",
        "tour.mov: This is a video. Only photos can be enhanced.",
    ]
    expect(page.locator(".shot")).to_have_count(1)


def test_a_raw_file_under_the_name_of_a_photo_is_told_apart_by_the_service(here: World, new_page: Visits) -> None:
    new_page.expect("^415: PUT")
    page = at(here, new_page, "begun")
    choose(page, photo_file("renamed.tif", NIKON + bytes(5000)), photo_file("room.jpg"))
    note(page, "1 of 1 photo uploaded, 1 not taken")
    assert told(page) == ["renamed.tif: This is a camera raw file. Export it as JPEG or TIFF and add that instead."]
    page.reload()
    assert names(page) == ["room.jpg"]


def test_a_choice_without_any_photo_says_so(here: World, new_page: Visits) -> None:
    page = at(here, new_page, "begun")
    choose(page, photo_file("Thumbs.db", b"x"), photo_file(".DS_Store", b"x"))
    assert told(page) == ["Nothing was added: There are no photos in what you chose."]


def test_a_network_that_goes_in_the_middle_holds_the_upload_up_and_loses_nothing(
    here: World, new_page: Visits
) -> None:
    new_page.expect("")
    page = at(here, new_page, "begun")
    held = hold_back(page, after=2)
    choose(page, *(photo_file(f"room {number}.jpg") for number in range(6)))
    expect(page.locator(".shot")).to_have_count(2)
    page.context.set_offline(True)
    for route in held:
        route.abort("internetdisconnected")
    expect(page.locator("[data-paused]")).to_contain_text("You are offline")
    page.unroute("**/uploads/*")
    page.context.set_offline(False)
    note(page, "6 of 6 photos uploaded")
    expect(page.locator("[data-paused]")).to_be_hidden()
    expect(page.locator(".shot")).to_have_count(6)


def test_a_session_that_ends_in_the_middle_holds_the_upload_up_until_the_next_sign_in(
    here: World, new_page: Visits
) -> None:
    new_page.expect("^401: ", "401")
    page = at(here, new_page, "begun")
    hold_back(page, after=2)
    choose(page, *(photo_file(f"room {number}.jpg") for number in range(6)))
    expect(page.locator(".shot")).to_have_count(2)
    end_session(here)
    # What was held back goes on its way with this.
    page.unroute("**/uploads/*")
    expect(page.locator("#signed-out")).to_contain_text("You were signed out. Nothing is lost")
    sign_in_again(page)
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    note(page, "6 of 6 photos uploaded")
    expect(page.locator(".shot")).to_have_count(6)


@pytest.mark.parametrize("quicker", [0, 1])
def test_two_tabs_add_to_the_same_order_at_once(here: World, new_page: Visits, quicker: int) -> None:
    page = at(here, new_page, "begun")
    other = page.context.new_page()
    other.goto(page.url)
    tabs = [page, other] if quicker == 0 else [other, page]
    for place, tab in enumerate(tabs):
        choose(tab, *(photo_file(f"{place}-{number}.jpg") for number in range(3)))
    for tab in tabs:
        note(tab, "3 of 3 photos uploaded")
    page.reload()
    expect(page.locator(".shot")).to_have_count(6)


def count_lost(here: World) -> int:
    with here.container.database.read_session() as session:
        rows = session.scalars(select(DraftPhoto).where(DraftPhoto.uploaded_at.is_(None)))
        return sum(draft_arrivals.is_lost(row, here.container.clock()) for row in rows)


def test_what_a_page_no_longer_sends_is_lost_as_it_is_closed_and_what_failed_is_not_on_its_way(
    here: World, new_page: Visits
) -> None:
    new_page.expect("^400: PUT", "400")
    page = at(here, new_page, "begun")

    def fail_or_hold(route: Route) -> None:
        if route.request.post_data_buffer == photo_file("bad.jpg")["buffer"]:
            route.fulfill(status=400, json={"message": "It broke."})

    page.route(re.compile(r"^https?://[^/]+/uploads/"), fail_or_hold)
    choose(page, photo_file("bad.jpg"), photo_file("hall.jpg"))
    expect(page.locator(".going-file", has_text="bad.jpg")).to_contain_text("Upload failed: It broke.")
    with page.expect_request("**/uploads/alive") as told:
        page.evaluate("dispatchEvent(new Event('online'))")
    assert len(told.value.post_data_json["ids"]) == 1
    assert told.value.headers["hx-trigger"] == "going"
    page.reload()
    eventually("both are lost", lambda: count_lost(here) == 2)
    page.reload()
    expect(page.locator(".ghost-name")).to_have_text(["bad.jpg", "hall.jpg"])
