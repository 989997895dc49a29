"""Visits to pages: a browser's window that remembers whatever went wrong in it."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect, sync_playwright

from tests.budgets import Dear, spend
from tests.waiting import PATIENCE_SECONDS

PATIENCE_MILLISECONDS = PATIENCE_SECONDS * 1000
# The first draws pages and nothing else, which takes less than half the time; either does.
BROWSERS = ("chromium-headless-shell", "chromium")
_LISTEN = (
    "addEventListener('securitypolicyviolation', (event) =>"
    " console.error('CSP', event.effectiveDirective, event.blockedURI, event.sourceFile, event.lineNumber));"
)
# The browser says this of every answer that is none; `_arrived` judges those.
_NO_ANSWER = "Failed to load resource"
# Leaving a page ends the poll that is on its way; htmx says so of each.
_LEFT = ("htmx:sendAbort", "htmx:afterRequest")


def found(*programs: str) -> str | None:
    """Where the first of the programs is that is on this machine."""
    return next(filter(None, map(shutil.which, programs)), None)


def required(*programs: str) -> str:
    """The same; without any the test is skipped, but fails in CI, where everything must run."""
    path = found(*programs)
    if path is None:
        said = f"no {' or '.join(programs)}; deploy/test-packages.sh installs it or says how"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(said)
    return path


@contextmanager
def started(path: str) -> Iterator[Browser]:
    """A running browser without a screen; what is expected of its pages may take as long as on a busy machine."""
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    spend(Dear.BROWSERS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Visits:
    """Opens windows, each with cookies of its own, and gathers what goes wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._shown: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
        self._problems: list[str] = []
        self._expected: list[str] = []

    def __call__(self, **options: Any) -> Page:
        """A new window; `options` are those of a browser context (viewport, color_scheme, storage_state)."""
        context = self._browser.new_context(**options)
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        context.add_init_script(_LISTEN)
        context.on("page", self._watch)
        return context.new_page()

    def expect(self, *patterns: str) -> None:
        """Let the test go on although something that matches one of these goes wrong."""
        self._expected += patterns

    def problems(self) -> list[str]:
        """What went wrong and was not expected: errors of scripts, of the console and of requests, violated CSP."""
        return [each for each in self._problems if not any(re.search(known, each) for known in self._expected)]

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def _watch(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._problems.append(f"script: {error.stack or error}"))
        page.on("response", partial(self._arrived, page))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith((_NO_ANSWER, *_LEFT)):
            self._problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _arrived(self, page: Page, response: Response) -> None:
        if response.request.resource_type == "document":
            # How often a page that waits loads itself anew says how fast the machine is.
            if self._shown.get(page) != response.url:
                spend(Dear.PAGES)
            self._shown[page] = response.url
        # A page may be a refusal, and tests look at it; whatever a page asks for besides must come.
        elif response.status >= 400:
            self._problems.append(f"{response.status}: {response.request.method} {response.url}")
