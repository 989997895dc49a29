"""What a page weighs: bytes as they are sent, and requests."""

import gzip
from dataclasses import dataclass, field

from playwright.sync_api import Page, Response

# Bytes, each kind of file of a page together, as sent with gzip. Pages of results have the most styles.
# Pages where pictures are compared have the most requests: a sheet of their own beside the two that they share.
HEAVIEST = {"script": 25_000, "stylesheet": 10_200, "document": 15_000}
HEAVIEST_REFERENCE = 25_000
MOST_REQUESTS = 7
HEAVIEST_MODULES = 30_000
MOST_REQUESTS_OF_MODULES = 10
_weights: dict[str, int] = {}
"""Of scripts and style sheets, by address: those are the same on every page."""


@dataclass
class Scales:
    """Weighs what one window loads, from its next page on."""

    page: Page
    answers: list[Response] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("response", self._note)

    def too_much(self, source: str, heavy: bool = False, modules: bool = False) -> list[str]:
        """Every bar that the page seen last breaks, whose HTML this is; its script may be `modules`."""
        most = HEAVIEST | ({"document": HEAVIEST_REFERENCE} if heavy else {})
        most |= {"script": HEAVIEST_MODULES} if modules else {}
        weights = dict.fromkeys(HEAVIEST, 0)
        counted = [each for each in self.answers if each.request.resource_type not in ("image", "fetch", "xhr")]
        counted = [each for each in counted if "image/" not in each.headers.get("content-type", "")]
        for answer in counted:
            if 300 <= answer.status < 400:
                continue
            kind = answer.request.resource_type
            weights[kind] += _weight(source.encode()) if kind == "document" else _weight_of_asset(answer)
        wrong = [
            f"{kind}: {weight} bytes, {most[kind]} allowed"
            for kind, weight in weights.items()
            if weight > most[kind]
        ]
        if len(counted) > (MOST_REQUESTS_OF_MODULES if modules else MOST_REQUESTS):
            wrong.append(f"{len(counted)} requests: {[each.url for each in counted]}")
        return wrong

    def source(self) -> str:
        """The HTML of the page seen last, as it came."""
        return self.answers[0].text()

    def _note(self, answer: Response) -> None:
        # A form that led elsewhere, and the pages before, are not part of the page seen last.
        if answer.request.resource_type == "document":
            self.answers.clear()
        self.answers.append(answer)


def _weight(content: bytes) -> int:
    return len(gzip.compress(content, 9))


def _weight_of_asset(answer: Response) -> int:
    if answer.url not in _weights:
        _weights[answer.url] = _weight(answer.body())
    return _weights[answer.url]
