"""The wizard asks where a property is advertised, and tells before the order what is barred there."""

import pytest
from sqlalchemy import select

from app.container import Container
from app.models import Draft, Job
from tests.portal.orders.wizard import at_enhancements, at_review, draft_of, tick, with_address
from tests.portal.person import Person

OUTSIDE = (0, 1)


def newest(container: Container) -> Job | None:
    with container.database.read_session() as session:
        return session.scalars(select(Job).order_by(Job.created_at.desc())).first()


def at_lawn(person: Person) -> None:
    """An order for a green lawn outside."""
    form = at_enhancements(person, *OUTSIDE).forms["effects"]
    tick(form, "exterior", ["grass_enhancement"])
    person.send(form)


def choose(person: Person, container: Container, region: str = "CA", **chosen: str) -> None:
    """Say where the person's draft is advertised."""
    form = person.open(f"/drafts/{draft_of(person, container).id}/address").forms["step"]
    form["region"] = region
    for name, value in chosen.items():
        form[name] = value
    person.send(form)


def test_the_law_follows_the_state_and_the_review_says_what_the_listing_must_say(
    person: Person, container: Container
) -> None:
    at_review(person, *OUTSIDE)
    choose(person, container, mls="sdmls")
    page = person.open(f"/properties/{draft_of(person, container).id}")
    assert "Advertised on: SDMLS (California)." in " ".join(page.text.split())
    told = [" ".join(each.text.split()) for each in page.html.select("#told-part li")]
    assert told[0].startswith("California, Business and Professions Code 10140.8: “Digitally altered”")
    assert "in the caption and not in the picture" in told[1]
    assert not page.html.select("#accepts_barred")
    person.send(page.forms["place"])
    job = newest(container)
    assert (job.listing.jurisdiction, job.listing.mls, job.listing.accepted) == ("california", "sdmls", ())


def test_what_is_barred_is_placed_only_knowingly_and_that_is_kept(person: Person, container: Container) -> None:
    at_lawn(person)
    choose(person, container, mls="crmls")
    page = person.open(f"/properties/{draft_of(person, container).id}")
    assert "Users cannot add, remove, or modify any real part" in page.html.select_one("#accepts_barred").text
    refused = person.send(page.forms["place"], status=422)
    assert refused.html.select_one(".summary a")["href"].endswith("#accept-barred")
    assert newest(container) is None
    form = refused.forms["place"]
    form["accepts_barred"] = True
    assert "Your order is placed" in person.send(form).text
    (accepted,) = newest(container).listing.accepted
    assert (accepted.rule, accepted.enhancement) == ("crmls", "grass_enhancement")


def test_what_is_barred_where_it_is_advertised_stands_beside_each_enhancement(
    person: Person, container: Container
) -> None:
    at_lawn(person)
    draft = draft_of(person, container)
    path = f"/properties/{draft.id}"
    assert not person.open(path).html.select(".barred"), "no listing service is chosen yet"
    choose(person, container, mls="crmls")
    with container.database.read_session() as session:
        photo_id = session.get_one(Draft, draft.id).photos[0].id
    for page in (person.open(path), person.open(f"/drafts/{draft.id}/photos/{photo_id}")):
        marked = {
            box.select_one("input")["value"]: box.select_one(".barred")
            for box in page.html.select(".enhancement")
            if box.select(".barred")
        }
        # The board also has the effects for rooms.
        assert set(marked) - {"virtual_renovation"} == {"grass_enhancement"}
        words = " ".join(marked["grass_enhancement"].text.split())
        assert words.startswith("Barred by CRMLS “Users cannot add, remove, or modify any real part")
        told = page.html.select_one("input[value=grass_enhancement]")["aria-describedby"]
        assert marked["grass_enhancement"]["id"] in told.split()


def test_the_listing_service_of_the_last_order_is_chosen_already(person: Person, container: Container) -> None:
    at_review(person, *OUTSIDE)
    choose(person, container, mls="bright")
    person.send(person.open(f"/properties/{draft_of(person, container).id}").forms["place"])
    page = person.post("/drafts")
    assert page.forms["step"]["mls"].value == "bright"
    assert page.forms["step"]["jurisdiction"].value == ""
    assert "Bright MLS" in page.html.select_one("#listing:not([open]) > summary").text


@pytest.mark.parametrize(("law", "kept"), [("european-union", "european-union"), ("new-york", "")])
def test_a_law_that_was_chosen_is_kept_for_the_next_order_unless_an_address_tells_it(
    person: Person, container: Container, law: str, kept: str
) -> None:
    at_review(person, *OUTSIDE)
    choose(person, container, region="CA", jurisdiction=law)
    person.send(person.open(f"/properties/{draft_of(person, container).id}").forms["place"])
    assert person.post("/drafts").forms["step"]["jurisdiction"].value == kept


@pytest.mark.parametrize("name", ["mls", "jurisdiction"])
def test_a_rule_that_is_not_in_the_list_is_refused_at_its_field(
    person: Person, container: Container, name: str
) -> None:
    with_address(person)
    path = f"/drafts/{draft_of(person, container).id}/address"
    form = person.open(path).forms["step"]
    form[name].force_value("atlantis")
    page = person.send(form, status=422)
    assert "from the list" in page.html.select_one(f"#listing[open] #{name}-error").text


def test_ordering_again_keeps_where_it_was_advertised(person: Person, container: Container) -> None:
    at_review(person, *OUTSIDE)
    choose(person, container, region="CA", mls="sdmls", jurisdiction="european-union")
    person.send(person.open(f"/properties/{draft_of(person, container).id}").forms["place"])
    job = newest(container)
    assert job.listing.jurisdiction == "european-union"
    person.post(f"/orders/{job.id}/again")
    form = person.open(f"/drafts/{draft_of(person, container).id}/address").forms["step"]
    assert (form["mls"].value, form["jurisdiction"].value) == ("sdmls", "european-union")
