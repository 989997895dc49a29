"""The whole business: sign up, buy, order, make a key, order by program, see the delivery, read the receipt."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect
from standardwebhooks import Webhook

from tests import receivers, scenes, stripe_answers, stripe_server
from tests.browser import board_hands
from tests.browser.traveller import WAYS, Traveller
from tests.browser.visits import Visits
from tests.journeys.service import Client, Service, seldom
from tests.journeys.whole import Start
from tests.receivers import Receiver, Request
from tests.waiting import ORDER_SECONDS, eventually

# With scripts and without, and every provider: which takes the money does not depend on the hands that pay. A mouse
# with scripts makes the way to an order in another journey.
JOURNEYS = [("without scripts", "demo"), ("by keyboard alone", "stripe")]
PHOTO = {"name": "front.jpg", "mimeType": "image/jpeg", "buffer": scenes.encoded(scenes.house(480, 320))}
SKY = ["sky_enhancement"]
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")
LIMITS = {"RATE_LIMIT_SIGN_INS": "1000000", "ALLOW_PRIVATE_WEBHOOKS": "1", "WELCOME_CREDITS": "0.5"}


class Customer(Traveller):
    """Somebody who builds a business on the service."""

    def fill_address(self) -> None:
        for label, text in (
            ("Street address", "12 Garden Lane"),
            ("City", "Springfield"),
            ("State or region", "IL"),
            ("ZIP or postal code", "62704"),
        ):
            self.hands.write(self.page.get_by_label(label), text)
        self.press("button", "Continue")

    def draft(self) -> None:
        """An order for one photo, up to its price, which the account cannot pay."""
        self.open("/orders")
        self.press("button", "Start your first order")
        self.fill_address()
        board_hands.add_photos(self.page, self.hands, PHOTO, live=self.live)
        board_hands.sort(self.page, self.hands, "exterior", "front.jpg", live=self.live)
        board_hands.choose_for_all(self.page, self.hands, "Blue sky", self.live)
        expect(self.main).to_contain_text("Nothing was charged")

    def buy(self, demo: bool) -> None:
        """From the order that lacks credits to a payment, and back to the order."""
        self.press("link", "Buy 0.5 credits")
        self.hands.tick(self.page.locator("#pack-50"))
        self.press("button", "Buy credits")
        expect(self.main.get_by_role("heading", level=1)).to_have_text("Pay $55.00")
        if demo:
            expect(self.main).to_contain_text("no real money")
        # The payment page is the provider's; theirs to make fit for a keyboard.
        with self.page.expect_navigation():
            self.main.get_by_role("button", name="Pay", exact=True).click()
        expect(self.main.get_by_role("heading", level=1)).to_have_text("50 credits bought")
        self.press("link", "Continue your order")

    def place(self) -> None:
        self.press("button", re.compile("^Place order for"))
        expect(self.main).to_contain_text("Your order is placed")
        done = self.main.get_by_role("button", name=re.compile("^Download all"))

        def look_again() -> bool:
            self.page.reload()
            return done.is_visible()

        done.is_visible() or eventually("the order is done", seldom(look_again), ORDER_SECONDS)

    def make_key(self) -> str:
        self.go("Developers")
        self.press("link", "Create your first key")
        self.hands.write(self.page.get_by_label("Name"), "Upload script")
        self.press("button", "Create key")
        return self.page.get_by_label("API key", exact=True).input_value()

    def add_webhook(self, url: str) -> str:
        self.go("Developers", "Webhooks")
        self.press("link", "Add your first webhook")
        self.hands.write(self.page.get_by_label("Address"), url)
        self.press("button", "Add the webhook")
        return self.page.get_by_label("Signing secret").input_value()

    def redeliver(self, delivery_id: str) -> None:
        """Find the delivery in the log, open it and send it once more."""
        self.go("Developers", "Webhooks")
        self.press("link", "127.0.0.1")
        self.press("link", "See the deliveries")
        self.press("link", delivery_id)
        expect(self.main).to_contain_text("job.created")
        self.press("button", "Redeliver")

    def read_receipt(self) -> None:
        self.go("Credits")
        self.press("link", re.compile("^Receipt [0-9]+$"))
        expect(self.main).to_contain_text(self.email)
        expect(self.main).to_contain_text("$55.00")

    def go(self, area: str, name: str = "") -> None:
        """Follow a link of the main menu, and one of its area's tabs."""
        for menu, link in (("Main", area), (area, name)) if name else (("Main", area),):
            with self.page.expect_navigation():
                self.hands.press(self.page.get_by_role("navigation", name=menu).get_by_role("link", name=link))


@contextmanager
def stripe(folder: Path, started: Start) -> Iterator[Service]:
    with stripe_server.running() as provider:
        given = {
            "STRIPE_SECRET_KEY": stripe_answers.KEY,
            "STRIPE_WEBHOOK_SECRET": stripe_answers.SECRET,
            "STRIPE_URL": provider.url,
            "STRIPE_CHECKOUT_URL": provider.origin,
        }
        with started(folder, **LIMITS, **given) as service:
            provider.webhook_url = f"{service.url}/payments/stripe"
            yield service


@pytest.fixture(scope="module")
def selling(tmp_path_factory: pytest.TempPathFactory, started: Start) -> Iterator[Service]:
    """The whole service, with Stripe to take the money."""
    with stripe(tmp_path_factory.mktemp("stripe"), started) as service:
        yield service


@pytest.fixture
def shop(provider: str, request: pytest.FixtureRequest) -> Service:
    """The whole service with that provider."""
    found: Service = request.getfixturevalue("service" if provider == "demo" else "selling")
    return found


@pytest.mark.parametrize(("way", "provider"), JOURNEYS)
def test_the_whole_business_from_the_sign_up_to_the_receipt(
    way: str, provider: str, shop: Service, new_page: Visits
) -> None:
    hands, live = WAYS[way]
    page = new_page(base_url=shop.url, java_script_enabled=live)
    customer = Customer(shop, page, hands(page), live, f"{provider}.{way.replace(' ', '.')}@example.com")
    with receivers.running(receivers.answering(204)) as receiver:
        customer.sign_up()
        customer.draft()
        customer.buy(demo=provider == "demo")
        customer.place()
        secret = customer.add_webhook(receiver.url)
        program = Client(shop.url, customer.make_key())
        files = program.upload({"exterior": [PHOTO["buffer"]]})
        placed = program.order(files, serviceType="exterior", exteriorEnhancements=SKY)
        created = heard(receiver, "job.created")
        assert placed["jobId"].encode() in created.body
        Webhook(secret).verify(created.body, {name: created.header(name) for name in SIGNED})
        customer.redeliver(created.header("x-service-delivery"))
        again = heard(receiver, "job.created", 2)
        assert again.body == created.body
        assert again.header("x-service-delivery") == created.header("x-service-delivery")
        assert again.header("x-service-redelivery") == "true"
        customer.read_receipt()
        program.settled(placed["jobId"])
        assert program.call("GET", "/user/credits")["credits"] == 48.5
    assert shop.mismatches() == []


def heard(receiver: Receiver, event: str, times: int = 1) -> Request:
    """The last of so many deliveries of the event, once they are there."""

    def look() -> Request | None:
        found = [each for each in list(receiver.requests) if each.header("x-service-event") == event]
        return found[times - 1] if len(found) >= times else None

    found = eventually(f"{times} deliveries of {event} have come", look, ORDER_SECONDS)
    assert found is not None
    return found
