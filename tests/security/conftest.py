"""People at browsers, as the tests of the portal have them."""

from tests.portal.conftest import new_person, person, reviewer, stranger

__all__ = ["new_person", "person", "reviewer", "stranger"]
