"""Accessibility as axe-core sees it."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "build" / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What the schemes may differ in.
COLOURS = ("color-contrast", "link-in-text-block")
# The media features of each way to see a page.
SCHEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced colours": {"color_scheme": "light", "forced_colors": "active"},
}


@cache
def _source() -> str:
    return SOURCE.read_text() + ";void 0"


def violations(page: Page, *rules: str) -> list[str]:
    """What is wrong with the page as it stands, by these rules or by all, one line a node."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_source())  # goes past the page's CSP, as tools may
    chosen = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    options = {"runOnly": chosen, "resultTypes": ["violations"]}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}: {_reason(node)}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def violations_in_every_scheme(page: Page) -> list[str]:
    """What is wrong in light, dark and forced colours."""
    wrong = []
    page.emulate_media(reduced_motion="reduce")  # else colours are still on their way from one scheme to the next
    for name, features in SCHEMES.items():
        page.emulate_media(**features)
        wrong += [f"{name}: {each}" for each in violations(page, *(() if name == "light" else COLOURS))]
    return wrong


def _reason(node: dict[str, Any]) -> str:
    return " ".join(str(node.get("failureSummary", "")).split())[:200]
