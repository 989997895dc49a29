"""The bars themselves: each finds the fault it is for, and none finds any in a page without."""

from copy import deepcopy

import pytest
from playwright.sync_api import Page

from tests.browser.bars import DESKTOP, Faults
from tests.browser.gallery import LIVELY, judged, judged_without_scripts
from tests.browser.known import Known
from tests.browser.visits import Visits

PAGE = """<!doctype html><html lang="en"><head><title>Page</title><style>
:root {{ color-scheme: light dark; }} body {{ background: Canvas; color: CanvasText; }}
button {{ padding: 8px; }} {style}
</style></head><body><main><h1>Page</h1><p>Words</p><p><button>Press here</button></p>{body}</main></body></html>"""
ROWS = "".join(f"<p class='row'>Row {number}</p>" for number in range(200))
BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
PALE_AT_NIGHT = "@media (prefers-color-scheme: dark) { .pale { color: #333; } }"
GRAY = "@media (forced-colors: active) { .gray { forced-color-adjust: none; color: #777; background: #888; } }"
# Two that look the same, of which the first is over a white box.
OVER = ".over { position: absolute; left: 10px; color: #333; } .box { top: 390px; width: 200px; height: 60px; }"
TWO_OVER = """<i class="over box" style="background: white"></i>
<b class="over" style="top: 400px">Over</b><b class="over" style="top: 600px">Over</b>"""
# What is said, and the style and body of the page of which it must be said.
FAULTS = {
    "pictures: no picture": ("", "<img src='data:image/png;base64,AAAA' alt='Lost'>"),
    "targets: <button": ("", "<button style='width: 9px; height: 9px; padding: 0' aria-label='Small'></button>"),
    "focus: <a": ("a:focus { outline: none; }", "<a href='#x'>A link that tells not that it has the focus</a>"),
    "movement: H1": ("h1 { transition: opacity 1s; }", ""),
    "width: at first: P": ("", "<p style='width: 1300px'>Wide</p>"),
    "width: text at 200 %: P": ("", "<p style='width: 50rem'>Wide</p>"),
    "width: at 768: P": ("", "<p style='width: 800px'>Wide</p>"),
    "width: at 320: P": ("", "<p style='width: 700px'>Wide</p>"),
    "width: the text does not grow": ("main { font-size: 16px; }", ""),
    "access: color-contrast": ("", "<p style='color: #999; background: white'>Pale</p>"),
    "access: image-alt": ("", f"<img src='{BLANK}'>"),
    "colors: dark: color-contrast": (PALE_AT_NIGHT, f"{ROWS}<p class='pale'>Pale</p>"),
    "colors: dark: color-contrast (serious): b:nth-child": (OVER, TWO_OVER),
    "colors: forced colors: color-contrast": (GRAY, f"{ROWS}<p class='gray'>Gray</p>"),
}
FAULTS_WITHOUT_SCRIPTS = {
    "headings: 2 headings": ("", "<h1>Another</h1>"),
    "headings: 0 headings": ("h1 { display: none; }", ""),
    "dead controls: <button": ("", "<button type='button'>Only a script knows what it does</button>"),
    "width: at 320: P": ("", "<noscript><p style='width: 700px'>Wide</p></noscript>"),
}


def lines(found: Faults) -> list[str]:
    return [f"{bar}: {fault}" for bar, faults in found.items() for fault in faults]


def show(page: Page, style: str = "", body: str = "") -> Page:
    """The page as it comes up with these."""
    page.emulate_media(**LIVELY)
    page.set_viewport_size(DESKTOP)
    page.goto("about:blank")
    page.set_content(PAGE.format(style=style, body=body))
    page.evaluate("() => { window.shifted = 0; }")
    return page


def test_each_bar_finds_the_fault_it_is_for(new_page: Visits, subtests: pytest.Subtests) -> None:
    page = new_page()
    for said, (style, body) in FAULTS.items():
        with subtests.test(said=said):
            found = lines(judged(show(page, style, body), Known()))
            assert [each for each in found if each.startswith(said)], found


def test_each_bar_finds_it_on_a_page_after_others_too(new_page: Visits, subtests: pytest.Subtests) -> None:
    page, before = new_page(), Known()
    for body in ("", f"{ROWS}<p><a href='#y'>A link</a></p><img src='{BLANK}' alt='White'>"):
        assert lines(judged(show(page, "", body), before)) == []
    for said, (style, body) in FAULTS.items():
        with subtests.test(said=said):
            found = lines(judged(show(page, style, body), deepcopy(before)))
            assert [each for each in found if each.startswith(said)], found


def test_what_was_hidden_where_it_was_judged_is_judged_once_it_is_seen(new_page: Visits) -> None:
    page = new_page()
    for body in ("<p style='color: #999; background: white'>Pale</p>", f"<p><img src='{BLANK}'></p>"):
        known = Known()
        for before in (f"<div hidden>{body}</div>", "<div>Words</div>", "<div><p>Words</p></div>"):
            assert lines(judged(show(page, "", before), known)) == []
        assert lines(judged(show(page, "", f"<div>{body}</div>"), known)) != []


def test_each_bar_of_pages_without_scripts_finds_the_fault_it_is_for(
    new_page: Visits, subtests: pytest.Subtests
) -> None:
    page = new_page(java_script_enabled=False)
    for said, (style, body) in FAULTS_WITHOUT_SCRIPTS.items():
        with subtests.test(said=said):
            found = lines(judged_without_scripts(show(page, style, body)))
            assert [each for each in found if each.startswith(said)], found


def test_a_page_without_faults_clears_every_bar(new_page: Visits) -> None:
    body = f"{ROWS}<img src='{BLANK}' alt='White' loading='lazy'>"
    assert lines(judged(show(new_page(), "", body), Known())) == []
    assert lines(judged_without_scripts(show(new_page(java_script_enabled=False), "", body))) == []
