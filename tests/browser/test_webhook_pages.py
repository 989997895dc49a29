"""A webhook from its address to a redelivery: with scripts, without, and by keyboard alone; a receiver answers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import Locator, Page, expect
from standardwebhooks import Webhook

from tests import receivers
from tests.browser.hands import Keyboard, Mouse
from tests.browser.traveller import WAYS
from tests.browser.visits import Visits
from tests.browser.world import Who, World, living
from tests.receivers import Visit
from tests.services.hooks import deliver_all
from tests.waiting import PATIENCE_SECONDS

REPLY = b"taken, <b>thank you</b>"
DEADLINE_SECONDS = 60
"""Seconds that an answer may take: while one is held back, a busy machine shows a page."""


@pytest.fixture
def private(tmp_path: Path, database_url: str) -> Iterator[World]:
    """A world that may send to this machine, where the receiver is."""
    settings = {"allow_private_webhooks": True, "webhook_deadline_seconds": DEADLINE_SECONDS}
    with living(tmp_path / "data", database_url, **settings) as world:
        yield world


@dataclass
class Journey:
    """One person on the way. `live`: whether pages change by themselves."""

    world: World
    page: Page
    hands: Keyboard | Mouse
    live: bool

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    def press(self, role: str, name: str) -> None:
        """Press a button or a link of the page's own, and come to the next page."""
        with self.page.expect_navigation():
            self.hands.press(self.main.get_by_role(role, name=name))

    def send(self) -> None:
        """The senders' work."""
        deliver_all(self.world.container)

    def create(self, url: str) -> str:
        """Add a webhook, and take its secret along."""
        self.page.goto("/webhooks")
        self.press("link", "Add your first webhook")
        self.hands.write(self.page.get_by_label("Address of your receiver"), "https://10.0.0.8/")
        self.press("button", "Add the webhook")
        expect(self.main.get_by_role("alert")).to_contain_text("The address is not allowed")
        self.hands.write(self.page.get_by_label("Address of your receiver"), url)
        self.press("button", "Add the webhook")
        secret = self.page.get_by_label("Signing secret").input_value()
        if self.live:
            self.hands.press(self.main.get_by_role("button", name="Copy", exact=True))
            expect(self.page.locator("#status")).to_have_text("Copied")
            assert self.page.evaluate("() => navigator.clipboard.readText()") == secret
        self.press("link", "I have saved it")
        expect(self.main).not_to_contain_text(secret)
        return secret

    def test_event(self) -> None:
        """Send one, and see its answer where it was sent from, or on the delivery's page."""
        self.hands.press(self.main.get_by_role("button", name="Send test event"))
        if self.live:
            answer = self.page.locator("#outcome")
            expect(answer).to_contain_text("Waiting")
            self.send()
            expect(answer).to_contain_text("Delivered 200")
            expect(self.page.locator("#status")).to_contain_text("Test event: Delivered")
            self.press("link", "Open the delivery")
            return
        self.send()
        self.press("link", "Refresh")

    def look(self) -> None:
        """What came back, and what was sent."""
        expect(self.page.locator("h1")).to_have_text("webhook.test")
        expect(self.main).to_contain_text("Delivered 200")
        expect(self.page.get_by_role("region", name="Body of the response")).to_have_text(REPLY.decode())
        self.press("link", "Request")
        expect(self.main).to_contain_text("X-Service-Signature")
        expect(self.page.get_by_role("region", name="Body of the request", exact=True)).to_contain_text(
            "webhook.test"
        )

    def redeliver(self) -> None:
        self.press("button", "Redeliver")
        expect(self.main).to_contain_text("Sent again")
        self.send()
        if not self.live:
            self.press("link", "Refresh")
        expect(self.page.locator("#attempt-2")).to_have_text("2, by hand")
        expect(self.page.locator(".title")).to_contain_text("Delivered 200")

    def find_in_log(self) -> None:
        self.press("link", "Deliveries to")
        rows = self.main.locator("tbody tr")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("2, by hand")
        self.hands.choose(self.page.get_by_label("Result"), "Failed")
        self.press("button", "Show")
        expect(self.main).to_contain_text("Nothing matches")


@pytest.mark.parametrize("way", WAYS)
def test_a_webhook_is_added_tried_looked_into_and_redelivered(way: str, private: World, new_page: Visits) -> None:
    hands, live = WAYS[way]
    private.person(Who.CUSTOMER)
    page = private.window(new_page, Who.CUSTOMER, java_script_enabled=live)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    journey = Journey(private, page, hands(page), live)
    with receivers.running(receivers.answering(200, body=REPLY)) as receiver:
        secret = journey.create(receiver.url)
        journey.test_event()
        journey.look()
        journey.redeliver()
        journey.find_in_log()
        first, again = receiver.requests
    assert first.body == again.body
    assert first.header("x-service-delivery") == again.header("x-service-delivery")
    assert again.header("x-service-redelivery") == "true"
    for each in (first, again):
        # The library reads the machine's own clock, so what it signs is compared.
        signature = Webhook(secret).sign(each.header("webhook-id"), private.clock(), each.body.decode())
        assert each.header("webhook-signature") == signature
    assert json.loads(first.body)["event"] == "webhook.test"


def watched(private: World, new_page: Visits, url: str) -> Page:
    """A customer who looks at a webhook of theirs."""
    private.person(Who.CUSTOMER)
    page = private.window(new_page, Who.CUSTOMER)
    Journey(private, page, Mouse(page), live=False).create(url)
    return page


def test_a_delivery_under_way_is_followed_until_it_ends_and_the_focus_stays(
    private: World, new_page: Visits
) -> None:
    asked, free = Event(), Event()

    def slow(visit: Visit) -> None:
        visit.read_request()
        asked.set()
        assert free.wait(PATIENCE_SECONDS)
        visit.say(receivers.EMPTY)

    with receivers.running(slow) as receiver:
        page = watched(private, new_page, receiver.url)
        page.get_by_role("main").get_by_role("button", name="Send test event").click()
        page.get_by_role("link", name="Open the delivery").click()
        sender = Thread(target=deliver_all, args=(private.container,))
        sender.start()
        assert asked.wait(PATIENCE_SECONDS)
        page.locator("#refresh").focus()
        expect(page.locator(".title")).to_contain_text("Being sent")
        assert page.evaluate("() => document.activeElement.id") == "refresh"
        free.set()
        sender.join()
        expect(page.locator(".title")).to_contain_text("Delivered 200")
        expect(page.locator("#status")).to_contain_text("webhook.test: Delivered 200")


@pytest.mark.parametrize("look", ["", "?show=request"])
def test_nothing_hostile_in_an_answer_comes_alive(look: str, private: World, new_page: Visits) -> None:
    hostile = b"</pre><script>window.harmed = 1</script><img src=x onerror='window.harmed = 1'>"
    headers = {"X-Note": hostile.decode(), "Content-Type": "text/html"}
    with receivers.running(receivers.answering(500, headers, hostile)) as receiver:
        page = watched(private, new_page, receiver.url)
        page.get_by_role("main").get_by_role("button", name="Send test event").click()
        expect(page.locator("#outcome")).to_be_visible()
        deliver_all(private.container)
        page.goto(page.locator("#outcome-link").get_attribute("href") + look)
    expect(page.get_by_role("main")).to_contain_text("500" if look else "window.harmed")
    assert page.evaluate("() => window.harmed") is None
    assert page.locator("main img, main script").count() == 0
