"""A browser, windows in it, and worlds for it to look at."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.services import audit
from tests import databases
from tests.browser import seeds, visits
from tests.browser.gallery import Gallery
from tests.browser.visits import Visits
from tests.browser.world import Day, World, living
from tests.databases import WORKER


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium; in CI it must be there, elsewhere its tests are skipped without it."""
    with visits.started(visits.required(*visits.BROWSERS)) as browser:
        yield browser


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Visits]:
    """new_page(**context options) -> a window; nothing may go wrong in any of them."""
    windows = Visits(browser)
    try:
        yield windows
        assert windows.problems() == []
    finally:
        windows.close()


@pytest.fixture(scope="package")
def worlds(migrated: str | Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Day, World]]:
    """The seeded worlds that tests look at and do not change."""
    with ExitStack() as stack:
        made: dict[Day, World] = {}
        for day, seed in seeds.SEEDS.items():
            folder = tmp_path_factory.mktemp(day)
            if isinstance(migrated, Path):
                url = databases.copy_of(migrated, folder)
            else:
                url = stack.enter_context(databases.server_database(f"world_{day}_{WORKER}_{os.getpid()}"))
            made[day] = stack.enter_context(living(folder, url))
            seed(made[day])
        yield made


@pytest.fixture(scope="package")
def gallery(browser: Browser, worlds: dict[Day, World]) -> Iterator[Gallery]:
    """Windows on the seeded worlds."""
    windows = Visits(browser)
    try:
        yield Gallery(worlds, windows)
    finally:
        windows.close()


@pytest.fixture
def here(tmp_path: Path, database_url: str) -> Iterator[World]:
    """A world of the test's own, without people. After the test, money and files must agree."""
    with living(tmp_path / "data", database_url) as own:
        yield own
        with own.container.database.read_session() as session:
            assert list(audit.find_mismatches(session, own.container.storage)) == []
