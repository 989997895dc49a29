"""What stands around every page: the header that says where one is, the footer that says whom to ask."""

import re
from pathlib import Path

from flask import Flask

from app.container import Container
from app.portal import blueprints
from tests.conftest import PHOTO, work
from tests.portal.person import Person
from tests.portal.programs import api_of

HEADER = Path(__file__).parents[2] / "templates" / "layouts" / "_header.html"
WITHOUT_AREA = {
    *("front", "plain_docs", "prices", "how", "developers", "terms", "disclosure", "originals", "shared"),
    "docs_key",
    *("shared_pictures", "pictures", "public_page", "themes", "typed"),
    *("sign_in", "sign_up", "resets", "new_address", "invitations"),
}
"""Open to everybody, or no pages of their own."""


def test_every_group_of_pages_belongs_to_an_area_of_the_header() -> None:
    marked = set(re.findall(r'"(\w+)"', HEADER.read_text()))
    assert blueprints.NAMES - marked == WITHOUT_AREA


def test_pages_of_an_order_are_marked_as_orders(person: Person, app: Flask, container: Container) -> None:
    job_id = api_of(person, app, container).order([PHOTO])["jobId"]
    work(container)
    property_page = person.open(f"/properties/{job_id}")
    photo_page = person.open(property_page.html.select_one(".shot a.look")["href"])
    for page in (property_page, photo_page, person.open(f"/orders/{job_id}/evidence")):
        assert page.html.select_one('nav[aria-label="Main"] [aria-current]').text == "Orders"


def test_customers_see_whom_to_write_to_where_the_operator_said_it(person: Person, container: Container) -> None:
    assert not person.open("/prices").html.select('footer a[href^="mailto:"]')
    container.settings = container.settings.model_copy(update={"support_email": "help@example.com"})
    for page in (person.open("/prices"), person.open("/nowhere", status=404)):
        assert page.html.select_one("footer a[href='mailto:help@example.com']").text == "Support"
