"""The documentation: an index of all operations, guides, and a page for each resource with its operations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import limits, retention, webhooks
from app.domain.errors import require_found
from app.portal import safe_html
from app.portal.docs.errors import list_errors
from app.portal.docs.guides import GUIDES
from app.portal.docs.reference import read_reference
from app.portal.page_blueprint import PageBlueprint
from app.portal.snippets import list_receivers, sample_delivery, write_programs
from app.web import documents
from app.web.context import container
from engine.types import photo_limits
from engine.types.media import FORMATS
from engine.types.photo_limits import MAX_FRAMES

blueprint = PageBlueprint("docs", __name__, url_prefix="/docs")
for write in (safe_html.paragraphs, safe_html.line, safe_html.code):
    blueprint.add_app_template_filter(write)


@dataclass(frozen=True, slots=True)
class Link:
    """A page of the documentation."""

    title: str
    address: str


@blueprint.get("")
def show() -> ResponseReturnValue:
    """How an order works, and every operation in one line."""
    about = "The Brightlist API: how an order works, and every operation."
    return _render("The Brightlist API", about, ("introduction", "operations"))


@blueprint.get("/<name>")
def guide(name: str) -> ResponseReturnValue:
    """What all operations have in common, one subject on each page."""
    found = require_found(next((each for each in GUIDES if each.name == name), None))
    return _render(found.title, found.about, found.chapters, guide=found)


@blueprint.get("/api/<name>")
def resource(name: str) -> ResponseReturnValue:
    """All that is needed to call the operations of one resource, with every shape that they use."""
    api = read_reference(documents.openapi())
    found = require_found(next((each for each in api.resources if each.name == name), None))
    return _render(found.title, found.about, ("resource", "shapes"), resource=found, shapes=found.shapes)


@blueprint.get("/errors/<code>")
def error(code: str) -> ResponseReturnValue:
    """What a code means, what to do about it, and which operations answer it."""
    found = require_found(list_errors().get(code))
    api = read_reference(documents.openapi())
    every = api.operations.values()
    answered_by = [each for each in every if any(code in refusal.codes for refusal in each.refusals)]
    about = f"The error {code} of the API: what it means, and what to do."
    # Where all answer it, it tells nothing.
    only = answered_by if len(answered_by) < len(every) / 2 else ()
    return _render(code, about, ("error",), error=found, answered_by=only)


def _render(title: str, about: str, chapters: Sequence[str], **values: Any) -> str:
    return render_template(
        "portal/docs/page.html",
        title=title,
        about=about,
        chapters=[f"portal/docs/_{name}.html" for name in chapters],
        following=next((after for here, after in pairwise(_list_pages()) if here.address == request.path), None),
        **(_facts() | values),
    )


def _list_pages() -> Sequence[Link]:
    """Every page, in the order of the contents."""
    api = read_reference(documents.openapi())
    return [
        Link("Introduction", url_for("docs.show")),
        *(Link(each.title, url_for("docs.guide", name=each.name)) for each in GUIDES),
        *(Link(each.title, url_for("docs.resource", name=each.name)) for each in api.resources),
    ]


def _facts() -> dict[str, Any]:
    """What chapters show: the API, and the rules themselves."""
    api = read_reference(documents.openapi())
    return {
        "api": api,
        "guides": GUIDES,
        "errors": list_errors(),
        "programs": write_programs(container().settings.base_url),
        "receivers": list_receivers(),
        "delivery": sample_delivery(),
        "settings": container().settings,
        "rules": webhooks,
        "retention": retention,
        "max_megabytes": limits.MAX_FILE_MEGABYTES,
        "formats": FORMATS,
        "photo_limits": photo_limits,
        "max_frames": MAX_FRAMES,
    }


@blueprint.app_template_filter()
def duration(length: timedelta | float) -> str:
    """A length of time, where a number means seconds, in the largest unit that leaves no fraction."""
    seconds = length.total_seconds() if isinstance(length, timedelta) else length
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        # Days are used from two days on: "24 hours" is more exact than "1 day".
        if seconds % size == 0 and seconds >= (2 * size if unit == "day" else size):
            return _write_count(seconds / size, unit)
    return _write_count(seconds, "second")


def _write_count(count: float, unit: str) -> str:
    return f"{count:g} {unit}" + ("" if count == 1 else "s")
