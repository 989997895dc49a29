"""One person on the way through the portal, in whichever manner they use a browser."""

import email
import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import Keyboard, Mouse
from tests.browser.world import PASSWORD
from tests.journeys.service import Service, seldom
from tests.waiting import eventually

WAYS: dict[str, tuple[type[Keyboard | Mouse], bool]] = {
    "with scripts": (Mouse, True),
    "without scripts": (Mouse, False),
    "by keyboard alone": (Keyboard, True),
}
"""With which hands, and whether pages change by themselves."""


@dataclass
class Traveller:
    """One person on the way. `live`: whether pages change by themselves."""

    service: Service
    page: Page
    hands: Keyboard | Mouse
    live: bool
    email: str

    def press(self, role: str, name: str | re.Pattern[str]) -> None:
        """Press a button or a link of the page's own, and come to the next page."""
        with self.page.expect_navigation():
            self.hands.press(self.main.get_by_role(role, name=name))

    def open(self, path: str) -> None:
        """Open a page, which must be there; what came in its place is told with the service's last words."""
        answer = self.page.goto(path)
        assert answer is not None
        last_words = self.service.log.read_text().splitlines()[-20:]
        assert answer.ok, "\n".join([f"{answer.status} for {path}", self.page.inner_text("body"), *last_words])

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def sign_up(self) -> None:
        self.open("/sign-up")
        self.hands.write(self.page.get_by_label("Name"), "Jo Agent")
        self.hands.write(self.page.get_by_label("E-mail address"), self.email)
        self.hands.write(self.page.get_by_label("Password", exact=True), PASSWORD)
        self.press("button", "Create account")
        expect(self.main).to_contain_text("Open the link in it to confirm your address.")
        self.open(eventually("the mail with the link lies there", seldom(self.mailed_link)))
        self.press("button", "Confirm and sign in")
        expect(self.main).to_contain_text("your account is ready")

    def mailed_link(self) -> str:
        for path in (self.service.data_dir / "mail").glob("*.eml"):
            letter = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            found = re.search(r"http\S+/sign-up/\S+", letter.get_body(("plain",)).get_content())
            if letter["To"] == self.email and found:
                return found[0]
        return ""
