"""Section "Credit account": the balance and whose it is."""

from decimal import Decimal

import pytest

from tests.conformance.shapes import is_number
from tests.conftest import PHOTO, Api, new_api


def test_it_has_exactly_the_fields_of_the_interface(api: Api) -> None:
    answer = api.get("/user/credits")
    assert answer.status_code == 200
    assert answer.json == {
        "livemode": True,
        "credits": 100,
        "profile": {"name": "Jo Agent", "email": "jo@example.com"},
    }


@pytest.mark.parametrize("amount", ["0", "0.5", "0.01", "12345678.99", "3.10"])
def test_the_balance_is_an_exact_number(app, container, amount: str) -> None:
    balance = new_api(app, container, "pat@example.com", amount).get("/user/credits").json["credits"]
    assert is_number(balance)
    assert Decimal(str(balance)) == Decimal(amount)


def test_an_order_lowers_the_balance_by_its_cost(api: Api) -> None:
    cost = api.order(interior=[PHOTO])["creditCost"]
    assert cost == 0.5
    assert api.credits() == 99.5


def test_each_account_sees_its_own_balance(api: Api, other_api: Api) -> None:
    api.order(interior=[PHOTO])
    assert other_api.get("/user/credits").json["credits"] == 100
    assert other_api.get("/user/credits").json["profile"]["email"] == "kim@example.com"
