"""The documentation as pages: an index of all operations, guides, resources with their operations, and errors."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

from flask import Response, make_response, render_template
from flask.typing import ResponseReturnValue

from app.portal import safe_html
from app.portal.docs import content, own_key
from app.portal.docs.content import DocsPage
from app.portal.page_blueprint import PageBlueprint
from app.portal.snippets import KEY_PLACE, fill_in_key, write_programs
from app.services.security import docs_keys
from app.web.context import container

blueprint = PageBlueprint("docs", __name__, url_prefix="/docs")
for write in (safe_html.paragraphs, safe_html.line, safe_html.code):
    blueprint.add_app_template_filter(write)


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The first page."""
    return _render(content.find_index())


@blueprint.get("/<name>")
def guide(name: str) -> ResponseReturnValue:
    """One guide, about something that all operations have in common."""
    return _render(content.find_guide(name))


@blueprint.get("/api/<name>")
def resource(name: str) -> ResponseReturnValue:
    """Everything that is needed to call the operations of one resource."""
    return _render(content.find_resource(name))


@blueprint.get("/errors/<code>")
def error(code: str) -> ResponseReturnValue:
    """What a code means, and what to do about it."""
    return _render(content.find_error(code))


def _render(page: DocsPage) -> Response:
    """The page. Its examples have the visitor's own test key, if there is one."""
    pages = [*content.list_guides(), *content.list_resources()]
    following = next((after for here, after in pairwise(pages) if here.address == page.address), None)
    found = own_key.find() if page.shows_key else None
    values: dict[str, Any] = {"page": page, "following": following}
    values |= {"own_key": found, "key_lifetime": docs_keys.VALID_FOR}
    if found is not None:
        programs = write_programs(container().settings.base_url, with_key=True)
        values |= {"key": KEY_PLACE, "programs": programs}
    html = render_template("portal/docs/page.html", **content.facts() | values | dict(page.values))
    if found is None:
        return make_response(html)
    answer = make_response(fill_in_key(html, found.secret))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


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
