"""People at browsers, as the tests of the portal have them."""

from tests.leftovers import leaves_no_process, leaves_no_thread
from tests.portal.conftest import new_person, person, reviewer, stranger

__all__ = ["leaves_no_process", "leaves_no_thread", "new_person", "person", "reviewer", "stranger"]
