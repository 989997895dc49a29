"""All states through a few windows: one for each person, with scripts and without, opened once and used again."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from tests.browser import axe, bars
from tests.browser.bars import DESKTOP, Faults
from tests.browser.scales import Scales
from tests.browser.state import State
from tests.browser.visits import Visits
from tests.browser.world import Day, Who, World

LIVELY: dict[str, Any] = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "no-preference"}


@dataclass
class Hung:
    """A state as it hangs there: the page, its weight, and what went wrong on the way to it."""

    page: Page
    scales: Scales
    problems: list[str]


@dataclass
class Gallery:
    """Shows states one after another. `worlds`: where they are; `sources`: the HTML of those shown, by state."""

    worlds: dict[Day, World]
    visits: Visits
    sources: dict[str, str] = field(default_factory=dict)
    _windows: dict[tuple[Day, Who, bool], tuple[Page, Scales]] = field(default_factory=dict)

    def show(self, state: State, scripts: bool = True) -> Hung:
        """The state in its person's window, which is as wide, light and lively as at first."""
        page, scales = self._window(state, scripts)
        page.set_viewport_size(DESKTOP)
        if scripts:
            page.emulate_media(**LIVELY)
        if state.who is Who.NOBODY:
            page.context.clear_cookies()
        known = len(self.visits.problems())
        state.arrive(self.worlds, page)
        self.sources[state.name] = scales.source()
        problems = self.visits.problems()[known:]
        if state.refused and scripts:
            [told] = [each for each in problems if each.startswith("422: POST")]
            problems.remove(told)
        return Hung(page, scales, problems)

    def faults(self, state: State) -> Faults:
        """Every bar that the state does not clear, and how."""
        hung = self.show(state)
        found = {
            "weight": hung.scales.too_much(self.sources[state.name], heavy=state.heavy, modules=state.modules),
            "browser": hung.problems,
        }
        found |= judged(hung.page)
        return {bar: faults for bar, faults in found.items() if faults}

    def faults_without_scripts(self, state: State) -> Faults:
        """What of it is not whole where no script runs."""
        hung = self.show(state, scripts=False)
        found = {"browser": hung.problems} | judged_without_scripts(hung.page)
        return {bar: faults for bar, faults in found.items() if faults}

    def sources_of(self, states: list[State]) -> dict[str, str]:
        """Their HTML; what was shown a moment ago is not shown again."""
        for state in states:
            if state.name not in self.sources:
                self.show(state, scripts=False)
        return {state.name: self.sources[state.name] for state in states}

    def _window(self, state: State, scripts: bool) -> tuple[Page, Scales]:
        key = (state.day, state.who, scripts)
        if key not in self._windows:
            page = self.worlds[state.day].window(self.visits, state.who, java_script_enabled=scripts)
            page.add_init_script(bars.COUNT_SHIFTS + axe.source())
            self._windows[key] = page, Scales(page)
        return self._windows[key]


def judged(page: Page) -> Faults:
    """What is wrong with a page that has just come up; leaves it in forced colours and without movement."""
    found = bars.at_first(page)
    found["access"] = axe.violations(page)
    found["width"] += bars.too_narrow(page)
    page.set_viewport_size(DESKTOP)
    found["focus"] = bars.unseen_focus(page)
    found["colours"] = axe.bad_colours(page)
    found["movement"] = bars.moving(page)
    return found


def judged_without_scripts(page: Page) -> Faults:
    """What is wrong with a page that has just come up where no script runs; leaves it narrow."""
    found = bars.without_scripts(page)
    found["width"] += bars.too_narrow(page)
    return found
