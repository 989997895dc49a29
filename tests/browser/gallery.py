"""All states through a few windows: one for each person, with scripts and without, opened once and used again."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from tests.browser import axe, bars
from tests.browser.bars import DESKTOP, Faults
from tests.browser.known import Known, bare_traits, mark, traits
from tests.browser.scales import Scales
from tests.browser.state import State, nothing
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
    """Shows states one after another. `worlds`: where they are; `sources`: the HTML of those shown, by state;
    `known`: what of their pages was judged.
    """

    worlds: dict[Day, World]
    visits: Visits
    sources: dict[str, str] = field(default_factory=dict)
    known: Known = field(default_factory=Known)
    _windows: dict[tuple[Day, Who, bool], tuple[Page, Scales]] = field(default_factory=dict)

    def show(self, state: State, scripts: bool = True) -> Hung:
        """The state in its person's window, which is as wide, light and lively as at first."""
        page, scales = self._window(state, scripts)
        if page.viewport_size != DESKTOP:
            page.set_viewport_size(DESKTOP)
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
        source = self.sources[state.name]
        found = {
            "weight": hung.scales.too_much(source, heavy=state.heavy, modules=state.modules),
            "browser": hung.problems,
        }
        found |= judged(hung.page, self.known)
        return {bar: faults for bar, faults in found.items() if faults}

    def faults_without_scripts(self, state: State) -> Faults:
        """What of it is not whole where no script runs, once it was judged with scripts. It is shown only where
        something may be otherwise than with scripts, and than on pages before it.
        """
        page, _ = self._window(state, scripts=True)
        bare = bare_traits(page, self.sources[state.name])
        acts_otherwise = state.modules and state.act is not nothing
        if bare <= self.known.bare and not acts_otherwise:
            return {}
        hung = self.show(state, scripts=False)
        found = {"browser": hung.problems} | judged_without_scripts(hung.page)
        if not any(found.values()):
            self.known.bare |= bare
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
            page.add_init_script(bars.COUNT_SHIFTS)
            self._windows[key] = page, Scales(page)
        return self._windows[key]


def judged(page: Page, known: Known) -> Faults:
    """What is wrong with a page that has just come up; what is like those before it is not judged again.

    A page without fault is added to what is known. It may be left narrow.
    """
    found = bars.at_first(page)
    shown = traits(page)
    looks = {axe.LIGHT: mark(page, known.looks[axe.LIGHT])}
    is_new = not shown <= known.shown
    if is_new or looks[axe.LIGHT]:
        found["access"] = axe.judged(page, only_colors=not is_new)
    if is_new:
        found["focus"] = bars.unseen_focus(page)
    if is_new or looks[axe.LIGHT]:
        found["colors"] = axe.bad_colors(page, known, looks)
    if is_new:
        found["movement"] = bars.moving(page)
    if is_new or looks[axe.LIGHT]:
        page.emulate_media(**LIVELY)
    if is_new:
        found["width"] += bars.too_narrow(page)
    if not any(found.values()):
        known.learn(shown, looks)
    return found


def judged_without_scripts(page: Page) -> Faults:
    """What is wrong with a page that has just come up where no script runs; leaves it narrow."""
    found = bars.without_scripts(page)
    found["width"] += bars.too_narrow(page)
    return found
