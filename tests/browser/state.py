"""One page in one state: who looks, where, and what they did there."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.visits import Visits
from tests.browser.world import Day, Who, World


def nothing(_: Page) -> None:
    """Only look."""


@dataclass(frozen=True)
class State:
    """One page in one state. `path` may name what was seeded: {jobs[approved]}, {drafts[full]}, {photos[full][1]},
    {links[reset]}.

    `act` is done on the page, by no other means than a visitor without scripts has; `heavy` pages are
    reference works, whose weight has a bar of their own, and those whose script is `modules` have one of requests.
    An act that is `refused` is told so within the page, where scripts run.
    """

    name: str
    path: str
    who: Who = Who.NOBODY
    day: Day = Day.BUSY
    act: Callable[[Page], None] = nothing
    status: int = 200
    heavy: bool = False
    modules: bool = False
    refused: bool = False

    def open(self, worlds: dict[Day, World], visits: Visits, **options: object) -> Page:
        """A window that shows it."""
        page = worlds[self.day].window(visits, self.who, **options)
        self.arrive(worlds, page)
        return page

    def arrive(self, worlds: dict[Day, World], page: Page) -> None:
        """Bring a window of theirs there."""
        world = worlds[self.day]
        path = self.path.format(jobs=world.jobs, drafts=world.drafts, photos=world.photos, links=world.links)
        answer = page.goto(world.site.url + path)
        assert answer is not None
        assert answer.status == self.status, f"{answer.status} {path}"
        self.act(page)

    def __str__(self) -> str:
        return self.name


def press(name: str) -> Callable[[Page], None]:
    """Press a button of the page's own."""

    def act(page: Page) -> None:
        page.get_by_role("main").get_by_role("button", name=name).first.click()
        page.wait_for_load_state()

    return act


def send(name: str) -> Callable[[Page], None]:
    """Press a button whose form is sent after the page's script has made it ready."""

    def act(page: Page) -> None:
        with page.expect_navigation():
            page.get_by_role("main").get_by_role("button", name=name, exact=True).click()

    return act


def follow(name: str) -> Callable[[Page], None]:
    """Follow a link of the page's own."""

    def act(page: Page) -> None:
        page.get_by_role("main").get_by_role("link", name=name).first.click()
        page.wait_for_load_state()

    return act


def spoil(button: str) -> Callable[[Page], None]:
    """Press a button of a form whose token is another's."""

    def act(page: Page) -> None:
        page.locator("main [name=csrf_token]").first.evaluate("(token) => { token.value = 'forged'; }")
        press(button)(page)

    return act


def tick(button: str, name: str) -> Callable[[Page], None]:
    """Tick a box by name and press a button."""

    def act(page: Page) -> None:
        page.locator(f"main [name={name}]").check()
        press(button)(page)

    return act


def fill(button: str, **fields: str) -> Callable[[Page], None]:
    """Fill in fields by name and press a button."""

    def act(page: Page) -> None:
        for name, text in fields.items():
            page.locator(f"main [name={name}]").fill(text)
        press(button)(page)

    return act


def unfold(id: str, button: str = "") -> Callable[[Page], None]:
    """Open what is folded up in a part of the page, and press a button in it if one is named."""

    def act(page: Page) -> None:
        page.locator(f"#{id} summary").click()
        if button:
            # Its answer may be a page, or a part of this one.
            with page.expect_response(lambda response: response.request.method == "POST"):
                page.locator(f"#{id}").get_by_role("button", name=button).click()
            page.wait_for_load_state()

    return act
