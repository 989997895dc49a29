"""Takes pictures of every page in every state into build/screenshots, and keeps some for the README.

make screenshots
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from itertools import product
from pathlib import Path
from typing import BinaryIO

from playwright.sync_api import Page

from app.adapters.generative_http import ImagesEditServer
from app.domain.ports import Engine
from engine.pipeline import PictureEngine
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced
from tests import databases, edit_server
from tests.browser import bars, generative, seeds, visits
from tests.browser.kept import ROOT, SIZES, keep
from tests.browser.state import State
from tests.browser.states import STATES
from tests.browser.world import Day, LightTable, World, living

TARGET = ROOT / "build" / "screenshots"
SCHEMES = ("light", "dark")
# What stands in the README and shows nothing of a seeded world: file name -> state, size, scheme. The other
# pictures are taken by `readme_pictures.py`.
CHOSEN = {"front": ("front", "desktop", "light")}
MARKED = re.compile(rb"BROKEN|DECLINE|HALF|BLANK|DOUBT")
"""What a seeded photo carries that is to come out otherwise than the engine would have it."""
SHEET = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body{{font:16px system-ui;margin:2rem}}div{{display:flex;gap:1rem;align-items:start;overflow-x:auto}}
img{{height:480px;width:auto;border:1px solid #999}}</style>{rows}</html>"""


class MarkedEngine:
    """The real engine, but for photos that say what comes of them: without those no page would show a refusal."""

    def __init__(self, real: Engine) -> None:
        self._real, self._marked = real, LightTable()

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """What the right one of the two estimates."""
        return self._choose(photo).estimate_light(photo)

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """What the right one of the two makes."""
        return self._choose(photo).enhance(photo, request, context)

    def _choose(self, photo: BinaryIO) -> Engine:
        content = photo.read()
        photo.seek(0)
        return self._marked if MARKED.search(content) else self._real


def main() -> int:
    """Take them all, or those whose names are given."""
    wanted = [state for state in STATES if not sys.argv[1:] or state.name in sys.argv[1:]]
    TARGET.mkdir(parents=True, exist_ok=True)
    with _worlds() as worlds, visits.started(_browser()) as browser:
        windows = visits.Visits(browser)
        for state in wanted:
            for size, scheme in product(SIZES, SCHEMES):
                look = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce"}
                _take(state.open(worlds, windows, **look), state, size, scheme)
                windows.close()
            print(state.name)
        for problem in windows.problems():
            print(f"  {problem}", file=sys.stderr)
    (TARGET / "index.html").write_text(SHEET.format(rows="\n".join(map(_row, wanted))))
    print(f"{len(wanted)} states: {TARGET.relative_to(ROOT)}/index.html")
    return 0


def _take(page: Page, state: State, size: str, scheme: str) -> None:
    bars.see_all(page)
    _keep_for_readme(page, (state.name, size, scheme))
    # A window as tall as the page: what sticks to its edge stands where it belongs. What is at most as tall as the
    # window grows with it, and so does the page.
    for _ in range(2):
        height = page.evaluate("() => document.documentElement.scrollHeight")
        page.set_viewport_size({**SIZES[size], "height": height})
    page.screenshot(path=TARGET / _name(state, size, scheme))


def _browser() -> str:
    return visits.found(*visits.BROWSERS) or sys.exit(
        "screenshots: no Chromium; deploy/test-packages.sh says how to get it"
    )


@contextmanager
def _worlds() -> Iterator[dict[Day, World]]:
    """The worlds of the tests, but with the real engine for all photos that carry no marker."""
    with ExitStack() as stack:
        server = stack.enter_context(edit_server.running(generative.answer))
        made = {}
        for day, seed in seeds.SEEDS.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            url = f"sqlite:///{folder / 'world.db'}"
            databases.migrate_and_close(url)
            engine = MarkedEngine(PictureEngine(ImagesEditServer(server.url, None, "drawn")))
            made[day] = stack.enter_context(living(folder / "data", url, engine))
            seed(made[day])
        yield made


def _keep_for_readme(page: Page, what: tuple[str, str, str]) -> None:
    for name, chosen in CHOSEN.items():
        if chosen == what:
            keep(page, name)


def _name(state: State, size: str, scheme: str) -> str:
    return f"{state.name.replace(',', '').replace(' ', '-')}-{size}-{scheme}.png"


def _row(state: State) -> str:
    names = [_name(state, size, scheme) for size in SIZES for scheme in SCHEMES]
    pictures = "".join(f'<a href="{each}"><img src="{each}" alt="{each}" loading="lazy"></a>' for each in names)
    return f"<h2>{escape(state.name)}</h2><div>{pictures}</div>"


if __name__ == "__main__":
    sys.exit(main())
