"""Every page of results, money, webhooks and staff clears the same bars as those of orders."""

import pytest

from tests import databases
from tests.browser.gallery import Gallery
from tests.browser.state import State
from tests.browser.states import BUSINESS

pytestmark = pytest.mark.skipif(bool(databases.GIVEN), reason="how pages look does not depend on the database")


@pytest.mark.parametrize("state", BUSINESS, ids=str)
def test_it_is_light_wide_enough_for_all_still_and_accessible_and_whole_without_scripts(
    gallery: Gallery, state: State
) -> None:
    assert gallery.faults(state) == {}
    assert gallery.faults_without_scripts(state) == {}
