"""An owner invites somebody, who joins, gets another role and is removed; in whichever manner both do it."""

import re

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from app.models import Mail
from tests.browser.hands import Keyboard, Mouse
from tests.browser.traveller import WAYS
from tests.browser.visits import Visits
from tests.browser.world import PASSWORD, Who, World

SAM = "sam@example.com"


def press(page: Page, hands: Keyboard | Mouse, role: str, name: str | re.Pattern[str]) -> None:
    with page.expect_navigation():
        hands.press(page.get_by_role("main").get_by_role(role, name=name))


def mailed(here: World, to: str) -> str:
    """The link in the newest mail to the address."""
    with here.container.database.read_session() as session:
        text = session.scalars(select(Mail.text).where(Mail.to == to).order_by(Mail.created_at)).all()[-1]
    return text[text.index("http") :].split()[0]


@pytest.mark.parametrize("way", WAYS)
def test_somebody_is_invited_joins_gets_another_role_and_is_removed(
    here: World, new_page: Visits, way: str
) -> None:
    here.person(Who.CUSTOMER)
    kind, live = WAYS[way]
    owner = here.window(new_page, Who.CUSTOMER, java_script_enabled=live)
    hands = kind(owner)
    owner.goto("/account/team")
    hands.write(owner.get_by_label("E-mail address"), SAM)
    press(owner, hands, "button", "Send the invitation")
    expect(owner.locator(".summary")).to_contain_text("Choose a role.")
    hands.tick(owner.get_by_label("Orders", exact=True))
    press(owner, hands, "button", "Send the invitation")
    expect(owner.get_by_role("main")).to_contain_text(f"We sent an invitation to {SAM}")

    member = new_page(base_url=here.site.url, java_script_enabled=live)
    theirs = kind(member)
    member.goto(mailed(here, SAM))
    expect(member.get_by_role("heading", level=1)).to_have_text("Join Pat Agent")
    theirs.write(member.get_by_label("Name"), "Sam Second")
    theirs.write(member.get_by_label("Password", exact=True), PASSWORD)
    press(member, theirs, "button", "Join")
    expect(member.get_by_role("main")).to_contain_text("Your role is Orders")
    expect(member.get_by_role("button", name="Start your first order")).to_be_visible()
    expect(member.get_by_role("navigation", name="Main")).not_to_contain_text("Developers")

    owner.goto("/account/team")
    press(owner, hands, "link", "Role of Sam Second")
    hands.tick(owner.get_by_label("Read only"))
    press(owner, hands, "button", "Save the role")
    member.goto("/orders")
    expect(member.get_by_role("main")).to_contain_text("by members with the role Owner or Orders")
    expect(member.get_by_role("main").get_by_role("button")).to_have_count(0)

    press(owner, hands, "link", "Remove Sam Second")
    press(owner, hands, "button", "Remove Sam Second")
    expect(owner.get_by_role("main")).to_contain_text("Sam Second is removed and signed out.")
    member.goto("/orders")
    assert "/sign-in" in member.url
    press(owner, hands, "link", "Who did what")
    for said in ("Invited a member", "Joined the team", "Changed a role", "Removed a member"):
        expect(owner.get_by_role("main")).to_contain_text(said)
