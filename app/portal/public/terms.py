"""Terms of refund and retention in plain words; every number comes from where the service itself takes it."""

from flask import render_template
from flask.typing import ResponseReturnValue

from app.domain import drafts, packs, webhooks
from app.domain.orders import MAX_PHOTOS
from app.portal.page_blueprint import PageBlueprint
from app.services.idempotency import idempotency_records
from app.services.mail import outbox
from app.services.uploads import uploads
from app.web.context import container

blueprint = PageBlueprint("terms", __name__)


@blueprint.get("/terms")
def show() -> ResponseReturnValue:
    """When credits come back, and how long what is kept."""
    settings = container().settings
    return render_template(
        "portal/public/terms.html",
        settings=settings,
        packs=packs,
        max_photos=MAX_PHOTOS,
        max_megabytes=uploads.MAX_MEGABYTES,
        kept=(
            ("Photos uploaded by a program and never ordered", uploads.UNUSED_FOR, "after the upload began"),
            ("An order you began and did not place", drafts.KEPT, "after its last change"),
            ("Photos and results of an order", settings.retention_seconds, "after it became ready or was refunded"),
            ("A link to upload a photo", settings.upload_url_seconds, "after it was made"),
            ("A link to download a result", settings.download_url_seconds, "after it was made; another can be had"),
            ("Webhook deliveries in your log", webhooks.KEPT, "after they were settled"),
            ("Deliveries held for a webhook that is off", webhooks.HELD_KEPT, "after they came up"),
            ("Answers kept for an Idempotency-Key", idempotency_records.KEPT, "after the first request"),
            ("The text of mail we sent", outbox.KEPT, "after it was sent"),
        ),
    )
