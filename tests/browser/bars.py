"""The bars every page must clear: width, size of targets, visible focus, stillness, wholeness without scripts."""

from playwright.sync_api import Page

MOST_SHIFT = 0.05
SMALLEST_TARGET_PIXELS = 24
DESKTOP = {"width": 1280, "height": 800}
"""The window that pages come up in."""
NARROWER = (768, 320)
"""Widths of other windows."""

COUNT_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
# What sticks out at the side of the window.
_TOO_WIDE = """const tooWide = (where) => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((each) => each.getBoundingClientRect().right > width + 0.5)
    .map((each) => `${each.tagName}.${each.className} "${each.textContent.trim().slice(0, 30)}"`).slice(0, 8)
    .concat(`${document.documentElement.scrollWidth} of ${width} px`).map((each) => `${where}: ${each}`);
};
const textSize = () => parseFloat(getComputedStyle(document.querySelector("main p, main")).fontSize);
const tooWideEnlarged = () => {
  const before = textSize();
  document.documentElement.style.fontSize = "200%";
  const grown = textSize() === 2 * before ? [] : ["the text does not grow with the reader's choice"];
  const found = tooWide("text at 200 %");
  document.documentElement.style.fontSize = "";
  return [...grown, ...found];
};
"""
# Links within a line of text are as tall as the line; axe judges the room around those. Labels count too.
_TOO_SMALL = """const tooSmall = (least) => [...document.querySelectorAll(
    "a.button, nav a, button, input:not([type=hidden]), select, textarea, summary")]
  .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest("[aria-hidden=true]"))
  .map((each) => [each, ...(each.labels ?? [])])
  .filter((parts) => parts.every((part) => {
    const box = part.getBoundingClientRect();
    return box.width < least || box.height < least;
  }))
  .map(([each]) => each.outerHTML.slice(0, 120));
"""
# Whether something shows that it has the focus: on itself, its label or the box round both.
OUTLINED = """const outlined = (at) => [at, ...(at.labels ?? []), at.parentElement].some((each) =>
  ["", "::before", "::after"].some((part) => {
    const style = getComputedStyle(each, part);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  }));
"""
# Once a key has moved the focus, a browser shows it wherever a script moves it next.
_UNSEEN = f"""() => {{ {OUTLINED}
return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((each) => each.checkVisibility({{visibilityProperty: true}}) && each.tabIndex >= 0 && !each.disabled)
  .filter((each) => {{
    each.focus({{preventScroll: true}});
    return document.activeElement === each && !outlined(each);
  }})
  .map((each) => each.outerHTML.slice(0, 120)); }}"""
_MOVING = """() => [...document.querySelectorAll("*")].flatMap((each) =>
  ["", "::before", "::after"].map((part) => {
    const style = getComputedStyle(each, part);
    const still = style.transitionDuration.split(",").every((duration) => parseFloat(duration) === 0);
    return still && style.animationName === "none" ? "" : `${each.tagName}.${each.className}${part}`;
  })).filter(Boolean).slice(0, 8)"""
# Pictures that come when they are looked at are scrolled past, each for a frame; those of hidden parts never come.
_SEE_ALL = """const frame = () => new Promise(requestAnimationFrame);
const seeAll = async () => {
  const end = document.documentElement.scrollHeight;
  const step = document.querySelector("[loading=lazy]") ? innerHeight : end;
  for (let top = 0; top <= end; top += step) {
    scrollTo(0, top);
    await frame();
  }
  scrollTo(0, 0);
  const shown = [...document.images].filter((image) => image.checkVisibility({contentVisibilityAuto: true}));
  await Promise.all(shown.map((image) => image.decode().catch(() => {})));
};
const lost = () => [...document.images].filter((image) => image.complete && !image.naturalWidth)
  .map((image) => `no picture: ${image.outerHTML.slice(0, 120)}`);
"""
_AT_FIRST = f"""async ({{least, mostShift}}) => {{ {_SEE_ALL} {_TOO_WIDE} {_TOO_SMALL}
await seeAll();
const shifts = window.shifted < mostShift ? [] : [`the page shifts by ${{window.shifted.toFixed(3)}}`];
const width = [...tooWide("at first"), ...tooWideEnlarged()];
return {{shifts, pictures: lost(), width, targets: tooSmall(least)}};
}}"""
# The buttons that are nothing but a handle for a script.
_WITHOUT_SCRIPTS = f"""() => {{ {_TOO_WIDE}
const shown = (each) => {{
  const box = each.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(each).visibility === "visible";
}};
const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
return {{
  headings: all("h1").length === 1 ? [] : [`${{all("h1").length}} headings of the first level`],
  "dead controls": all("button[type=button]").map((each) => each.outerHTML.slice(0, 120)),
  width: [...tooWide("at first"), ...tooWideEnlarged()],
}}; }}"""
Faults = dict[str, list[str]]


def at_first(page: Page) -> Faults:
    """What is wrong with the page as it came up, once all its pictures have been scrolled past."""
    found: Faults = page.evaluate(_AT_FIRST, {"least": SMALLEST_TARGET_PIXELS, "mostShift": MOST_SHIFT})
    return found


def unseen_focus(page: Page) -> list[str]:
    """What does not show that it has the focus."""
    page.keyboard.press("Tab")
    found: list[str] = page.evaluate(_UNSEEN)
    return found


def moving(page: Page) -> list[str]:
    """What moves; the visitor must have asked for stillness."""
    found: list[str] = page.evaluate(_MOVING)
    return found


def without_scripts(page: Page) -> Faults:
    """What is missing or dead where no script runs."""
    found: Faults = page.evaluate(_WITHOUT_SCRIPTS)
    return found


def too_narrow(page: Page) -> list[str]:
    """What sticks out at the side in windows narrower than the first."""
    wrong: list[str] = []
    for width in NARROWER:
        page.set_viewport_size({**DESKTOP, "width": width})
        wrong += page.evaluate(f"(where) => {{ {_TOO_WIDE} return tooWide(where); }}", f"at {width}")
    return wrong


def see_all(page: Page) -> None:
    """Scroll to the end and back, and wait for the pictures. Without scripts this never ends."""
    page.evaluate(f"async () => {{ {_SEE_ALL} await seeAll(); }}")
