"""Credit costs: every price rule, and that quote, charge and ledger line are one number."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conformance.shapes import ADDRESS, ledger
from tests.conftest import PHOTO, Api

EXTERIOR = ["grass_enhancement", "sky_enhancement", "golden_hour", "twilight_conversion"]
INTERIOR = ["hdr_enhancement", "flambient_enhancement", "declutter", "furniture_removal", "virtual_staging"]
CHANGE = {"changeType": "walls", "changeDescription": "Paint it white", "referenceText": "A matt white wall"}


def config(kind: str, index: int, *enhancements: str) -> dict:
    return {"photoType": kind, "photoIndex": index, "enhancements": list(enhancements)}


def price(api: Api, interior: int = 0, exterior: int = 0, **fields: object) -> float:
    """What the quote says."""
    service = "both" if interior and exterior else "interior" if interior else "exterior"
    body = {"serviceType": service, "interiorCount": interior, "exteriorCount": exterior, **fields}
    answer = api.post("/orders/quote", json=body)
    assert answer.status_code == 200, answer.text
    assert sum(line["credits"] for line in answer.json["lines"]) == answer.json["creditCost"]
    return answer.json["creditCost"]


def test_exteriors_are_priced_per_property(api: Api, subtests: pytest.Subtests) -> None:
    for photos in (1, 7):
        for enhancements, cost in (
            (["grass_enhancement"], 1),
            (["sky_enhancement"], 1),
            (["golden_hour"], 1),
            (["twilight_conversion"], 1.5),
            (["grass_enhancement", "sky_enhancement"], 2),
            (["grass_enhancement", "sky_enhancement", "golden_hour"], 2),
            (["twilight_conversion", "grass_enhancement"], 2.5),
            (EXTERIOR, 2.5),
        ):
            with subtests.test(photos=photos, enhancements=enhancements, cost=cost):
                assert price(api, exterior=photos, exteriorEnhancements=enhancements) == cost


def test_distinct_enhancements_count_over_all_exterior_photos(api: Api) -> None:
    one = [config("exterior", 0, "sky_enhancement"), config("exterior", 1, "sky_enhancement")]
    two = [config("exterior", 0, "sky_enhancement"), config("exterior", 1, "grass_enhancement")]
    dusk = [config("exterior", 0, "sky_enhancement"), config("exterior", 1, "twilight_conversion")]
    assert [price(api, exterior=2, photoConfigs=configs) for configs in (one, two, dusk)] == [1, 2, 2.5]


@pytest.mark.parametrize(
    ("enhancement", "cost"),
    [
        ("hdr_enhancement", 0.5),
        ("flambient_enhancement", 0.5),
        ("declutter", 0.5),
        ("furniture_removal", 1),
        ("virtual_staging", 1),
    ],
)
def test_interiors_are_priced_per_image(api: Api, enhancement: str, cost: float) -> None:
    assert price(api, interior=1, interiorEnhancements=[enhancement]) == cost
    assert price(api, interior=3, interiorEnhancements=[enhancement]) == 3 * cost


def test_interior_prices_add_up_per_image(api: Api) -> None:
    assert price(api, interior=2, interiorEnhancements=INTERIOR) == 7


def test_a_renovation_is_priced_per_change(api: Api) -> None:
    changes = {"0": [CHANGE], "1": [CHANGE] * 3}
    assert price(api, interior=2, interiorEnhancements=["virtual_renovation"], renovations=changes) == 4


def test_a_config_changes_the_price_of_its_photo_only(api: Api) -> None:
    configs = [config("interior", 1, "virtual_staging", "declutter")]
    assert price(api, interior=3, interiorEnhancements=["hdr_enhancement"], photoConfigs=configs) == 2.5


def test_both_groups_add_up(api: Api) -> None:
    chosen = {"interiorEnhancements": ["declutter"], "exteriorEnhancements": ["twilight_conversion"]}
    assert price(api, interior=3, exterior=2, **chosen) == 3


def test_a_quote_charges_nothing_and_is_itemized(api: Api, container) -> None:
    body = {"serviceType": "exterior", "exteriorCount": 1, "exteriorEnhancements": ["twilight_conversion"]}
    answer = api.post("/orders/quote", json=body)
    assert set(answer.json) == {"livemode", "creditCost", "lines", "warnings", "listing", "photos"}
    assert [(line["quantity"], line["unitCredits"], line["credits"]) for line in answer.json["lines"]] == [
        (1, 1, 1),
        (1, 0.5, 0.5),
    ]
    assert api.credits() == 100
    assert len(ledger(container)) == 1


def some(ids: list[str], **limits: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(ids), unique=True, min_size=1, **limits)


@st.composite
def orders(draw: st.DrawFn) -> dict:
    """A valid order for one to three photos of each type it covers."""
    kinds = draw(st.sampled_from([["interior"], ["exterior"], ["interior", "exterior"]]))
    order: dict = {"serviceType": "both" if len(kinds) == 2 else kinds[0], "photoConfigs": []}
    for kind in kinds:
        ids = EXTERIOR if kind == "exterior" else [*INTERIOR, "virtual_renovation"]
        order[f"{kind}Count"] = draw(st.integers(1, 3))
        order[f"{kind}Enhancements"] = draw(some(ids))
        own = draw(st.lists(st.integers(0, order[f"{kind}Count"] - 1), unique=True))
        order["photoConfigs"] += [config(kind, index, *draw(some(ids))) for index in own]
    order["renovations"] = {
        str(index): [CHANGE] * draw(st.integers(1, 3))
        for index in range(order.get("interiorCount", 0))
        if "virtual_renovation" in wanted(order, index)
    }
    return order


def wanted(order: dict, index: int) -> list[str]:
    """The enhancements of one interior photo."""
    for entry in order["photoConfigs"]:
        if (entry["photoType"], entry["photoIndex"]) == ("interior", index):
            return entry["enhancements"]
    return order["interiorEnhancements"]


@pytest.mark.long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(order=orders())
def test_the_quote_is_the_charge_to_the_half_credit(api: Api, container, order: dict) -> None:
    quoted = api.post("/orders/quote", json=order)
    assert quoted.status_code == 200, quoted.text
    before, lines = api.credits(), len(ledger(container))
    counts = {kind: order.pop(f"{kind}Count", 0) for kind in ("interior", "exterior")}
    files = api.upload(*([PHOTO] * count for count in counts.values()))
    placed = api.post("/orders/from-uploads", json={"address": ADDRESS, **order, **files})
    if placed.status_code == 402:
        assert placed.json["details"]["required"] == quoted.json["creditCost"] > before
        return
    assert placed.json["creditCost"] == quoted.json["creditCost"]
    debits = ledger(container)[lines:]
    assert [-line.amount for line in debits] == [Decimal(str(placed.json["creditCost"]))]
    assert Decimal(str(api.credits())) == Decimal(str(before)) + debits[0].amount
