"""Pictures of pages that are kept in the repository, for the README and the docs."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "screenshots"
SIZES = {"phone": {"width": 375, "height": 812}, "desktop": {"width": 1280, "height": 1000}}
MOST_BYTES = 200_000


def keep(page: Page, name: str) -> None:
    """Keep what the window shows under this name; it may not be large."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    target = FOLDER / f"{name}.webp"
    # Hiding the text cursor would put an inline style into the page, which its policy forbids.
    Image.open(io.BytesIO(page.screenshot(caret="initial"))).save(target, "WEBP", quality=88, method=6)
    print(target.name)
    assert target.stat().st_size < MOST_BYTES, f"{target} is too large for the repository"
