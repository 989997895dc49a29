"""The bars every page must clear: weight, width, size of targets, stillness."""

import gzip
from dataclasses import dataclass, field

from playwright.sync_api import Page, Response

# Bytes, each kind of file of a page together, as sent with gzip.
HEAVIEST = {"script": 25_000, "stylesheet": 10_000, "document": 15_000}
HEAVIEST_REFERENCE = 25_000
MOST_REQUESTS = 6
MOST_SHIFT = 0.05
SMALLEST_TARGET_PIXELS = 24
WIDTHS = (320, 768, 1280)

_COUNT_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
_TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")]
    .filter((each) => each.getBoundingClientRect().right > width + 0.5)
    .map((each) => `${each.tagName}.${each.className} "${each.textContent.trim().slice(0, 30)}"`).slice(0, 8)
    .concat(`${document.documentElement.scrollWidth} of ${width} px`);
}"""
# Links within a line of text are as tall as the line; axe judges the room around those. Labels count too.
_TOO_SMALL = """(least) => [...document.querySelectorAll(
    "a.button, nav a, button, input:not([type=hidden]), select, textarea, summary")]
  .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest("[aria-hidden=true]"))
  .map((each) => [each, ...(each.labels ?? [])])
  .filter((parts) => parts.every((part) => {
    const box = part.getBoundingClientRect();
    return box.width < least || box.height < least;
  }))
  .map(([each]) => each.outerHTML.slice(0, 120))"""
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
  .filter((each) => {{ each.focus(); return document.activeElement === each && !outlined(each); }})
  .map((each) => each.outerHTML.slice(0, 120)); }}"""
_MOVING = """() => [...document.querySelectorAll("*")].flatMap((each) => ["", "::before", "::after"].map((part) => {
  const style = getComputedStyle(each, part);
  const still = style.transitionDuration.split(",").every((duration) => parseFloat(duration) === 0);
  return still && style.animationName === "none" ? "" : `${each.tagName}.${each.className}${part}`;
})).filter(Boolean).slice(0, 8)"""
_SEE_ALL = """async () => {
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }
  scrollTo(0, 0);
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
}"""
_LOST_IMAGES = """() => [...document.images].filter((image) => image.complete && !image.naturalWidth)
  .map((image) => image.outerHTML.slice(0, 120))"""


@dataclass
class Scales:
    """Weighs what one window loads, from its next page on."""

    page: Page
    answers: list[Response] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("response", self._note)
        self.page.add_init_script(_COUNT_SHIFTS)

    def too_much(self, heavy: bool = False) -> list[str]:
        """Every bar that the page seen last breaks, once all its images have been scrolled past."""
        see_all(self.page)
        most = HEAVIEST | ({"document": HEAVIEST_REFERENCE} if heavy else {})
        weights = dict.fromkeys(HEAVIEST, 0)
        counted = [each for each in self.answers if each.request.resource_type not in ("image", "fetch", "xhr")]
        counted = [each for each in counted if "image/" not in each.headers.get("content-type", "")]
        for answer in counted:
            if not 300 <= answer.status < 400:
                weights[answer.request.resource_type] += len(gzip.compress(answer.body(), 9))
        wrong = [
            f"{kind}: {weight} bytes, {most[kind]} allowed"
            for kind, weight in weights.items()
            if weight > most[kind]
        ]
        if len(counted) > MOST_REQUESTS:
            wrong.append(f"{len(counted)} requests: {[each.url for each in counted]}")
        if (shifted := self.page.evaluate("() => window.shifted")) >= MOST_SHIFT:
            wrong.append(f"the page shifts by {shifted:.3f}")
        return wrong + [f"no picture: {each}" for each in self.page.evaluate(_LOST_IMAGES)]

    def _note(self, answer: Response) -> None:
        # A form that led elsewhere, and the pages before, are not part of the page seen last.
        if answer.request.resource_type == "document":
            self.answers.clear()
        self.answers.append(answer)

    def source(self) -> str:
        """The HTML of the page seen last, as it came."""
        return self.answers[0].text()


def see_all(page: Page) -> None:
    """Scroll to the end and back, and wait for the pictures. Without scripts this never ends."""
    page.evaluate(_SEE_ALL)


def too_wide(page: Page, height: int = 800) -> list[str]:
    """What sticks out at the side, at each width and with the text twice as large."""
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        wrong += [f"at {width}: {each}" for each in page.evaluate(_TOO_WIDE)]
    before = _text_size(page)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    assert _text_size(page) == 2 * before, "the text does not grow with the reader's choice"
    wrong += [f"text at 200 %: {each}" for each in page.evaluate(_TOO_WIDE)]
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    return wrong


def _text_size(page: Page) -> float:
    size: float = page.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('main p, main')).fontSize)"
    )
    return size


def too_small(page: Page) -> list[str]:
    """What is hard to hit with a finger."""
    found: list[str] = page.evaluate(_TOO_SMALL, SMALLEST_TARGET_PIXELS)
    return found


def unseen_focus(page: Page) -> list[str]:
    """What does not show that it has the focus."""
    page.keyboard.press("Tab")
    found: list[str] = page.evaluate(_UNSEEN)
    return found


def moving(page: Page) -> list[str]:
    """What moves although the visitor asked for stillness."""
    page.emulate_media(reduced_motion="reduce")
    found: list[str] = page.evaluate(_MOVING)
    return found


def dead_controls(page: Page) -> list[str]:
    """What can be seen but does nothing without scripts."""
    found: list[str] = page.locator("button[type=button]:visible").evaluate_all(
        "(buttons) => buttons.map((each) => each.outerHTML.slice(0, 120))"
    )
    return found
