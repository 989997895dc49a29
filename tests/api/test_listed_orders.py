"""`listing`: where a property is advertised, asked once and told everywhere; and the rules themselves."""

import json
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from flask import Flask

from app.container import Container
from app.domain.disclosure.rule_files import all_rules
from app.models import Job
from tests import reading
from tests.conftest import PHOTO, Api, develop, order_body, work
from tests.fakes import FakeClock

LOS_ANGELES = "12 Garden Lane, Los Angeles, CA 90001"


def body(api: Api, **fields) -> dict:
    wanted = {"address": LOS_ANGELES, "exteriorEnhancements": ["grass_enhancement", "sky_enhancement"], **fields}
    return {**order_body(interior=False, exterior=True), **wanted, **api.upload(exterior=[PHOTO])}


def test_without_a_listing_the_law_of_the_address_holds_and_nothing_is_barred(api: Api, container) -> None:
    order = api.post("/orders/from-uploads", body(api)).json
    assert order["listing"] == {"jurisdiction": "california"}
    (asset,) = order["assets"]
    assert [(each["rule"], each["words"], each["treatment"]) for each in asset["disclosures"]] == [
        ("california", "Digitally altered", "required")
    ]
    listing = reading.one(container, Job, order["jobId"]).listing
    assert (listing.jurisdiction, listing.mls, listing.accepted) == ("california", None, ())


def test_what_a_service_bars_is_refused_and_charges_nothing_until_it_is_ordered_knowingly(
    api: Api, container: Container
) -> None:
    wanted = body(api, listing={"mls": "crmls"})
    refused = api.post("/orders/from-uploads", wanted)
    assert refused.status_code == 400
    assert refused.json["details"] == {
        "listing.acceptsBarred": "CRMLS, rule 11.5.2 bars grass_enhancement. To order it anyway, send true."
    }
    assert api.credits() == 100
    order = api.post("/orders/from-uploads", {**wanted, "listing": {"mls": "crmls", "acceptsBarred": True}}).json
    assert order["listing"] == {"jurisdiction": "california", "mls": "crmls"}
    treatments = {each["rule"]: each["treatment"] for each in order["assets"][0]["disclosures"]}
    assert treatments == {"california": "required", "crmls": "barred"}
    (accepted,) = reading.one(container, Job, order["jobId"]).listing.accepted
    assert (accepted.rule, accepted.enhancement) == ("crmls", "grass_enhancement")
    assert accepted.version == all_rules()["crmls"].version


@pytest.mark.parametrize(
    ("listing", "where", "said"),
    [
        ({"mls": "crlms"}, "listing.mls", "Did you mean crmls?"),
        ({"mls": "california"}, "listing.mls", "Must be one of: bay-east,"),
        ({"jurisdiction": "crmls"}, "listing.jurisdiction", "Must be one of: australia,"),
        ({"mls": ""}, "listing.mls", "Must be one of"),
        ({"mls": 7}, "listing.mls", "Must be text."),
        ({"acceptsBarred": "yes"}, "listing.acceptsBarred", "Must be true or false."),
        ({"MLS": "crmls"}, "listing.MLS", "Unknown field. Did you mean mls?"),
        ("crmls", "listing", "Must be an object."),
    ],
)
def test_a_listing_that_cannot_be_read_is_refused_by_its_field(api: Api, listing, where: str, said: str) -> None:
    refused = api.post("/orders/from-uploads", body(api, listing=listing))
    assert (refused.status_code, list(refused.json["details"])) == (400, [where])
    assert said in refused.json["details"][where]


def test_a_listing_of_null_is_none(api: Api) -> None:
    order = api.post("/orders/from-uploads", body(api, listing=None, address="Plot 7")).json
    assert order["listing"] == {"jurisdiction": "elsewhere"}


