"""A page of another site takes up photos with our element, gets its tokens from its own server, and orders them."""

import importlib.util
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy import select

from app.models import ApiKey, UploadSession
from app.portal.snippets import UPLOADS
from tests.browser import axe
from tests.browser.site import Site
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside

ADDRESS = "https://brightlist.example"
PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos" / "bracket_window"
_AXE = """async (tags) => {
const found = await axe.run(document, {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]});
return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}`)); }"""


@dataclass
class Shop:
    """The other site: our example of one, at an address of its own."""

    world: World
    site: Site
    program: ModuleType

    def open(self, new_page: Visits, html: str = "", **options: Any) -> Page:
        """Its page in a window, once the element is there; with this form in the place of its own."""
        page = new_page(**options)
        if html:
            body = f'<main><h1>x</h1><form id="form">{html}</form></main>'
            whole = f'<!DOCTYPE html><html lang="en"><title>x</title>{self._script}{body}'
            self.program.app.add_url_rule("/form", view_func=lambda: whole)
        page.goto(f"{self.site.url}/{'form' if html else ''}")
        page.wait_for_function("() => Boolean(customElements.get('brightlist-uploader'))")
        return page

    @property
    def _script(self) -> str:
        return f'<script type="module" src="{self.world.site.url}/embed/uploader.js"></script>'

    def forget_tokens(self, minutes: int = 16) -> None:
        """Let every token expire that was made."""
        self.world.clock.pass_(minutes=minutes)

    def sessions(self) -> list[UploadSession]:
        """All upload sessions, the oldest first."""
        with self.world.container.database.read_session() as session:
            return list(session.scalars(select(UploadSession).order_by(UploadSession.created_at)))


