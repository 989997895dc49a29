"""The documentation: the whole API on one page, made from its OpenAPI document and the rules themselves."""

from collections.abc import Sequence
from datetime import timedelta

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain import limits, retention, webhooks
from app.portal import safe_html
from app.portal.page_blueprint import PageBlueprint
from app.portal.public.reference import RefusalReference, read_reference
from app.portal.snippets import list_receivers, sample_delivery, write_programs
from app.web import documents
from app.web.context import container
from app.web.errors import STATUS
from engine.types import photo_limits
from engine.types.media import FORMATS
from engine.types.photo_limits import MAX_FRAMES

blueprint = PageBlueprint("docs", __name__)
for write in (safe_html.paragraphs, safe_html.line, safe_html.code):
    blueprint.add_app_template_filter(write)


@blueprint.get("/docs")
def show() -> ResponseReturnValue:
    """Everything that is needed to write a client."""
    api = read_reference(documents.openapi())
    return render_template(
        "portal/public/docs/page.html",
        api=api,
        refusals=_list_refusals(),
        programs=write_programs(container().settings.base_url),
        receivers=list_receivers(),
        delivery=sample_delivery(),
        settings=container().settings,
        rules=webhooks,
        retention=retention,
        max_megabytes=limits.MAX_FILE_MEGABYTES,
        formats=FORMATS,
        photo_limits=photo_limits,
        max_frames=MAX_FRAMES,
    )


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


def _list_refusals() -> Sequence[RefusalReference]:
    """Every refusal of the API, with its status and code."""
    return [
        RefusalReference(str(status), f"`{kind.code}`: {(kind.__doc__ or '').splitlines()[0]}")
        for kind, status in STATUS.items()
    ]
