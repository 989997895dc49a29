"""GET /prices: what enhancements and packs cost, and the estimate of any order, with scripts and without."""

from decimal import Decimal
from itertools import product
from unittest.mock import patch
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask import Flask
from webtest import TestResponse

from app.adapters.generative_http import ImagesEditServer
from app.container import Container
from app.domain import credit_packs
from app.domain.amounts import amount, money
from app.domain.catalog import ENTRIES, ServiceType
from app.domain.credit_packs import PACKS, offer
from app.domain.order_files import MAX_PHOTOS
from app.domain.pricing import make_priced_photo, quote
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.options import OPTIONS
from tests.conftest import Api
from tests.portal.person import Person
from tests.portal.programs import api_of

PLAIN = {"service": "both", "exterior": "2", "interior": "3", "changes": "2"}


def asking(*enhancements: Enhancement, **fields: str) -> str:
    return "/prices?" + urlencode({**PLAIN, **fields, "enhancement": [*enhancements]}, doseq=True)


def lines(page: TestResponse) -> list[list[str]]:
    return [[cell.text for cell in row.select("th, td")] for row in page.html.select("#estimate tbody tr")]


def total(page: TestResponse) -> str:
    return page.html.select_one("#estimate tfoot td").text.replace(",", "")


def faults(page: TestResponse) -> list[str]:
    return [link["href"].removeprefix("#") for link in page.html.select(".summary a")]


def test_every_enhancement_stands_there_with_the_price_an_order_charges(stranger: Person) -> None:
    page = stranger.open("/prices")
    found = page.html.select("section[aria-labelledby^=prices-] tr")
    rows = {row.select_one("th").contents[0].strip(): row.text for row in found}
    for entry in ENTRIES.values():
        alone = quote([make_priced_photo(entry.id)]).credits
        assert entry.effect in rows[entry.label]
        assert f"{amount(alone)} credit" in rows[entry.label]
    assert "1.5 credits a property" in rows[ENTRIES[Enhancement.TWILIGHT].label]
    assert "a change" in rows[ENTRIES[Enhancement.RENOVATION].label]
    text = page.text
    assert "Two or more of these together cost 2 credits" in text
    assert "twilight adds 0.5 credits" in text


def test_every_price_says_what_may_be_chosen_with_it(stranger: Person) -> None:
    page = stranger.open("/prices")
    rows = {
        row.select_one("th").contents[0].strip(): row.text
        for row in page.html.select("section[aria-labelledby^=prices-] tr")
    }
    assert "Dusk: early or deep." in rows[ENTRIES[Enhancement.TWILIGHT].label]
    assert "Sky: clear, light clouds or warm." in rows[ENTRIES[Enhancement.SKY].label]
    included = page.html.select_one("section[aria-labelledby=included]").text
    for option in OPTIONS:
        chosen = list(option.choices.values())[1].effect
        if option.is_for_all:
            assert f"{option.label}, if you like. {chosen}" in included
        else:
            assert chosen not in included
            assert all(f"{option.label}: " in rows[ENTRIES[each].label] for each in option.enhancements)


def test_every_pack_stands_there_with_its_price_for_each_credit(stranger: Person) -> None:
    rows = [row.text for row in stranger.open("/prices").html.select("section[aria-labelledby=packs] tbody tr")]
    assert len(rows) == len(PACKS)
    for row, pack in zip(rows, PACKS, strict=True):
        assert f"{amount(pack.credits)} credits" in row
        assert money(pack.price_cents) in row
        assert money(pack.cents_each) in row


@pytest.fixture
def program(person: Person, app: Flask, container: Container) -> Api:
    return api_of(person, app, container)


OUTSIDE = ((Enhancement.GRASS,), (Enhancement.TWILIGHT, Enhancement.SKY), (Enhancement.GOLDEN_HOUR,))
INSIDE = (
    (Enhancement.HDR,),
    (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.DECLUTTER),
    (Enhancement.RENOVATION, Enhancement.FLAMBIENT),
)


