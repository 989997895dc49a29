"""Every answer seen in these tests too must be one that the OpenAPI document promises."""

from tests.conformance.conftest import _held_to_its_document, contract

__all__ = ["_held_to_its_document", "contract"]
