"""The current price: that of the draft with the choices on the page, which are not saved yet."""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.drafts import DraftOrder, Step
from app.domain.errors import InvalidRequest
from app.portal.orders.wizard.photo_form import PhotoForm
from app.portal.orders.wizard.steps import blueprint, find_photo, page, render_step


@blueprint.post("/<draft_id>/price/photo")
def price() -> ResponseReturnValue:
    """Render the total and its warnings; nothing is saved."""
    try:
        order = _read_order()
    except InvalidRequest:
        order = page().order
    return render_step(Step.ENHANCEMENTS, "_total", quote=page().price(order), swap=True)


def _read_order() -> DraftOrder:
    photo = find_photo(request.form.get("photo", ""))
    return page().order.with_edit_request(photo.id, PhotoForm.sent().edit_request())
