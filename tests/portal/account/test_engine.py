"""Owners choose which engine makes their pictures, and see which one that is, on the page and by the API."""

from datetime import timedelta

from sqlalchemy import select

from app.container import Container
from app.domain.catalog import ENTRIES
from app.domain.engines import EngineChannel, EngineDescription
from app.models import Activity, Organization
from app.services import engine_releases
from engine.messages import PROTOCOL
from engine.version import engine_version
from tests import reading
from tests.conftest import Api
from tests.portal.person import Person

PATH = "/account/engine"
OLD, NEXT = "0.12.0+4567cdef", "0.13.0+0123abcd"


def name_stable(container: Container) -> None:
    """OLD is stable, and NEXT is announced."""
    with container.database.unit_of_work() as session:
        now = container.clock()
        for version in (OLD, NEXT):
            engine_releases.add(
                session, "/opt/python", EngineDescription(PROTOCOL, version, frozenset(ENTRIES), {}), now
            )
        engine_releases.announce(session, OLD, now.date(), now)
        engine_releases.announce(session, NEXT, now.date() + timedelta(days=20), now)


def choose(person: Person, channel: str) -> str:
    form = person.open(PATH).forms["engine-form"]
    form["channel"] = channel
    page = person.send(form)
    assert "Your choice is saved." in page.text
    assert page.forms["engine-form"]["channel"].value == channel
    return page.text


def test_the_latest_engine_is_chosen_at_first_and_the_account_page_leads_there(
    person: Person, container: Container
) -> None:
    page = person.open("/account")
    assert "The latest engine" in page.html.select_one("[aria-labelledby=engine]").text
    page = person.open(page.html.select_one(f'main a[href="{PATH}"]')["href"])
    assert page.forms["engine-form"]["channel"].value == "latest"
    assert f"Now: {engine_version()}" in page.text
    assert "no release is named stable, so the latest engine is used, and it changes without notice" in page.text


def test_a_choice_is_kept_and_who_made_it_is_told_to_owners(person: Person, container: Container) -> None:
    name_stable(container)
    text = choose(person, "stable")
    assert f"Now: {OLD}" in text
    assert f"From Dec 10, 2026, 00:00 UTC on, {NEXT} is the stable engine." in " ".join(
        person.open(PATH).html.select_one(".notice").text.split()
    )
    organization = reading.one(container, Organization, person.account_id)
    assert organization.engine_channel is EngineChannel.STABLE
    assert "The stable engine" in person.open("/account").text
    told = reading.first(container, select(Activity).order_by(Activity.id.desc()))
    assert told.about == "Engine: stable"
    assert "Engine: stable" in person.open("/account/activity").text
    document = person.send(person.open("/account").forms["download-data"]).json
    assert document["account"]["engineChannel"] == "stable"
    choose(person, "latest")


def test_nothing_else_can_be_chosen(person: Person, container: Container) -> None:
    form = person.open(PATH).forms["engine-form"]
    form["channel"].force_value("moon")
    page = person.send(form, status=422)
    assert "Choose one." in page.text
    assert reading.one(container, Organization, person.account_id).engine_channel is EngineChannel.LATEST


def test_the_catalog_says_which_engine_new_orders_get(api: Api, container: Container) -> None:
    assert api.get("/catalog").json["engine"] == {"channel": "latest", "version": engine_version()}
    name_stable(container)
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).engine_channel = EngineChannel.STABLE
    told = api.get("/catalog").json["engine"]
    assert told == {
        "channel": "stable",
        "version": OLD,
        "next": {"version": NEXT, "startsAt": "2026-12-10T00:00:00.000Z"},
    }