@pytest.fixture
def shop(here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """The example of the documentation, run as it is shown there."""
    with Site().running() as site:
        me = here.person(Who.CUSTOMER)
        with here.container.database.unit_of_work() as session:
            session.scalars(select(ApiKey)).one().upload_origins = [site.url]
        for each in UPLOADS.iterdir():
            (tmp_path / each.name).write_text(each.read_text().replace(ADDRESS, here.site.url))
        monkeypatch.setenv("BRIGHTLIST_API_KEY", me.secret)
        monkeypatch.setenv("SECRET_KEY", "k" * 32)
        found = importlib.util.spec_from_file_location("example_site", tmp_path / "server.py")
        assert found is not None
        assert found.loader is not None
        program = importlib.util.module_from_spec(found)
        monkeypatch.setitem(sys.modules, found.name, program)
        found.loader.exec_module(program)
        site.app = program.app
        yield Shop(here, site, program)


def choose(page: Page, *files: Any, at: int = 0) -> None:
    """Choose these files, given by path or by name and content, in the element at this place."""
    wanted = [
        each if isinstance(each, Path) else {"name": each[0], "mimeType": "image/jpeg", "buffer": each[1]}
        for each in files
    ]
    page.locator("brightlist-uploader").nth(at).locator(".drop input[type=file]").set_input_files(wanted)


def photo(name: str) -> tuple[str, bytes]:
    return name, inside()


def states(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("brightlist-uploader .state").all_text_contents()]


def value(page: Page, at: int = 0) -> Any:
    """What the element sends with its form."""
    return page.locator("brightlist-uploader").nth(at).evaluate("(each) => each.value")


def uploaded(page: Page, text: str) -> None:
    expect(page.locator("brightlist-uploader .sum p").first).to_have_text(text)


def accessible(page: Page) -> None:
    """No fault of accessibility in light or dark, shadow trees included."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(axe.source())
        assert page.evaluate(_AXE, axe.TAGS) == [], scheme


def test_a_customers_page_uploads_and_its_server_orders(shop: Shop, new_page: Visits) -> None:
    page = shop.open(new_page, viewport={"width": 390, "height": 844}, has_touch=True)
    expect(page.get_by_role("button", name="Choose photos")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Order").click()
    assert page.url == f"{shop.site.url}/", "the element is required"
    choose(page, *sorted(PHOTOS.glob("*.jpg"))[:2])
    uploaded(page, "2 of 2 photos uploaded")
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    sent = value(page)
    page.get_by_label("Address").fill("12 Garden Lane, Springfield, IL 62704")
    page.get_by_role("button", name="Order").click()
    expect(page.get_by_text("Thank you")).to_be_visible()
    job_id = page.locator("body").inner_text().rpartition(" ")[2]
    job = shop.world.people[Who.CUSTOMER].get(f"/jobs/{job_id}").json
    assert [each["fileName"] for each in job["photos"]] == [each["fileName"] for each in sent["interiorFiles"]]
    (only,) = shop.sessions()
    assert (only.id, only.job_id) == (sent["uploadSessionId"], job_id)


def test_what_goes_wrong_on_the_way_is_repeated_and_an_expired_token_renewed(shop: Shop, new_page: Visits) -> None:
    page = shop.open(new_page)
    new_page.expect("503: PUT", "401: POST")
    puts: list[str] = []

    def fail_first(route: Route) -> None:
        if route.request.method != "PUT":
            route.continue_()
            return
        puts.append(route.request.url)
        if len(puts) == 1:
            route.fulfill(status=503, headers={"Access-Control-Allow-Origin": shop.site.url})
        else:
            route.continue_()

    page.route("**/uploads/**", fail_first)
    choose(page, photo("kitchen.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    assert len(puts) == 2
    assert puts[0] == puts[1], "the same place is tried again"
    shop.forget_tokens()
    choose(page, photo("bath.jpg"))
    uploaded(page, "2 of 2 photos uploaded")
    (only,) = shop.sessions()
    assert [each["filePath"] for each in value(page)["interiorFiles"]] == [
        f"uploads/{only.id}/interior-{place}" for place in range(2)
    ]
    page.get_by_role("button", name="Remove kitchen.jpg").click()
    choose(page, photo("hall.jpg"))
    uploaded(page, "2 of 2 photos uploaded")
    assert (puts[3], shop.sessions()[0].interior_count) == (puts[0], 2), "a place that was left is used again"


def test_a_server_that_forgets_the_session_gets_all_photos_in_a_new_one(shop: Shop, new_page: Visits) -> None:
    page = shop.open(new_page)
    new_page.expect("401: POST")
    choose(page, photo("kitchen.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    shop.forget_tokens()
    page.context.clear_cookies()
    choose(page, photo("bath.jpg"))
    uploaded(page, "2 of 2 photos uploaded")
    _, second = shop.sessions()
    assert value(page)["uploadSessionId"] == second.id
    assert all(each["filePath"].startswith(f"uploads/{second.id}/") for each in value(page)["interiorFiles"])


def test_files_that_cannot_be_taken_are_named_with_the_reason(shop: Shop, new_page: Visits, tmp_path: Path) -> None:
    page = shop.open(new_page)
    page.evaluate("""() => { window.told = [];
        const listen = (what, read) => document.addEventListener(what, ({detail}) => told.push(read(detail)));
        listen("brightlist-error", (detail) => `${detail.fileName}: ${detail.code}`);
        listen("brightlist-uploaded", (detail) => detail.done || detail.file.fileName);
    }""")
    large = tmp_path / "large.jpg"
    with large.open("wb") as file:
        file.truncate(60_000_000)
    choose(page, large)
    reasons = page.locator("brightlist-uploader .wrong li")
    expect(reasons).to_have_text(["large.jpg: Larger than 50 MB. Export a smaller copy."])
    choose(page, ("clip.mov", b"x"), ("empty.png", b""), ("notes.txt", b"x"))
    expect(reasons).to_have_count(3)
    assert "This is a video" in reasons.nth(0).inner_text()
    new_page.expect("415: PUT")
    choose(page, ("liar.jpg", b"%PDF-1.7 " + b"x" * 100), photo("true.jpg"))
    expect(page.locator("brightlist-uploader li.failed .state")).to_contain_text("This is a PDF")
    uploaded(page, "1 of 2 photos uploaded, 1 failed")
    accessible(page)
    assert page.locator("form").evaluate("(form) => form.checkValidity()") is False
    page.get_by_role("button", name="Remove liar.jpg").click()
    assert "liar.jpg: unsupported_media_type" in page.evaluate("told")
    assert "true.jpg" in page.evaluate("told")
    choose(page, *[(f"{number}.jpg", inside() + bytes(number)) for number in range(300)])
    expect(reasons).to_have_text(["281 photos not added: At most 20 can be uploaded here."])
    expect(page.locator("brightlist-uploader .choose")).to_be_disabled()
    uploaded(page, "20 of 20 photos uploaded")
    assert page.evaluate("told.at(-1)") is True, "all are done"


def test_elements_of_one_form_make_one_order_and_their_fallback_is_not_sent(shop: Shop, new_page: Visits) -> None:
    page = shop.open(
        new_page,
        '<brightlist-uploader name="rooms" token-url="/upload-token"><input type="file" name="fallback">'
        '</brightlist-uploader><fieldset><brightlist-uploader name="house" photo-type="exterior" max-files="1"'
        ' token-url="/upload-token" accept=".jpg"></brightlist-uploader></fieldset>',
    )
    choose(page, photo("kitchen.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    choose(page, photo("front.png"), at=1)
    expect(page.get_by_role("listitem").filter(has_text="Photos of this type are not taken here.")).to_be_visible()
    choose(page, photo("front.jpg"), at=1)
    expect(page.locator("brightlist-uploader").nth(1).locator(".done")).to_have_count(1)
    sent = page.evaluate("() => Object.fromEntries(new FormData(form))")
    assert [*sent] == ["rooms", "house"]
    rooms, house = (json.loads(each) for each in sent.values())
    assert rooms["uploadSessionId"] == house["uploadSessionId"] == shop.sessions()[0].id
    assert ([*rooms], [*house]) == (["uploadSessionId", "interiorFiles"], ["uploadSessionId", "exteriorFiles"])
    page.evaluate("() => { document.querySelector('fieldset').disabled = true; }")
    expect(page.locator("brightlist-uploader").nth(1).locator(".choose")).to_be_disabled()
    expect(page.get_by_role("button", name="Remove front.jpg")).to_be_disabled()
    page.evaluate("() => form.reset()")
    assert (value(page), value(page, 1)) == (None, None)


def test_without_permission_the_page_says_so_in_words(shop: Shop, new_page: Visits) -> None:
    token = shop.world.people[Who.CUSTOMER].post("/client-tokens", {"expiresIn": 60}).json["token"]
    page = shop.open(new_page, f'<brightlist-uploader token="{token}"></brightlist-uploader>')
    new_page.expect("401: POST", "404: POST", "answers an API key")
    shop.forget_tokens(2)
    choose(page, photo("kitchen.jpg"))
    expect(page.locator("brightlist-uploader .state")).to_contain_text("Your permission to upload has ended.")
    fresh = shop.world.people[Who.CUSTOMER].post("/client-tokens", {}).json["token"]
    page.locator("brightlist-uploader").evaluate("(each, token) => each.setAttribute('token', token)", fresh)
    page.get_by_role("button", name="Retry kitchen.jpg").click()
    uploaded(page, "1 of 1 photo uploaded")
    key = json.dumps({"token": shop.world.people[Who.CUSTOMER].secret})
    page.route("**/leak", lambda route: route.fulfill(body=key, content_type="application/json"))
    for address in ("/nowhere", "/leak"):
        page.evaluate(
            """(address) => { const made = document.createElement("brightlist-uploader");
            made.setAttribute("token-url", address);
            document.querySelector("main").replaceChildren(made); }""",
            address,
        )
        choose(page, photo("bath.jpg"))
        expect(page.locator("brightlist-uploader .state")).to_contain_text(
            "This page gave no permission to upload."
        )


class Gate:
    """Holds the requests of one method to an address, until they may go on."""

    def __init__(self, page: Page, url: str, method: str) -> None:
        self.held: list[Route] = []
        self.is_shut, self._method = True, method
        page.route(url, self._pass_or_hold)

    def open(self) -> None:
        self.is_shut = False
        for each in self.held:
            each.continue_()

    def await_held(self, page: Page, count: int = 1) -> None:
        deadline = time.monotonic() + 10
        while len(self.held) < count:
            assert time.monotonic() < deadline
            page.evaluate("() => new Promise(requestAnimationFrame)")

    def _pass_or_hold(self, route: Route) -> None:
        if self.is_shut and route.request.method == self._method:
            self.held.append(route)
        else:
            route.continue_()


def paths(page: Page) -> dict[str, str]:
    """The place of each file that the element sends with its form, by the file's name."""
    return {each["fileName"]: each["filePath"] for each in value(page)["interiorFiles"]}


def test_a_file_is_named_by_the_place_to_which_it_was_sent(shop: Shop, new_page: Visits) -> None:
    page = shop.open(new_page)
    choose(page, photo("kitchen.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    gate = Gate(page, "**/api/v1/uploads", "POST")
    choose(page, photo("bath.jpg"))
    gate.await_held(page)
    page.get_by_role("button", name="Remove kitchen.jpg").click()
    uploaded(page, "1 of 1 photo uploaded")
    gate.open()
    choose(page, photo("hall.jpg"))
    uploaded(page, "2 of 2 photos uploaded")
    (only,) = shop.sessions()
    assert paths(page) == {
        "bath.jpg": f"uploads/{only.id}/interior-0",
        "hall.jpg": f"uploads/{only.id}/interior-1",
    }


def test_a_photo_on_its_way_as_the_session_changes_is_sent_again_in_the_new_one(
    shop: Shop, new_page: Visits
) -> None:
    page = shop.open(new_page)
    new_page.expect("401: POST")
    gate = Gate(page, "**/uploads/**", "PUT")
    choose(page, photo("kitchen.jpg"))
    gate.await_held(page)
    shop.forget_tokens()
    page.context.clear_cookies()
    choose(page, photo("bath.jpg"))
    gate.await_held(page, 2)
    gate.open()
    uploaded(page, "2 of 2 photos uploaded")
    _, second = shop.sessions()
    assert {each.rpartition("/")[0] for each in paths(page).values()} == {f"uploads/{second.id}"}


def test_what_was_asked_for_before_a_reset_is_not_used_after_it(shop: Shop, new_page: Visits) -> None:
    made = shop.world.people[Who.CUSTOMER].post("/client-tokens", {}).json
    page = shop.open(
        new_page,
        f'<brightlist-uploader token="{made["token"]}" token-url="/upload-token"></brightlist-uploader>'
        '</form><form id="other">',
    )
    choose(page, photo("kitchen.jpg"))
    uploaded(page, "1 of 1 photo uploaded")
    page.evaluate("() => form.reset()")
    gate = Gate(page, "**/api/v1/uploads", "POST")
    choose(page, photo("bath.jpg"))
    gate.await_held(page)
    page.evaluate("() => form.reset()")
    choose(page, photo("hall.jpg"))
    gate.open()
    uploaded(page, "1 of 1 photo uploaded")
    first, second, third = (each.id for each in shop.sessions())
    assert (first, third) == (made["uploadSessionId"], value(page)["uploadSessionId"])
    assert paths(page) == {"hall.jpg": f"uploads/{third}/interior-0"}
    assert second != third
    page.evaluate("() => document.getElementById('other').append(document.querySelector('brightlist-uploader'))")
    page.wait_for_function("() => document.querySelector('brightlist-uploader').busy")
    uploaded(page, "1 of 1 photo uploaded")
    assert paths(page) == {"hall.jpg": f"uploads/{first}/interior-1"}, "another form is another order"
    assert value(page)["uploadSessionId"] == first
