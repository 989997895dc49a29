"""The current price: that of the draft with the choices on the page, which are not saved yet."""

from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalog import ServiceType
from app.domain.drafts import DraftOrder, Step
from app.domain.errors import InvalidRequest
from app.portal.orders.wizard.photo_form import PhotoForm
from app.portal.orders.wizard.steps import blueprint, find_photo, page, render_step


@blueprint.post("/<draft_id>/price/<any(service,photo):part>")
def price(part: str) -> ResponseReturnValue:
    """Render the total and its warnings; nothing is saved."""
    try:
        order = _read_order(part)
    except InvalidRequest:
        order = page().order
    return render_step(Step.ENHANCEMENTS, "_total", quote=page().price(order), swap=True)


def _read_order(part: str) -> DraftOrder:
    order = page().order
    if part == "service":
        name = request.form.get("service_type", "")
        service = ServiceType(name) if name in list(ServiceType) else order.content.service_type
        kinds = {photo.type for photo in order.photos}
        chosen = order.content.model_copy(update={"service_type": service})
        return replace(order, content=chosen.for_photos(kinds))
    photo = find_photo(request.form.get("photo", ""))
    return order.with_edit_request(photo.id, PhotoForm.sent().edit_request())
