"""All states through a few windows: one for each person, with scripts and without, opened once and used again."""

from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests.browser.bars import Scales
from tests.browser.state import State
from tests.browser.visits import Visits
from tests.browser.world import Day, Who, World

DESKTOP = {"width": 1280, "height": 800}


@dataclass
class Hung:
    """A state as it hangs there: the page, its weight, and what went wrong on the way to it."""

    page: Page
    scales: Scales
    problems: list[str]


@dataclass
class Gallery:
    """Shows states one after another. `worlds`: where they are; `sources`: HTML that was kept, by state."""

    worlds: dict[Day, World]
    visits: Visits
    sources: dict[str, str] = field(default_factory=dict)
    _windows: dict[tuple[Day, Who, bool], tuple[Page, Scales]] = field(default_factory=dict)

    def show(self, state: State, scripts: bool = True) -> Hung:
        """The state in its person's window, which is as wide, light and lively as at first."""
        page, scales = self._window(state, scripts)
        page.set_viewport_size(DESKTOP)
        page.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="no-preference")
        if state.who is Who.NOBODY:
            page.context.clear_cookies()
        known = len(self.visits.problems())
        state.arrive(self.worlds, page)
        return Hung(page, scales, self.visits.problems()[known:])

    def _window(self, state: State, scripts: bool) -> tuple[Page, Scales]:
        key = (state.day, state.who, scripts)
        if key not in self._windows:
            page = self.worlds[state.day].window(self.visits, state.who, java_script_enabled=scripts)
            self._windows[key] = page, Scales(page)
        return self._windows[key]
