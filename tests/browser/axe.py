"""Accessibility as axe-core sees it."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "build" / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What the schemes may differ in.
COLOURS = ("color-contrast", "link-in-text-block")
# The media features of each further way to see a page. Nothing moves, else colours are on their way to the next.
SCHEMES: dict[str, dict[str, Any]] = {
    "dark": {"color_scheme": "dark", "forced_colors": "none", "reduced_motion": "reduce"},
    "forced colours": {"color_scheme": "light", "forced_colors": "active", "reduced_motion": "reduce"},
}
# Of elements that look the same, within ancestors that look the same, one tells the contrast of all; what is placed
# over others by itself is like nothing else. In a long page this leaves some dozens of thousands of elements.
_MARK = """
const LOOKS = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight", "filter",
  "textShadow", "textDecorationLine", "mixBlendMode", "visibility", "borderBottomStyle", "forcedColorAdjust"];
const placed = (style) => ["absolute", "fixed", "sticky"].includes(style.position) || style.transform !== "none"
  || ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(style[`margin${side}`]) < 0)
  || (style.position === "relative" && ["top", "left"].some((side) => parseFloat(style[side])));
const numbers = new Map(), looks = new Map(), known = new Set();
const numbered = (text) => numbers.get(text) ?? numbers.set(text, numbers.size + 1).size;
const look = (each) => {
  if (each !== null && !looks.has(each)) {
    const style = getComputedStyle(each);
    const own = [look(each.parentElement), each.tagName, ...LOOKS.map((name) => style[name])];
    looks.set(each, numbered([...own, placed(style) ? looks.size : ""].join("|")));
  }
  return looks.get(each);
};
for (const each of document.body.querySelectorAll("*")) {
  const speaks = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  each.removeAttribute("data-tells");
  if (!speaks && !each.matches("input, select, textarea") || known.has(look(each))) continue;
  known.add(look(each));
  each.setAttribute("data-tells", "");
}
axe.configure({rules: [{id: "color-contrast", selector: "[data-tells]"}]});
"""
_RUN = f"""async (chosen) => {{ {_MARK}
const found = await axe.run(document, {{runOnly: chosen, resultTypes: ["violations"]}});
return found.violations.flatMap((rule) => rule.nodes.map((node) =>
  `${{rule.id}} (${{rule.impact}}): ${{node.target.join(" ")}}: ` +
  (node.failureSummary ?? "").replace(/\\s+/g, " ").trim().slice(0, 200))); }}"""


@cache
def source() -> str:
    """The program, which a page must have loaded before it is judged."""
    return SOURCE.read_text() + ";void 0"


def violations(page: Page) -> list[str]:
    """What is wrong with the page as it stands, one line a node."""
    return _found(page, {"type": "tag", "values": TAGS})


def bad_colours(page: Page) -> list[str]:
    """What is wrong with its colours in the dark and in forced colours; leaves the page in the last of these."""
    wrong = []
    for name, features in SCHEMES.items():
        page.emulate_media(**features)
        wrong += [f"{name}: {each}" for each in _found(page, {"type": "rule", "values": COLOURS})]
    return wrong


def _found(page: Page, chosen: dict[str, Any]) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())  # goes past the page's CSP, as tools may
    found: list[str] = page.evaluate(_RUN, chosen)
    return found
