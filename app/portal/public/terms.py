"""Terms of refund and retention in plain words; every number is the one that the service itself uses."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain import credit_packs, limits
from app.domain.order_files import MAX_PHOTOS
from app.domain.retention import (
    ACTIVITY_KEPT,
    ANSWERS_KEPT,
    DELIVERIES_KEPT,
    DRAFTS_KEPT,
    HELD_DELIVERIES_KEPT,
    MAIL_KEPT,
    UPLOADS_KEPT,
)
from app.domain.revisions import find_window
from app.portal.page_blueprint import PageBlueprint
from app.web.context import container

blueprint = PageBlueprint("terms", __name__)


@blueprint.get("/terms")
def show() -> ResponseReturnValue:
    """When credits are refunded, and how long each kind of data is kept."""
    settings = container().settings
    return render_template(
        "portal/public/terms.html",
        settings=settings,
        packs=credit_packs,
        max_photos=MAX_PHOTOS,
        revisable_for=find_window(settings.retention_seconds),
        max_megabytes=limits.MAX_FILE_MEGABYTES,
        kept=(
            ("Photos uploaded by a program and never ordered", UPLOADS_KEPT, "after the upload began"),
            ("An order you started and did not place", DRAFTS_KEPT, "after its last change"),
            ("Photos and results of an order", settings.retention_seconds, "after it became ready or was refunded"),
            ("A link to upload a photo", settings.upload_url_seconds, "after it was made"),
            (
                "A link to download a result",
                settings.download_url_seconds,
                "after it was made; you can get another",
            ),
            ("Webhook deliveries in your log", DELIVERIES_KEPT, "after they were settled"),
            ("Deliveries held for a webhook that is off", HELD_DELIVERIES_KEPT, "after they came up"),
            ("Answers kept for an Idempotency-Key", ANSWERS_KEPT, "after the first request"),
            ("The text of mail we sent", MAIL_KEPT, "after it was sent"),
            ("The list of what members of an account did", ACTIVITY_KEPT, "after it was done"),
        ),
    )
