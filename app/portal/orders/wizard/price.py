"""The current price: the price of the draft with the choices on the page, which are not saved yet."""

from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.drafts import DraftOrder, Step
from app.domain.errors import InvalidRequest
from app.portal.orders.wizard.draft_page import price_instead
from app.portal.orders.wizard.photo_form import PhotoForm
from app.portal.orders.wizard.steps import blueprint, find_photo, page, read_page, render_step
from app.web.context import container


@blueprint.post("/<draft_id>/price/photo")
def price() -> ResponseReturnValue:
    """Render the total and its warnings; nothing is saved."""
    with container().database.read_session() as session:
        read_page(session)
        try:
            quote = price_instead(session, page(), _read_order())
        except InvalidRequest:
            quote = page().price()
    return render_step(Step.ENHANCEMENTS, "_total", quote=quote, swap=True)


def _read_order() -> DraftOrder:
    photo = find_photo(request.form.get("photo", ""))
    # The form has no field for hints.
    edit_request = replace(PhotoForm.sent().edit_request(), hints=photo.edit_request.hints)
    return page().order.with_edit_request(photo.id, edit_request)
