"""The photo board with 500 photos on a slow phone: bytes of scripts, until one can act, what jumps, how it scrolls.

Usage: python -m bench.board [--photos 500] [--rounds 3] [--slower 4]

Chromium as a phone, its processor slowed down `--slower` times and its network to slow 4G (150 ms, 1.6 Mbit/s). A
page of ours with nothing on it, and a bare list of as many pictures, are opened in turns with it: on a busy machine
only the ratios to those say something.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from playwright.sync_api import Browser, Page

from app.database import Database
from app.migrations import migrate
from bench.tables import say_where, show
from engine.types.enhancements import PhotoType
from engine.types.pictures import Previews, PreviewSize, WantedPreviews
from tests import scenes
from tests.browser import drafting, seeds, visits
from tests.browser.bars import COUNT_SHIFTS
from tests.browser.drafting import Shot
from tests.browser.visits import Visits
from tests.browser.world import SMALL, Who, World, inside, living, outside
from tests.fakes import FakePreviewMaker

PHONE = {"viewport": {"width": 412, "height": 823}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 93_750}
"""Milliseconds, and bytes a second."""
QUIET_MS = 2000
"""After the last long task within this time one can act."""
LATE_MS = 50
STEP, MOST_SECONDS = 3000, 8
"""Pixels a second that a thumb scrolls, and for how long at most."""
WATCH = (
    COUNT_SHIFTS
    + """
window.long = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.long.push([each.startTime, each.duration]);
}).observe({type: "longtask", buffered: true});
"""
)
LOADED = """async (quiet) => {
  const last = () => Math.max(0, ...window.long.map(([start, took]) => start + took));
  while (performance.now() - Math.max(last(), performance.getEntriesByType("navigation")[0].loadEventEnd) < quiet)
    await new Promise((done) => setTimeout(done, 100));
  const [navigation] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const bytes = (end) => files.filter((each) => new URL(each.name).pathname.endsWith(end))
    .reduce((sum, each) => sum + each.encodedBodySize, 0);
  return {
    html: navigation.encodedBodySize, script: bytes(".js"), style: bytes(".css"),
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    ready: navigation.domContentLoadedEventEnd, act: Math.max(navigation.domContentLoadedEventEnd, last()),
    blocked: window.long.reduce((sum, [, took]) => sum + took - 50, 0),
    nodes: document.querySelectorAll("*").length,
  };
}"""
SCROLL = """async ([step, most]) => {
  const took = [], began = performance.now();
  let before = began;
  const far = document.documentElement.scrollHeight;
  while (performance.now() - began < most * 1000 && window.scrollY + innerHeight < far - 2) {
    window.scrollTo(0, (performance.now() - began) / 1000 * step);
    const now = await new Promise(requestAnimationFrame);
    took.push(now - before);
    before = now;
  }
  return {took: took.slice(1), shifted: window.shifted};
}"""


@dataclass
class SmallPictures(FakePreviewMaker):
    """Gives every photo the same small picture, of a real one's weight."""

    @cached_property
    def picture(self) -> bytes:
        """480 pixels wide, as previews are."""
        return scenes.encoded(scenes.room(480, 320), quality=78)

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        made = super().make(picture, wanted)
        return Previews({PreviewSize.THUMB: self.picture, PreviewSize.VIEW: self.picture}, 480, 320, made.facts)


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit: what loading told, each frame of scrolling in milliseconds, and what jumped in all."""

    loaded: dict[str, float]
    frames: list[float]
    shifted: float


@contextmanager
def full_board(folder: Path, photos: int) -> Iterator[tuple[World, dict[str, str]]]:
    """A world with a draft of so many photos; the addresses of the pages that are compared, by name."""
    url = f"sqlite:///{folder / 'board.db'}"
    migrate(Database(url))
    with living(folder / "data", url) as world:
        world.container.previews = SmallPictures()
        bare = list[str]()
        world.app.add_url_rule("/bare", view_func=lambda: f"<!doctype html><title>Bare</title>{''.join(bare)}")
        world.person(Who.CUSTOMER)
        half = photos // 2
        kinds = [(PhotoType.EXTERIOR, outside(width=SMALL))] * half
        kinds += [(PhotoType.INTERIOR, inside(0, width=SMALL))] * (photos - half)
        shots = [Shot(f"DSC_{n:04}.jpg", file + b"%d" % n, kind) for n, (kind, file) in enumerate(kinds)]
        draft_id = drafting.begin(world, "many", Who.CUSTOMER, drafting.CHOSEN, shots)
        seeds.make_previews(world)
        for photo_id in world.photos["many"]:
            with world.app.test_request_context(base_url=world.site.url):
                url = world.app.url_for("pictures.draft_photo", draft_id=draft_id, photo_id=photo_id, size="thumb")
            bare.append(f'<img src="{url}" alt="" width="180" height="135" loading="lazy" decoding="async">')
        pages = {"empty page of ours": "/account", "bare list of pictures": "/bare"}
        yield world, {**pages, f"board, {photos} photos": f"/properties/{draft_id}"}


def visit(page: Page, path: str, slower: float) -> Visit:
    """Load the page as on a slow phone, and scroll it to its end."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(path, wait_until="load")
    loaded = page.evaluate(LOADED, QUIET_MS)
    scrolled: dict[str, Any] = page.evaluate(SCROLL, [STEP, MOST_SECONDS])
    devtools.detach()
    return Visit(loaded, scrolled["took"], scrolled["shifted"])


