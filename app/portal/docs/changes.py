"""What changed for programs, from changes.yaml: by day for the page, and as an Atom feed (RFC 4287)."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import yaml
from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter

from app.portal import safe_html

FILE = Path(__file__).with_name("changes.yaml")
MAX_FEED_ENTRIES = 50
"""The most entries of the feed; the page has all."""


class ChangeKind(StrEnum):
    """How a change concerns programs."""

    ADDED = "added"
    CHANGED = "changed"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Change(BaseModel):
    """One change. `operations`: the names of those that it concerns; empty where it concerns all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,60}$")]
    date: date
    kind: ChangeKind
    text: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    operations: tuple[str, ...]


@cache
def list_changes() -> Sequence[Change]:
    """All changes, the newest first."""
    found = TypeAdapter(list[Change]).validate_python(yaml.safe_load(FILE.read_text(encoding="utf-8")))
    return sorted(found, key=lambda change: change.date, reverse=True)


def list_days() -> Mapping[date, Sequence[Change]]:
    """All changes by their day, the newest first."""
    return {day: list(changes) for day, changes in groupby(list_changes(), key=lambda change: change.date)}


def write_feed(page_url: str, feed_url: str) -> bytes:
    """The newest changes as an Atom feed; entries lead to the page."""
    changes = list_changes()[:MAX_FEED_ENTRIES]
    feed = ElementTree.Element("feed", xmlns="http://www.w3.org/2005/Atom")
    _add(feed, "title", "Changes of the Brightlist API")
    _add(feed, "id", page_url)
    _add(feed, "updated", _moment(changes[0].date))
    _add(feed, "link", rel="self", type="application/atom+xml", href=feed_url)
    _add(feed, "link", rel="alternate", type="text/html", href=page_url)
    _add(ElementTree.SubElement(feed, "author"), "name", "Brightlist")
    for change in changes:
        entry = ElementTree.SubElement(feed, "entry")
        address = f"{page_url}#{change.id}"
        about = ", ".join(change.operations) or "all operations"
        _add(entry, "title", f"{change.kind.capitalize()}: {about}")
        _add(entry, "id", address)
        _add(entry, "published", _moment(change.date))
        _add(entry, "updated", _moment(change.date))
        _add(entry, "link", rel="alternate", type="text/html", href=address)
        _add(entry, "category", term=change.kind)
        _add(entry, "content", safe_html.paragraphs(change.text).text, type="html")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> None:
    ElementTree.SubElement(parent, name, attributes).text = text


def _moment(day: date) -> str:
    return f"{day}T00:00:00Z"
