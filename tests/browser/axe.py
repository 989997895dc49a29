"""Accessibility as axe-core sees it."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.known import Known, mark

SOURCE = Path(__file__).parents[2] / "build" / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What the schemes may differ in.
COLORS = ("color-contrast", "link-in-text-block")
LIGHT = "light"
# The media features of each further way to see a page. Nothing moves, else colors are on their way to the next.
SCHEMES: dict[str, dict[str, Any]] = {
    "dark": {"color_scheme": "dark", "forced_colors": "none", "reduced_motion": "reduce"},
    "forced colors": {"color_scheme": "light", "forced_colors": "active", "reduced_motion": "reduce"},
}
# Of elements that look the same one tells the contrast of all. In a long page this leaves some dozens of thousands.
_RUN = """async (chosen) => {
axe.configure({rules: [{id: "color-contrast", selector: "[data-tells]"}]});
const found = await axe.run(document, {runOnly: chosen, resultTypes: ["violations"]});
return found.violations.flatMap((rule) => rule.nodes.map((node) =>
  `${rule.id} (${rule.impact}): ${node.target.join(" ")}: ` +
  (node.failureSummary ?? "").replace(/\\s+/g, " ").trim().slice(0, 200))); }"""


@cache
def source() -> str:
    """The program, which a page must have loaded before it is judged."""
    return SOURCE.read_text() + ";void 0"


def violations(page: Page) -> list[str]:
    """What is wrong with the page as it stands, one line a node."""
    mark(page, set())
    return judged(page)


def judged(page: Page, *, only_colors: bool = False) -> list[str]:
    """What is wrong with the page whose looks are marked, or with its colors alone."""
    chosen = {"type": "rule", "values": COLORS} if only_colors else {"type": "tag", "values": TAGS}
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())  # goes past the page's CSP, as tools may
    found: list[str] = page.evaluate(_RUN, chosen)
    return found


def bad_colors(page: Page, known: Known, looks: dict[str, set[int]]) -> list[str]:
    """What is wrong with colors not `known`, in the dark and in forced colors; adds to `looks` what was judged.

    Leaves the page in the last of these.
    """
    wrong = []
    for name, features in SCHEMES.items():
        page.emulate_media(**features)
        looks[name] = mark(page, known.looks[name])
        if looks[name]:
            wrong += [f"{name}: {each}" for each in judged(page, only_colors=True)]
    return wrong
