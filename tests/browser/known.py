"""What was judged on earlier pages and found good: what is like it in every way is not judged again."""

from collections import defaultdict
from dataclasses import dataclass, field

from playwright.sync_api import Page

_HASHED = """const hashed = (text) => {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 2654435761);
    two = Math.imul(two ^ text.charCodeAt(at), 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0);
};
const speaks = (each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
"""
# A trait is an element with its attributes, whether it speaks and can be seen, and what it stands in; of most
# attributes only their presence counts, since their values are what the page tells. A style sheet is known by its
# address or text.
_TRAITS = f"""{_HASHED}
const TOLD = new Set(["class", "type", "role", "hidden", "open", "disabled", "checked", "scope", "tabindex", "lang",
  "autocomplete", "inputmode", "method", "style", "data-theme", "aria-hidden", "aria-current", "aria-pressed",
  "aria-expanded", "aria-invalid", "aria-disabled", "aria-live", "aria-selected", "aria-checked", "aria-sort",
  "aria-modal", "aria-haspopup"]);
const trait = (each) => {{
  const tells = (name, value) => TOLD.has(name) || !value || (each.tagName === "LINK" && name === "href");
  const attributes = [...each.attributes]
    .map(({{name, value}}) => tells(name, value) ? `${{name}}=${{value}}` : name);
  const within = each.parentElement, says = each.tagName === "STYLE" ? each.textContent : speaks(each);
  return [each.tagName, ...attributes.sort(), says, within?.tagName, within?.getAttribute("role")].join(" ");
}};"""
_SHOWN = f"""() => {{ {_TRAITS}
const found = new Set(), outline = [];
for (const each of document.querySelectorAll("*")) {{
  found.add(`${{trait(each)}} ${{each.checkVisibility({{visibilityProperty: true}})}}`);
  if (/^H[1-6]$/.test(each.tagName) && outline.at(-1) !== each.tagName) outline.push(each.tagName);
}}
return [...found, outline.join(" ")].map(hashed); }}"""
# Where no script runs a page differs by what scripts have changed, and by rules of style for that; and a button
# that is nothing by itself is to be hidden by either.
_BARE = f"""(source) => {{ {_TRAITS}
const rules = (from) => [...from].flatMap((rule) => [rule, ...rules(rule.cssRules ?? [])]);
const all = rules([...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]));
const scripting = all.filter((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes("scripting"));
const selectors = rules(scripting.flatMap((rule) => [...rule.cssRules])).map((rule) => rule.selectorText);
const differs = ["button[type=button]", "noscript", ...selectors.filter(Boolean)].join(", ");
const shown = new Set([...document.querySelectorAll("*")].map(trait));
const served = [...new DOMParser().parseFromString(source, "text/html").querySelectorAll("*")];
const bare = served.filter((each) => !shown.has(trait(each)) || each.matches(differs));
return [...new Set(bare.map(trait))].map(hashed);
}}"""
# The contrast of an element hangs on its own look and on what is under it, up to the first ancestor through which
# nothing shines; that of a link also on the words beside it. What is placed by itself lies over others too; where
# it sticks out of that ancestor it is known again only as the very same, at its place.
_MARK = f"""(known) => {{ {_HASHED}
const OWN = ["color", "fontSize", "fontWeight", "textShadow", "textDecorationLine", "borderBottomStyle"];
const UNDER = ["backgroundColor", "backgroundImage", "opacity", "filter", "mixBlendMode", "visibility",
  "forcedColorAdjust"];
const placed = (style) => ["absolute", "fixed", "sticky"].includes(style.position) || style.transform !== "none"
  || ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(style[`margin${{side}}`]) < 0)
  || (style.position === "relative" && ["top", "left"].some((side) => parseFloat(style[side])));
const opaque = (style) => /^rgb\\(/.test(style.backgroundColor) && style.opacity === "1";
const paints = (each, style) => style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none"
  || each.matches("img, video, canvas, svg, input, select, textarea");
const paint = (each, style) =>
  [...UNDER.map((name) => style[name]), each.matches("img") && each.className].join("|");
const painted = [...document.body.querySelectorAll(":not(svg *)")]
  .map((each) => [each, getComputedStyle(each)])
  .filter(([each, style]) => paints(each, style))
  .map(([each, style]) => [each, each.getBoundingClientRect(), paint(each, style)]);
const over = (each) => {{
  const box = each.getBoundingClientRect();
  const others = painted.filter(([other, its]) => !other.contains(each) && !each.contains(other)
    && its.left < box.right && its.right > box.left && its.top < box.bottom && its.bottom > box.top);
  let base = each.parentElement;
  while (base?.parentElement && !opaque(getComputedStyle(base))) base = base.parentElement;
  const [around, up] = [(base ?? each).getBoundingClientRect(), scrollY];
  const inside = box.left >= around.left && box.right <= around.right && box.top >= around.top
    && box.bottom <= around.bottom;
  const place = inside ? [] : [each.className, box.left, box.top + up, box.width, box.height];
  return [...new Set(others.map(([, , its]) => its)), ...place].join(" ");
}};
const under = new Map();
const ground = (each) => {{
  if (each === null) return "";
  if (!under.has(each)) {{
    const style = getComputedStyle(each), own = UNDER.map((name) => style[name]).join("|");
    const below = () => [own, placed(style) ? over(each) : "", ground(each.parentElement)].join("<");
    under.set(each, opaque(style) ? own : below());
  }}
  return under.get(each);
}};
const judged = new Set(known), fresh = new Set();
for (const each of document.body.querySelectorAll("*")) {{
  each.removeAttribute("data-tells");
  if (!speaks(each) && !each.matches("input, select, textarea")) continue;
  if (!each.checkVisibility({{visibilityProperty: true}})) continue;
  const style = getComputedStyle(each);
  const beside = each.tagName === "A" ? getComputedStyle(each.parentElement).color : "";
  const look = hashed([each.tagName, beside, ...OWN.map((name) => style[name]), ground(each)].join("|"));
  if (judged.has(look)) continue;
  judged.add(look);
  fresh.add(look);
  each.setAttribute("data-tells", "");
}}
return [...fresh]; }}"""


@dataclass
class Known:
    """Traits of elements as they were `shown`, and those seen `bare` of scripts; and the `looks` that the contrast
    hangs on, by the scheme of colors.
    """

    shown: set[int] = field(default_factory=set)
    bare: set[int] = field(default_factory=set)
    looks: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def learn(self, shown: set[int], looks: dict[str, set[int]]) -> None:
        """What a good page shows, and the looks of it that were judged."""
        self.shown |= shown
        for scheme, judged in looks.items():
            self.looks[scheme] |= judged


def traits(page: Page) -> set[int]:
    """Those of the page as it stands."""
    return set(page.evaluate(_SHOWN))


def bare_traits(page: Page, source: str) -> set[int]:
    """Those of the HTML of the page, this, which may be otherwise where no script runs."""
    return set(page.evaluate(_BARE, source))


def mark(page: Page, known: set[int]) -> set[int]:
    """Mark one element of each look that is not known, for the contrast to be judged by; these looks."""
    return set(page.evaluate(_MARK, list(known)))
