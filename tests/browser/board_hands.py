"""What one does on the photo board, in whichever manner one uses a browser."""

from collections.abc import Callable

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.hands import Keyboard, Mouse
from tests.browser.world import inside

# Settles once htmx has put in the answer to the next change that is sent.
_NEXT_ANSWER = """() => { window.answered = new Promise((done) => {
  document.addEventListener("htmx:afterSettle", function look(event) {
    if (event.detail.requestConfig?.verb !== "post") return;
    document.removeEventListener("htmx:afterSettle", look);
    done();
  });
}); }"""


def photo_file(name: str, content: bytes | None = None, media_type: str = "image/jpeg") -> FilePayload:
    """A file to be chosen; without a content it has one of its own."""
    return {
        "name": name,
        "mimeType": media_type,
        "buffer": inside() + name.encode() if content is None else content,
    }


def answered(page: Page, act: Callable[[], None], live: bool = True) -> None:
    """Do something that changes the board, and wait until it shows the change."""
    if not live:
        with page.expect_navigation():
            act()
        return
    page.evaluate(_NEXT_ANSWER)
    act()
    page.evaluate("() => window.answered")


def shot(page: Page, name: str) -> Locator:
    """The photo of this name."""
    return page.locator(".shot").filter(has=page.locator(".shot-name", has_text=name))


def names(page: Page) -> list[str]:
    """The names of the photos, sorted or not, in their order."""
    return page.locator("[data-shots] .shot-name").all_inner_texts()


def pick(page: Page, hands: Keyboard | Mouse, *wanted: str) -> None:
    """Select these photos."""
    for name in wanted:
        hands.tick(shot(page, name).locator("input"))


def press_in_menu(page: Page, hands: Keyboard | Mouse, menu: str, button: str, live: bool = True) -> None:
    """Open a menu of the toolbar and press a button in it."""
    hands.press(page.locator(f"#{menu} > summary"))
    target = page.locator(f"#{menu}").get_by_role("button", name=button, exact=True)
    answered(page, lambda: hands.press(target), live)


def choose_for_all(page: Page, hands: Keyboard | Mouse, label: str, live: bool = True) -> None:
    """Tick an effect for all photos of its kind."""
    box = page.locator("#effects").get_by_label(label, exact=True)
    folded = page.locator("#effects details:not([open])").filter(has=page.get_by_label(label, exact=True))
    if folded.count():
        hands.press(folded.locator("summary"))
    if live:
        answered(page, lambda: hands.tick(box))
    else:
        hands.tick(box)
        answered(page, lambda: hands.press(page.locator("#save-effects")), live=False)


def add_photos(page: Page, hands: Keyboard | Mouse, *files: FilePayload, live: bool = True) -> None:
    """Hand files over, and wait until they are there."""
    hands.hand_over(page.locator("#photos-files"), *files)
    if live:
        word = "photo" if len(files) == 1 else "photos"
        expect(page.locator("#status")).to_contain_text(f"{len(files)} of {len(files)} {word} uploaded")
        for file in files:
            expect(shot(page, file["name"])).to_be_visible()
    else:
        answered(page, lambda: hands.press(page.get_by_role("button", name="Upload the photos")), live=False)


def sort_all(page: Page, kind: str = "interior") -> None:
    """Say of all photos that nobody has looked at yet what they show."""
    answered(page, page.locator(f"[id^=sort-waiting-{kind}], [id^=sort-{kind}-]").first.click)
    expect(page.locator("[data-shots=waiting]")).to_have_count(0)


def sort(page: Page, hands: Keyboard | Mouse, kind: str, *wanted: str, live: bool = True) -> None:
    """Say what these photos show."""
    pick(page, hands, *wanted)
    press_in_menu(page, hands, "menu-more", f"Move to {kind}", live)
    for name in wanted:
        if live:
            hands_off = shot(page, name).locator("input")
            hands_off.uncheck() if isinstance(hands, Mouse) else hands.tick(hands_off)
