"""Credits bought at a provider on another origin: with scripts, without, and by keyboard alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from app.models import Organization
from app.services import audit
from app.services.orders import drafts
from tests import reading, stripe_server
from tests.browser.hands import Keyboard, Mouse
from tests.browser.traveller import WAYS
from tests.browser.visits import Visits
from tests.browser.world import Who, World, living
from tests.stripe_answers import KEY, SECRET, fails
from tests.stripe_server import StripeServer

EVENTS = "/payments/stripe"
every_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture
def stripe() -> Iterator[StripeServer]:
    with stripe_server.running() as server:
        yield server


@pytest.fixture
def world(tmp_path: Path, database_url: str, stripe: StripeServer) -> Iterator[World]:
    """A world whose credits are sold through the payment server, which tells it of payments."""
    keys = {"stripe_secret_key": KEY, "stripe_webhook_secret": SECRET, "demo_payments": None}
    addresses = {"stripe_url": stripe.url, "stripe_checkout_url": stripe.origin}
    with living(tmp_path / "data", database_url, **keys, **addresses) as world:
        stripe.webhook_url = world.site.url + EVENTS
        world.person(Who.CUSTOMER, "1")
        yield world
        with world.container.database.read_session() as session:
            assert list(audit.find_mismatches(session, world.container.storage)) == []


@dataclass
class Buyer:
    """Somebody who buys credits."""

    world: World
    page: Page
    hands: Keyboard | Mouse
    live: bool

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    @property
    def heading(self) -> Locator:
        return self.main.get_by_role("heading", level=1)

    def press(self, role: str, name: str) -> None:
        with self.page.expect_navigation():
            self.hands.press(self.main.get_by_role(role, name=name, exact=True))

    def at_the_provider(self, name: str) -> None:
        """A button of the payment page, which is theirs to make fit for a keyboard."""
        with self.page.expect_navigation():
            self.main.get_by_role("button", name=name, exact=True).click()

    def choose(self, amount: str, query: str = "") -> None:
        self.page.goto(f"/credits{query}")
        self.hands.tick(self.page.locator("#pack-other"))
        self.hands.write(self.page.get_by_label("Number of credits"), amount)
        self.press("button", "Buy credits")
        expect(self.heading).to_contain_text("Pay $")

    def balance(self) -> Decimal:
        return reading.one(self.world.container, Organization, self.world.people[Who.CUSTOMER].account_id).credits


def buyer(world: World, visits: Visits, way: str) -> Buyer:
    hands, live = WAYS[way]
    page = world.window(visits, Who.CUSTOMER, java_script_enabled=live)
    return Buyer(world, page, hands(page), live)


@every_way
def test_what_an_order_lacks_is_bought_and_the_order_goes_on(
    way: str, world: World, stripe: StripeServer, new_page: Visits
) -> None:
    who = buyer(world, new_page, way)
    with world.container.database.unit_of_work() as session:
        quota, account_id = world.container.upload_quota, world.people[Who.CUSTOMER].account_id
        draft_id = drafts.begin(session, account_id, quota, world.clock()).id
    who.page.goto(f"/credits?credits=7.5&draft={draft_id}")
    expect(who.page.locator("#pack-other")).to_be_checked()
    who.press("button", "Buy credits")
    expect(who.heading).to_have_text("Pay $9.00")
    assert who.page.url.startswith(stripe.origin)
    who.at_the_provider("Pay")
    expect(who.heading).to_have_text("7.5 credits bought")
    expect(who.page.locator("#balance")).to_contain_text("8.5 credits")
    expect(who.main.get_by_role("link", name="Continue your order")).to_have_attribute(
        "href", f"/properties/{draft_id}#basket"
    )
    assert who.balance() == Decimal("8.5")


@every_way
def test_a_declined_card_and_turning_back_keep_the_choice(
    way: str, world: World, stripe: StripeServer, new_page: Visits
) -> None:
    who = buyer(world, new_page, way)
    who.choose("7.5")
    who.at_the_provider("Fail")
    expect(who.main.get_by_role("alert")).to_have_text("Your card was declined.")
    who.main.get_by_role("link", name="Cancel").click()
    who.page.wait_for_url("**/credits?credits=7.5*")
    expect(who.page.locator("#pack-other")).to_be_checked()
    expect(who.page.get_by_label("Number of credits")).to_have_value("7.5")
    who.press("button", "Buy credits")
    who.at_the_provider("Pay")
    expect(who.heading).to_have_text("7.5 credits bought")
    assert (who.balance(), len(stripe.sessions)) == (Decimal("8.5"), 2)


def test_a_message_that_is_lost_is_made_up_for_by_coming_back(
    world: World, stripe: StripeServer, new_page: Visits
) -> None:
    who, stripe.webhook_url = buyer(world, new_page, "without scripts"), None
    who.choose("10")
    who.at_the_provider("Pay")
    expect(who.heading).to_have_text("10 credits bought")
    assert who.balance() == 11


@pytest.mark.parametrize("way", ["with scripts", "without scripts"])
def test_a_message_that_is_late_is_waited_for(
    way: str, world: World, stripe: StripeServer, new_page: Visits
) -> None:
    who, stripe.webhook_url = buyer(world, new_page, way), None
    who.choose("10")
    stripe.troubles = [fails(500)] * 1000  # it cannot be asked either
    who.at_the_provider("Pay")
    expect(who.heading).to_have_text("Waiting for your payment to be confirmed")
    stripe.webhook_url = world.site.url + EVENTS
    assert stripe.send(stripe.events[-1]).status_code == 200
    if not who.live:
        who.press("link", "Refresh")
    expect(who.heading).to_have_text("10 credits bought")
    expect(who.page.locator("#balance")).to_contain_text("11 credits")
    if who.live:
        expect(who.page.locator("#status")).to_contain_text("Paid.")
        expect(who.page.locator("#purchase")).not_to_have_attribute("data-hx-get", "")


def test_a_bank_that_takes_its_time(world: World, stripe: StripeServer, new_page: Visits) -> None:
    who = buyer(world, new_page, "by keyboard alone")
    who.choose("10")
    who.at_the_provider("Pay later")
    expect(who.heading).to_have_text("Waiting for your bank")
    (session_id,) = stripe.sessions
    stripe.arrive(session_id)
    who.press("link", "Refresh")
    expect(who.heading).to_have_text("10 credits bought")


def test_the_button_pressed_twice_is_one_purchase(world: World, stripe: StripeServer, new_page: Visits) -> None:
    who = buyer(world, new_page, "with scripts")
    who.page.goto("/credits")
    who.main.get_by_role("button", name="Buy credits").dblclick()
    expect(who.heading).to_have_text("Pay $55.00")
    assert len(stripe.sessions) == 1


def test_the_policy_of_any_other_page_would_stop_the_form(
    world: World, stripe: StripeServer, new_page: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = buyer(world, new_page, "with scripts")
    monkeypatch.setattr("app.portal.credits.purchase_form.allow_form_to", lambda _: None)
    new_page.expect("form-action")
    who.page.goto("/credits")
    with who.page.expect_console_message(lambda said: "form-action" in said.text):
        who.main.get_by_role("button", name="Buy credits").click()
    assert who.page.url.startswith(world.site.url)
