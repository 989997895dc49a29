"""GET /api/v1/catalog: what it says is what orders take and are charged; it is sent again only once it changed."""

from decimal import Decimal

from app.domain.catalog import ENTRIES
from app.domain.pricing import make_priced_photo, quote
from engine.types.enhancements import Enhancement, PhotoType
from tests.conftest import Api

PATH = "/catalog"


def test_its_prices_are_those_of_quotes(api: Api) -> None:
    catalog = api.get(PATH).json
    assert [each["id"] for each in catalog["enhancements"]] == list(ENTRIES)
    base = catalog["exteriorPrice"]
    for each in catalog["enhancements"]:
        told = each["creditsPerPhoto"] + each["extraCreditsPerProperty"]
        told += base["one"] if each["group"] == PhotoType.EXTERIOR else 0
        assert quote([make_priced_photo(Enhancement(each["id"]))]).credits == Decimal(str(told)), each["id"]
    both = quote([make_priced_photo(Enhancement.SKY, Enhancement.GRASS)]).credits
    assert (base["one"], base["twoOrMore"]) == (1, both)


def test_every_value_of_every_option_is_taken_by_orders(api: Api) -> None:
    for each in api.get(PATH).json["enhancements"]:
        for option in each["options"]:
            assert option["default"] in [value["value"] for value in option["values"]]
            for value in option["values"]:
                group, chosen = each["group"], {option["name"]: value["value"]}
                body = {"serviceType": group, f"{group}Count": 1, f"{group}Enhancements": [each["id"]]}
                body["options"] = chosen
                if each["id"] == "virtual_renovation":
                    body["renovations"] = {"0": [{"changeType": "floor", "changeDescription": "light oak"}]}
                assert api.post("/orders/quote", body).status_code == 200


def test_it_is_sent_once_until_it_changes(api: Api) -> None:
    first = api.get(PATH)
    again = api.client.get(
        f"/api/v1{PATH}", headers={"Authorization": f"Bearer {api.secret}", "If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")
    assert "no-cache" in first.headers["Cache-Control"]
    assert "private" in first.headers["Cache-Control"]
    assert api.get(PATH, headers={"If-None-Match": 'W/"other"'}).json == first.json
