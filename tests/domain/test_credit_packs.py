"""The price of credits."""

from decimal import Decimal

import pytest

from app.domain.credit_packs import MAX_CREDITS, MIN_CREDITS, PACKS, STEP, is_on_sale, offer

AMOUNTS = [STEP * number for number in range(1, int(MAX_CREDITS / STEP) + 1)]


def test_a_pack_costs_what_it_says() -> None:
    for pack in PACKS:
        assert offer(pack.credits) == pack


def test_a_credit_is_cheaper_in_every_larger_pack() -> None:
    each = [pack.cents_each for pack in PACKS]
    assert each == sorted(each, reverse=True)
    assert len(set(each)) == len(each)


def test_more_credits_never_cost_less() -> None:
    prices = [offer(amount).price_cents for amount in AMOUNTS]
    assert prices == sorted(prices)


def test_the_smallest_amount_is_one_that_cards_can_pay() -> None:
    assert offer(MIN_CREDITS).price_cents >= 50


def test_what_is_missing_costs_no_more_than_the_pack_that_holds_it() -> None:
    assert offer(Decimal("3")).price_cents == 360
    assert offer(Decimal("9.5")).price_cents == 1140
    assert offer(Decimal("49")).price_cents == 5500


@pytest.mark.parametrize("amount", ["0", "-1", "0.4", "1.25", "5000.5", "NaN", "Infinity", "1E+9"])
def test_amounts_that_are_not_on_sale(amount: str) -> None:
    assert not is_on_sale(Decimal(amount))
