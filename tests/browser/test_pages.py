"""Every page in every state clears the bars: accessible, light, narrow enough, still, whole without scripts."""

from pathlib import Path

import pytest

from tests import databases
from tests.browser import axe, bars, vnu
from tests.browser.gallery import Gallery
from tests.browser.state import State
from tests.browser.states import STATES
from tests.browser.visits import required

pytestmark = pytest.mark.skipif(bool(databases.GIVEN), reason="how pages look does not depend on the database")

every_state = pytest.mark.parametrize("state", STATES, ids=str)


@every_state
def test_it_is_light_wide_enough_for_all_still_and_accessible(state: State, gallery: Gallery) -> None:
    hung = gallery.show(state)
    faults = {
        "weight": hung.scales.too_much(heavy=state.heavy),
        "width": bars.too_wide(hung.page),
        "targets": bars.too_small(hung.page),
        "focus": bars.unseen_focus(hung.page),
        "movement": bars.moving(hung.page),
        "access": axe.violations_in_every_scheme(hung.page),
        "browser": hung.problems,
    }
    assert {bar: found for bar, found in faults.items() if found} == {}


@every_state
def test_it_is_whole_without_scripts(state: State, gallery: Gallery) -> None:
    hung = gallery.show(state, scripts=False)
    assert hung.page.locator("h1:visible").count() == 1
    gallery.sources[state.name] = hung.scales.source()
    assert bars.dead_controls(hung.page) == []
    assert bars.too_wide(hung.page) == []
    assert hung.problems == []


def test_their_html_is_valid(gallery: Gallery, tmp_path: Path) -> None:
    required("java")
    for state in STATES:
        if state.name not in gallery.sources:  # else it was seen a moment ago
            gallery.sources[state.name] = gallery.show(state, scripts=False).scales.source()
    assert vnu.faults(gallery.sources, tmp_path) == []
