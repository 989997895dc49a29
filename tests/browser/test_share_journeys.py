"""An agent shares results with a client, who answers in whichever manner they use a browser; the agent sees it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import seeds
from tests.browser.hands import Keyboard, Mouse
from tests.browser.traveller import WAYS
from tests.browser.visits import Visits
from tests.browser.world import Who, World, inside, outside


@pytest.fixture
def agent(here: World, new_page: Visits) -> Page:
    """At the results of an order of two photos."""
    here.person(Who.CUSTOMER)
    job_id = here.people[Who.CUSTOMER].order([inside()], [outside()])["jobId"]
    seeds.work(here)
    seeds.make_previews(here)
    page = here.window(new_page, Who.CUSTOMER)
    page.goto(f"/properties/{job_id}")
    return page


def press(page: Page, hands: Keyboard | Mouse, role: str, name: str | re.Pattern[str]) -> None:
    with page.expect_navigation():
        hands.press(page.get_by_role("main").get_by_role(role, name=name))


@pytest.mark.parametrize("way", WAYS)
def test_a_client_answers_and_the_agent_sees_it(agent: Page, here: World, new_page: Visits, way: str) -> None:
    press(agent, Mouse(agent), "link", "Share these pictures")
    agent.get_by_label("Title (optional)").fill("Your new photos")
    press(agent, Mouse(agent), "button", "Create link")
    url = agent.locator("main a[id$='-url']").inner_text()

    kind, live = WAYS[way]
    client = new_page(java_script_enabled=live)
    hands = kind(client)
    client.goto(url)
    expect(client.get_by_role("heading", level=1)).to_have_text("Your new photos")
    hands.press(client.locator("[data-heart='1']").first)
    expect(client.locator("[data-heart='1'][aria-pressed=true]")).to_have_count(2)
    press(client, hands, "link", "Next")
    hands.write(client.get_by_label("Comment (optional)"), "A little brighter, please.")
    press(client, hands, "button", "Save for picture 2")
    expect(client.get_by_role("main")).to_contain_text("Saved.")
    hands.tick(client.get_by_label("I ask for changes"))
    press(client, hands, "button", "Send the answer")
    expect(client.locator(".summary")).to_contain_text("Enter what should be changed.")
    hands.write(client.get_by_label("Message"), "The room a little brighter.")
    press(client, hands, "button", "Send the answer")
    expect(client.get_by_role("main")).to_contain_text("your answer is saved")
    with client.expect_download() as downloaded:
        hands.press(client.get_by_role("button", name=re.compile("^Download all")))
    assert downloaded.value.suggested_filename.endswith(".zip")
    assert client.context.cookies() == []

    agent.reload()
    for said in ("Changes requested", "The room a little brighter.", "A little brighter, please.", "Favorite"):
        expect(agent.get_by_role("main")).to_contain_text(said)
    press(agent, Mouse(agent), "button", re.compile("^Revoke"))
    answer = client.goto(url)
    assert answer is not None
    assert answer.status == 404
