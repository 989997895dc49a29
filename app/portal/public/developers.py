"""For developers: keys, the API calls of an order, webhooks and checking their signatures, and safe retries."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain import limits, webhooks
from app.domain.keys import MAX_KEYS
from app.domain.retention import ANSWERS_KEPT
from app.portal.docs.reference import read_reference
from app.portal.page_blueprint import PageBlueprint
from app.portal.snippets import sample_delivery
from app.web import documents
from app.web.context import container

blueprint = PageBlueprint("developers", __name__)

CALLS = ("create_upload_urls", "create_order_from_uploads", "show_downloads")
"""The API operations that every order needs."""


@blueprint.get("/developers")
def show() -> ResponseReturnValue:
    """An overview for developers, before the full documentation."""
    api = read_reference(documents.openapi())
    return render_template(
        "portal/public/developers.html",
        api=api,
        calls=[api.operations[name] for name in CALLS],
        delivery=sample_delivery(),
        rules=webhooks,
        settings=container().settings,
        answers_kept=ANSWERS_KEPT,
        max_keys=MAX_KEYS,
        max_megabytes=limits.MAX_FILE_MEGABYTES,
    )