def test_the_estimate_is_what_the_api_quotes(stranger: Person, program: Api, subtests: pytest.Subtests) -> None:
    for service, (outside, inside) in product(ServiceType, zip(OUTSIDE, INSIDE, strict=True)):
        with subtests.test(service=service, outside=outside, inside=inside):
            wanted: dict[str, object] = {"serviceType": service}
            if service.covers(PhotoType.EXTERIOR):
                wanted |= {"exteriorCount": 2, "exteriorEnhancements": outside}
            if service.covers(PhotoType.INTERIOR):
                wanted |= {"interiorCount": 3, "interiorEnhancements": inside}
                if Enhancement.RENOVATION in inside:
                    entry = {"changeType": "floor", "changeDescription": "Oak boards", "referenceText": "Oak"}
                    wanted["renovations"] = {str(index): [entry, entry] for index in range(3)}
            quoted = program.post("/orders/quote", json=wanted).json
            page = stranger.open(asking(*outside, *inside, service=service))
            assert total(page) == amount(Decimal(str(quoted["creditCost"])))
            assert [line[0] for line in lines(page)] == [line["label"] for line in quoted["lines"]]
            assert money(offer(Decimal(str(quoted["creditCost"]))).price_cents) in page.text


def test_a_form_without_scripts_asks_and_keeps_what_was_asked(stranger: Person) -> None:
    form = stranger.open("/prices").forms["ask"]
    form["exterior"], form["service"] = "7", ServiceType.EXTERIOR.value
    form.set("enhancement", True, index=[*ENTRIES].index(Enhancement.TWILIGHT))
    page = stranger.send(form)
    assert total(page) == "2.5"
    assert page.html.select_one("#exterior")["value"] == "7"
    assert page.html.select_one('[name="service"][checked]')["value"] == ServiceType.EXTERIOR
    assert total(stranger.open(f"/prices?{urlsplit(page.request.url).query}")) == "2.5"


def test_nothing_asked_shows_an_example(stranger: Person) -> None:
    page = stranger.open("/prices?utm_source=mail")
    assert total(page) == "7"
    assert not faults(page)


WRONG = {
    "no service": ({"service": ""}, ["service"]),
    "unknown service": ({"service": "roof"}, ["service"]),
    "no count": ({"exterior": ""}, ["exterior"]),
    "none outside": ({"exterior": "0"}, ["exterior"]),
    "none inside": ({"interior": "0"}, ["interior"]),
    "too many": ({"interior": str(MAX_PHOTOS + 1)}, ["interior"]),
    "far too many": ({"interior": "9" * 5000}, ["interior"]),
    "negative": ({"interior": "-3"}, ["interior"]),
    "broken": ({"interior": "2.5"}, ["interior"]),
    "other digits": ({"interior": "\u0663"}, ["interior"]),
    "script": ({"interior": "<script>x</script>"}, ["interior"]),
    "no change": ({"changes": "0"}, ["changes"]),
    "too many changes": ({"changes": "21"}, ["changes"]),
    "no number of changes": ({"changes": "many"}, ["changes"]),
    "nothing chosen": ({"enhancement": []}, ["for-exterior", "for-interior"]),
    "unknown enhancement": ({"enhancement": ["levitation"]}, ["for-exterior", "for-interior"]),
    "all wrong": ({"exterior": "x", "interior": "y", "changes": "z"}, ["exterior", "interior"]),
}


def test_bad_input_is_told_where_it_is_and_kept(stranger: Person, subtests: pytest.Subtests) -> None:
    enhancements = [Enhancement.GRASS, Enhancement.RENOVATION]
    for name, (fields, wrong) in WRONG.items():
        with subtests.test(name):
            query = urlencode({**PLAIN, "enhancement": enhancements, **fields}, doseq=True)
            page = stranger.open(f"/prices?{query}", 422)
            assert faults(page) == wrong
            assert page.html.title.text.startswith("Error: ")
            assert page.html.select_one("#estimate tfoot") is None
            for id in wrong:
                assert page.html.select_one(f"#{id}")
                assert page.html.select_one(f"#{id}-error").text.startswith("Error: ")
            for field in fields.keys() - {"service", "enhancement"}:
                assert page.html.select_one(f"#{field}")["value"] == fields[field]
            # Until it is put right the button alone asks, so that no error outlives its cause.
            assert not page.html.select("[data-hx-get]")


