"""The bars themselves: each finds the one fault of a page, and none finds any in a page without."""

from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser import axe, bars
from tests.browser.bars import DESKTOP
from tests.browser.visits import Visits

PAGE = """<!doctype html><html lang="en"><head><title>Page</title><style>
:root {{ color-scheme: light dark; }} body {{ background: Canvas; color: CanvasText; }} {style}
</style></head><body><main><h1>Page</h1><p>Words</p><p><button>Press</button></p>{body}</main></body></html>"""
ROWS = "".join(f"<p class='row'>{number}</p>" for number in range(300))
GREY = "forced-color-adjust: none; color: #777; background: #777;"
DARK = "@media (prefers-color-scheme: dark) { .pale { color: #333; } }"
WIDE = "<p style='width: 700px'>Wide</p>"
# What is wrong, by the bar that says so: style and body of the page.
FAULTS = {
    "pictures": ("", "<img src='data:image/png;base64,AAAA' alt='Lost'>"),
    "targets": ("", "<button style='width: 9px; height: 9px; padding: 0' aria-label='Small'></button>"),
    "focus": ("a:focus { outline: none; }", "<a href='#x'>Link</a>"),
    "movement": ("h1 { transition: opacity 1s; }", ""),
    "at first": ("", "<p style='width: 1300px'>Wide</p>"),
    "text at 200 %": ("", "<p style='width: 50rem'>Wide</p>"),
    "at 768": ("", "<p style='width: 800px'>Wide</p>"),
    "at 320": ("", WIDE),
    "the text does not grow": ("p { font-size: 16px; }", ""),
    "color-contrast": ("", "<p style='color: #999; background: white'>Pale</p>"),
    "image-alt": ("", "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"),
    "dark: color-contrast": (DARK, f"{ROWS}<p class='pale'>Pale</p>"),
    "dark: color-contrast (serious): .over": (
        f"{DARK} .over {{ position: absolute; }}",
        f"{ROWS}<p class='row'>{ROWS}</p><b class='over pale'>Over</b>",
    ),
    "forced colours: color-contrast": (
        f"@media (forced-colors: active) {{ .grey {{ {GREY} }} }}",
        "<p class='grey'>x</p>",
    ),
}
BARS = ("shifts", "pictures", "targets", "width", "access", "focus", "colours", "movement")


@pytest.fixture
def page(new_page: Visits) -> Page:
    page = new_page(viewport=DESKTOP)
    page.add_init_script(bars.COUNT_SHIFTS)
    page.goto("about:blank")
    return page


def faults(page: Page, style: str = "", body: str = "") -> str:
    """Everything that is said of a page, in lines: bar, fault."""
    page.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="no-preference")
    page.set_viewport_size(DESKTOP)
    page.set_content(PAGE.format(style=style, body=body))
    found = bars.judge(page)
    return "\n".join(f"{bar}: {fault}" for bar in BARS for fault in found[bar])