def test_the_status_says_what_is_to_be_told_of_which_photos(api: Api) -> None:
    wanted = {**order_body(interior=True, exterior=True), **api.upload(interior=[PHOTO, PHOTO], exterior=[PHOTO])}
    wanted["photoConfigs"] = [{"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]}]
    job_id = api.post("/orders/from-uploads", {**wanted, "listing": {"mls": "bay-east"}}).json["jobId"]
    told = api.status(job_id)["disclosures"]
    assert [(each["rule"], each["disclosure"], each["words"], each["photos"]) for each in told] == [
        ("elsewhere", "digitally_altered", "Digitally altered", [{"type": "exterior", "index": 0}]),
        ("elsewhere", "virtually_staged", "Virtually staged", [{"type": "interior", "index": 1}]),
        ("bay-east", "digitally_altered", "Digitally altered", [{"type": "exterior", "index": 0}]),
        ("bay-east", "virtually_staged", "Digitally altered", [{"type": "interior", "index": 1}]),
    ]


def test_a_quote_warns_of_what_is_barred_in_the_rules_words_and_refuses_nothing(api: Api) -> None:
    asked = {
        **order_body(interior=True, exterior=True),
        "address": LOS_ANGELES,
        "listing": {"mls": "crmls"},
        "exteriorCount": 1,
        "interiorCount": 1,
        "exteriorEnhancements": ["grass_enhancement"],
    }
    quote = api.post("/orders/quote", asked).json
    (warning,) = quote["warnings"]
    assert warning.startswith("CRMLS, rule 11.5.2 bars green lawn: Users cannot")
    outside, inside = quote["photos"]
    assert [each["rule"] for each in outside["disclosures"]] == ["california", "crmls"]
    assert (inside["type"], inside["index"], inside["disclosures"]) == ("interior", 0, [])


def test_results_come_with_caption_reso_value_and_every_file_there_is(api: Api, app: Flask, container) -> None:
    order = api.post("/orders/from-uploads", body(api, listing={"mls": "smartmls"})).json
    work(container)
    assert develop(container)
    found = api.get(f"/downloads/{order['jobId']}").json
    assert found["listing"] == {"jurisdiction": "california", "mls": "smartmls"}
    (image,) = found["images"]
    assert (image["caption"], image["mediaAlteration"]) == ("Digitally altered", ["VirtualEnhancements"])
    urls = {each["variant"]: each["url"] for each in image["variants"]}
    assert list(urls) == ["original", "base", "altered", "labeled"]
    assert app.test_client().get(urls["labeled"]).data.endswith(b"Digitally altered")


def test_where_words_in_pictures_are_forbidden_there_is_no_labeled_file(api: Api, container) -> None:
    chosen = {"listing": {"mls": "mls-now"}, "exteriorEnhancements": ["sky_enhancement"]}
    order = api.post("/orders/from-uploads", body(api, **chosen)).json
    work(container)
    assert develop(container)
    (image,) = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert image["caption"] == "Digitally altered"
    assert [each["variant"] for each in image["variants"]] == ["original", "base", "altered"]


def test_a_multipart_order_has_its_listing_as_json(api: Api) -> None:
    fields = {
        "address": LOS_ANGELES,
        "serviceType": "exterior",
        "exteriorEnhancements": '["sky_enhancement"]',
        "listing": json.dumps({"mls": "sdmls"}),
    }
    order = api.post("/orders", data={**fields, "exteriorPhoto0": (BytesIO(PHOTO), "front.jpg")})
    assert order.status_code == 200, order.text
    assert order.json["listing"] == {"jurisdiction": "california", "mls": "sdmls"}


def test_anybody_may_read_the_rules(app: Flask) -> None:
    client = app.test_client()
    rules = client.get("/api/v1/rules").json["rules"]
    assert {each["id"] for each in rules} == all_rules().keys()
    assert [each["kind"] for each in rules] == sorted(each["kind"] for each in rules)
    one = client.get("/api/v1/rules/crmls")
    assert one.json == next(each for each in rules if each["id"] == "crmls")
    assert one.json["effects"]["grass_enhancement"]["treatment"] == "barred"
    assert one.json["effects"]["sky_enhancement"]["certainty"] == "inferred"
    assert client.get("/api/v1/rules/atlantis").json["code"] == "not_found"


def test_a_rule_that_begins_later_says_so_until_its_day_and_then_no_more(app: Flask, clock: FakeClock) -> None:
    client = app.test_client()

    def read(rule_id: str) -> dict[str, Any]:
        one = client.get(f"/api/v1/rules/{rule_id}").json
        assert one in client.get("/api/v1/rules").json["rules"]
        return one

    clock.now = datetime(2026, 12, 1, 23, 59, tzinfo=UTC)
    assert [each["begun"] for each in read("european-union")["changes"]] == [False]
    clock.now = datetime(2026, 12, 2, tzinfo=UTC)
    assert [each["begun"] for each in read("european-union")["changes"]] == [True]
    assert read("wisconsin")["stage"] == "enacted"
    clock.now = datetime(2027, 1, 1, tzinfo=UTC)
    assert (read("wisconsin")["stage"], read("wisconsin")["inForce"]) == ("in_force", "2027-01-01")
    assert read("new-jersey")["stage"] == "bill"


def test_a_bill_is_no_law_that_an_order_can_name(api: Api) -> None:
    refused = api.post("/orders/quote", {**order_body(), "listing": {"jurisdiction": "new-jersey"}})
    assert refused.status_code == 400
    assert "listing.jurisdiction" in refused.json["details"]
