"""Every answer seen in these tests must be one that the OpenAPI document promises."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.conformance.contract import Contract


@pytest.fixture
def contract(app: Flask) -> Iterator[Contract]:
    """The watch over the application's answers."""
    contract = Contract(app)
    with contract.watching():
        yield contract
    assert contract.faults == []


@pytest.fixture(autouse=True)
def _held_to_its_document(contract: Contract) -> None:
    """Every test here is watched."""
