"""Every page of visitors and orders clears the bars: accessible, light, narrow, still, whole without scripts."""

from pathlib import Path

import pytest

from tests import databases
from tests.browser import vnu
from tests.browser.gallery import Gallery
from tests.browser.state import State
from tests.browser.states import ORDERING, STATES
from tests.browser.visits import required

pytestmark = pytest.mark.skipif(bool(databases.GIVEN), reason="how pages look does not depend on the database")


@pytest.mark.parametrize("state", ORDERING, ids=str)
def test_it_is_light_wide_enough_for_all_still_and_accessible_and_whole_without_scripts(
    state: State, gallery: Gallery
) -> None:
    assert gallery.faults(state) == {}
    assert gallery.faults_without_scripts(state) == {}


def test_the_html_of_all_pages_is_valid(gallery: Gallery, tmp_path: Path) -> None:
    # Those of the other file were shown before: one checker judges them all.
    required("java")
    assert vnu.faults(gallery.sources_of(STATES), tmp_path) == []