def test_what_the_service_does_not_cover_is_not_judged_and_not_charged(stranger: Person) -> None:
    page = stranger.open(asking(Enhancement.GRASS, Enhancement.HDR, service=ServiceType.EXTERIOR, interior="bad"))
    assert total(page) == "1"
    page = stranger.open(asking(Enhancement.GRASS, Enhancement.HDR, service=ServiceType.INTERIOR, exterior="bad"))
    assert total(page) == "1.5"


def test_public_imagery_makes_an_exterior_order_without_photos_possible(
    stranger: Person, container: Container
) -> None:
    path = asking(Enhancement.GRASS, service=ServiceType.EXTERIOR, exterior="0")
    assert faults(stranger.open(path, 422)) == ["exterior"]
    container.imagery = object()
    page = stranger.open(path)
    assert total(page) == "1"
    assert "public imagery" in page.html.select_one("#exterior-hint").text


def test_htmx_gets_the_estimate_alone_and_the_address_that_keeps_it(stranger: Person) -> None:
    path = asking(Enhancement.GRASS, Enhancement.HDR)
    part = stranger.fragment(path)
    assert not part.html.select("h1, form")
    assert total(part) == "2.5"
    kept = part.headers["HX-Replace-Url"]
    assert parse_qs(urlsplit(kept).query) == parse_qs(urlsplit(path).query)
    assert total(stranger.open(kept)) == "2.5"
    assert total(stranger.fragment(f"{path}&endpoint=x&_external=1&_anchor=%0d%0a")) == "2.5"
    wrong = stranger.fragment(asking(Enhancement.GRASS, interior="x"))
    assert "HX-Replace-Url" not in wrong.headers
    assert "Enter how many interior photos" in wrong.html.select_one("#estimate").text


def test_warnings_of_the_quote_are_told(stranger: Person) -> None:
    page = stranger.open(asking(Enhancement.TWILIGHT, Enhancement.GOLDEN_HOUR, Enhancement.STAGING))
    warned = page.html.select_one(".warned").text
    assert "only twilight shows" in warned
    assert "Staging adds furniture to what is there" in warned


def test_the_largest_order_has_a_price(stranger: Person) -> None:
    most = {"service": ServiceType.INTERIOR, "interior": str(MAX_PHOTOS), "changes": "20"}
    inside = [each.id for each in ENTRIES.values() if each.group is PhotoType.INTERIOR]
    page = stranger.open(asking(*inside, **most))
    assert total(page) == f"{Decimal(50) * (Decimal('0.5') * 3 + 2 + 20):.0f}"
    assert money(offer(Decimal(total(page))).price_cents) in page.html.select_one("#estimate").text


def test_more_credits_than_are_sold_at_once_have_no_price_in_money(stranger: Person) -> None:
    with patch.object(credit_packs, "MAX_CREDITS", Decimal(2)):
        page = stranger.open(asking(Enhancement.GRASS, Enhancement.HDR))
    assert total(page) == "2.5"
    assert "$" not in page.html.select_one("#estimate").text


def test_what_is_mostly_declined_without_a_picture_server_says_so_beside_its_price(
    stranger: Person, container: Container
) -> None:
    def told() -> list[str]:
        rows = stranger.open("/prices").html.select("section[aria-labelledby=prices-interior] tbody tr")
        return [row.th.text for row in rows if "most photos are declined" in row.text]

    assert told() == [ENTRIES[each].label for each in (Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL)]
    container.generative = ImagesEditServer("https://pictures.example/v1", None, "drawn")
    assert told() == []
