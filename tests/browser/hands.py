"""Hands that know only the keyboard, and eyes that must see where it is."""

from playwright.sync_api import Locator, Page, TimeoutError

from tests.browser.bars import OUTLINED

MOST_STOPS = 150
# Each stop of the Tab key is noted as its key comes up: where the focus is and whether that can be seen. Says what
# was noted, whether the focus has come to the target or its group, and about how many stops are before it.
_STOPS = f"""(target) => {{ {OUTLINED}
  const alike = (each) => each === target ||
    (each.type === "radio" && ["type", "name", "form"].every((of) => each[of] === target[of]));
  const note = (at) => {{
    const box = at.getBoundingClientRect(), page = at === document.body;
    const seen = page || (box.bottom > 0 && box.top < innerHeight);
    window.stops.push({{name: at.outerHTML.slice(0, 120), marked: page || outlined(at), seen}});
  }};
  if (!window.stops) {{
    window.stops = [];
    addEventListener("keyup", (event) => {{ if (event.key === "Tab") note(document.activeElement); }}, true);
    note(document.activeElement);
  }}
  const here = document.activeElement;
  const before = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({{visibilityProperty: true}}))
    .filter((each) => each.type !== "radio" || each.checked)
    .filter((each) => !document.querySelector("dialog:modal") || each.closest("dialog:modal"))
    .filter((each) => here.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING
      && each.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING && !alike(each));
  return {{arrived: alike(here), before: before.length, stops: window.stops.splice(0)}};
}}"""


class Keyboard:
    """Goes from control to control with the Tab key; every stop on the way must be visible."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def to(self, target: Locator) -> None:
        """Tab forward until the focus is on the target, or on a radio button of its group."""
        self._await(target)
        left = MOST_STOPS
        while left > 0:
            # Found anew each time: a part of the page may be put in place of the one with the target meanwhile.
            way = target.evaluate(_STOPS)
            for stop in way["stops"]:
                assert stop["marked"], f"the focus cannot be seen on {stop['name']}"
                assert stop["seen"], f"the focus is outside the window on {stop['name']}"
            if way["arrived"]:
                return
            for _ in range(max(1, way["before"])):
                self._page.keyboard.press("Tab")
                left -= 1
        raise AssertionError(f"Tab never comes to {target}")

    def _await(self, target: Locator) -> None:
        """Until it is there and the page's style sheets are: without them no focus can be judged."""
        try:
            target.wait_for(state="attached")
            self._page.wait_for_load_state()
        except TimeoutError as missing:
            seen = f"{self._page.url} shows: {self._page.inner_text('body')}"
            raise AssertionError(f"{target} never came; {seen}") from missing

    def press(self, target: Locator, key: str = "Enter") -> None:
        """Go there and press a key, Enter unless told."""
        self.to(target)
        self._page.keyboard.press(key)

    def write(self, target: Locator, text: str) -> None:
        """Go there and type in place of what stands there."""
        self.to(target)
        self._page.keyboard.press("Control+a")
        self._page.keyboard.type(text)

    def tick(self, target: Locator) -> None:
        """Tick the checkbox, or choose the radio button with the arrow keys."""
        self.to(target)
        if target.get_attribute("type") == "checkbox":
            self._page.keyboard.press("Space")
            return
        self._page.keyboard.press("Space")
        for _ in range(MOST_STOPS):
            if target.is_checked():
                return
            self._page.keyboard.press("ArrowDown")
        raise AssertionError(f"the arrow keys never come to {target}")

    def choose(self, target: Locator, label: str) -> None:
        """Choose from a drop-down list by typing the first letters of the label."""
        self.to(target)
        self._page.keyboard.type(label)
        chosen = target.evaluate("(list) => list.selectedOptions[0].label")
        assert chosen == label, f"typing chose {chosen}"

    def hand_over(self, target: Locator, *files: object) -> None:
        """Go to the field for files and give it some; the system's own dialog is beyond a page."""
        self.to(target)
        target.set_input_files(list(files))


class Mouse:
    """Hands that click, for a journey that can be made in either way."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, target: Locator, key: str = "Enter") -> None:
        target.click()

    def write(self, target: Locator, text: str) -> None:
        target.fill(text)

    def tick(self, target: Locator) -> None:
        target.check()

    def choose(self, target: Locator, label: str) -> None:
        target.select_option(label=label)

    def hand_over(self, target: Locator, *files: object) -> None:
        target.set_input_files(list(files))
