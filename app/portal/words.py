"""Texts of all pages: words for states, and formats of credits, moments, sizes and distances."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from flask import Flask
from markupsafe import Markup, escape

from app.domain import promises
from app.domain.amounts import amount, counted, credits_, money
from app.domain.catalog import ENTRIES
from app.domain.dates import TIME, format_day
from app.domain.lifecycle import Status, UndeliverableCode

__all__ = [
    "STATUS_WORDS",
    "Word",
    "amount",
    "breakable",
    "counted",
    "credits_",
    "distance",
    "humanize",
    "install",
    "moment",
    "money",
    "size",
    "write_tag",
]

_TIME = f'<time datetime="%Y-%m-%dT%H:%M:%S+00:00" data-utc>{TIME}</time>'


@dataclass(frozen=True, slots=True)
class Word:
    """The words for a state: its label, the tone of its tag (a CSS class), and its meaning for the customer."""

    label: str
    tone: str
    meaning: str


STATUS_WORDS: dict[Status, Word] = {
    Status.PENDING: Word("Queued", "quiet", "The order is in the queue."),
    Status.PROCESSING: Word("Processing", "busy", "The photos are being worked on."),
    Status.QC_REVIEW: Word("In review", "busy", "Every result is being checked."),
    Status.APPROVED: Word("Ready", "good", "You can look at the results and download them."),
    Status.DELIVERED: Word("Delivered", "good", "The results were downloaded."),
    Status.UNDELIVERABLE: Word("Not deliverable", "bad", "No result was usable; all credits were refunded."),
    Status.FAILED: Word("Failed", "bad", "Processing failed; all credits were refunded."),
}


CANCELLED = Word("Cancelled", "quiet", "The order was cancelled; all credits were refunded.")


class Ordered(Protocol):
    """An order with its status, and why it is undeliverable."""

    @property
    def status(self) -> Status: ...
    @property
    def undeliverable_code(self) -> UndeliverableCode | None: ...


def find_status_word(order: Ordered) -> Word:
    """The words for the status of an order."""
    is_cancelled = order.undeliverable_code is UndeliverableCode.CANCELLED
    return CANCELLED if is_cancelled else STATUS_WORDS[order.status]


def write_tag(word: Word) -> Markup:
    """The tag for a state."""
    return Markup('<span class="tag {}">{}</span>').format(word.tone, word.label)


PARTLY_READY: dict[Status, Word] = {
    Status.APPROVED: Word("Partly ready", "warn", ""),
    Status.DELIVERED: Word("Partly delivered", "warn", ""),
}
"""The words for orders with results in which some photos have no result."""
_TAGS = {word: write_tag(word) for word in (*STATUS_WORDS.values(), *PARTLY_READY.values(), CANCELLED)}


def write_status_tag(order: Ordered, is_partly: object = False) -> Markup:
    """The tag for the status of an order. `is_partly`: whether some of its photos have no result."""
    word = find_status_word(order)
    return _TAGS[PARTLY_READY.get(order.status, word) if is_partly else word]


def install(app: Flask) -> None:
    """Give every template these words as filters and globals."""
    filters = (amount, breakable, counted, credits_, distance, moment, money, size, humanize)
    app.jinja_env.filters.update({each.__name__.rstrip("_"): each for each in filters}, day=format_day)
    app.jinja_env.filters.update(status_tag=write_status_tag, status_word=find_status_word)
    app.jinja_env.globals.update(status_words=STATUS_WORDS, entries=ENTRIES)
    app.jinja_env.globals["promises"] = promises


def moment(at: datetime | None) -> Markup:
    """`Nov 21, 2026, 14:02 UTC` as a `time` element, which a script changes to local time; a dash for None."""
    if at is None:
        return Markup("&ndash;")
    # The format has no characters that need escaping, and escaping would take longer than the rest of this
    # function.
    return Markup(at.astimezone(UTC).strftime(_TIME))  # noqa: S704  # nosec B704


def breakable(address: str) -> Markup:
    """A URL that a narrow page may break after each slash of its path."""
    scheme, found, path = address.partition("://")
    return escape(scheme + found) + Markup("/<wbr>").join(path.split("/"))


def distance(meters: float) -> str:
    """The distance as `600 m`, `3.2 km`."""
    return f"{round(meters, -2):.0f} m" if meters < 1000 else f"{meters / 1000:,.1f} km"


def size(size_bytes: int) -> str:
    """The size as `0 kB`, `840 kB`, `12.4 MB`, `50 GB`."""
    if size_bytes < 1_000_000:
        return f"{max(1, round(size_bytes / 1000)) if size_bytes else 0} kB"
    if size_bytes < 1_000_000_000:
        return f"{f'{size_bytes / 1_000_000:.1f}'.removesuffix('.0')} MB"
    return f"{f'{size_bytes / 1_000_000_000:.1f}'.removesuffix('.0')} GB"


def humanize(name: str) -> str:
    """Make a name of the catalog readable: `mid_century_modern` becomes `Mid century modern`."""
    return str(name).replace("_", " ").capitalize()