def measured(
    browser: Browser, world: World, pages: dict[str, str], rounds: int, slower: float
) -> dict[str, list[Visit]]:
    """Visits to each page, in turns."""
    found: dict[str, list[Visit]] = {name: [] for name in pages}
    windows = Visits(browser)
    try:
        page = world.window(windows, Who.CUSTOMER, **PHONE)
        page.add_init_script(WATCH)
        for _ in range(rounds):
            for name, path in pages.items():
                found[name].append(visit(page, path, slower))
    finally:
        windows.close()
    return found


def row(name: str, seen: list[Visit], floor: list[Visit]) -> tuple[object, ...]:
    """The line of one page, and its ratio to the floor."""

    def median(key: str, of: list[Visit] = seen) -> float:
        return statistics.median(each.loaded[key] for each in of)

    frames = sorted(took for each in seen for took in each.frames)
    late = f"{100 * sum(took > LATE_MS for took in frames) / len(frames):.1f}" if frames else "-"
    at = [f"{frames[int(share * (len(frames) - 1))]:.0f}" if frames else "-" for share in (0.5, 0.95)]
    return (
        name,
        f"{median('html') / 1000:.1f}",
        f"{median('script') / 1000:.1f}",
        f"{median('nodes'):.0f}",
        f"{median('painted') / 1000:.2f}",
        f"{median('act') / 1000:.2f}",
        f"{median('act') / median('act', floor):.1f}",
        f"{median('blocked'):.0f}",
        f"{max(each.shifted for each in seen):.3f}",
        *at,
        late,
    )


HEAD = (
    "",
    "HTML kB",
    "script kB",
    "elements",
    "painted s",
    "can act s",
    "of empty",
    "blocked ms",
    "shift",
    "frame ms",
    "p95",
    "late %",
)


def main() -> None:
    """A table of the board and what it is held against."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slower", type=float, default=4)
    given = parser.parse_args()
    path = visits.found(*visits.BROWSERS)
    if path is None:
        print(f"skipped: no {' or '.join(visits.BROWSERS)}")
        return
    say_where()
    with (
        tempfile.TemporaryDirectory() as folder,
        full_board(Path(folder), given.photos) as (world, pages),
        visits.started(path) as browser,
    ):
        found = measured(browser, world, pages, given.rounds, given.slower)
    floor = next(iter(found.values()))
    title = f"A phone {given.slower:g} times slower than this machine, slow 4G, {given.rounds} rounds; kB as sent"
    show(title, HEAD, [row(name, seen, floor) for name, seen in found.items()])


if __name__ == "__main__":
    main()
