"""The documentation as pages: an index of all operations, guides, resources with their operations, and errors."""

from datetime import timedelta
from itertools import pairwise

from flask import render_template
from flask.typing import ResponseReturnValue

from app.portal import safe_html
from app.portal.docs import content
from app.portal.docs.content import DocsPage
from app.portal.page_blueprint import PageBlueprint

blueprint = PageBlueprint("docs", __name__, url_prefix="/docs")
for write in (safe_html.paragraphs, safe_html.line, safe_html.code):
    blueprint.add_app_template_filter(write)


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The first page."""
    return _render(content.find_index())


@blueprint.get("/<name>")
def guide(name: str) -> ResponseReturnValue:
    """What all operations have in common, one subject on each page."""
    return _render(content.find_guide(name))


@blueprint.get("/api/<name>")
def resource(name: str) -> ResponseReturnValue:
    """All that is needed to call the operations of one resource."""
    return _render(content.find_resource(name))


@blueprint.get("/errors/<code>")
def error(code: str) -> ResponseReturnValue:
    """What a code means, and what to do about it."""
    return _render(content.find_error(code))


def _render(page: DocsPage) -> str:
    pages = [*content.list_guides(), *content.list_resources()]
    following = next((after for here, after in pairwise(pages) if here.address == page.address), None)
    values = {"page": page, "following": following}
    return render_template("portal/docs/page.html", **content.facts() | values | dict(page.values))


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
