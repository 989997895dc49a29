"""Money in any order: whatever moves it, the balance is what was added up, and never below zero."""

from itertools import count

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from app.container import Container
from tests.faults.money import machine

EXAMPLES = 15
STEPS = 30


def test_orders_refunds_purchases_and_revocations_in_any_order_add_up(container: Container) -> None:
    numbers = count()
    few = settings(max_examples=EXAMPLES, stateful_step_count=STEPS)
    run_state_machine_as_test(machine(container, numbers), settings=few)
    assert next(numbers) >= EXAMPLES
