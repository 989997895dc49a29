"""People at browsers, as the tests of the portal have them."""

from tests.leftovers import leaves_nothing
from tests.portal.conftest import new_person, person, reviewer, stranger

__all__ = ["leaves_nothing", "new_person", "person", "reviewer", "stranger"]
