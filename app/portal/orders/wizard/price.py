"""The running price: what the draft would cost with what is ticked on the page and not yet saved."""

from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalogue import ServiceType
from app.domain.drafts import Sheet, Step
from app.domain.errors import InvalidRequest
from app.portal.orders.wizard.enhancements import read_ticked
from app.portal.orders.wizard.photo_form import PhotoForm
from app.portal.orders.wizard.steps import blueprint, find_photo, page, render_step


@blueprint.post("/<draft_id>/price/<any(service,enhancements,photo):part>")
def price(part: str) -> ResponseReturnValue:
    """The total, and the warnings beside it; nothing is changed."""
    try:
        sheet = _read_sheet(part)
    except InvalidRequest:
        sheet = page().sheet
    return render_step(Step.ENHANCEMENTS, "_total", quote=page().price(sheet), swap=True)


def _read_sheet(part: str) -> Sheet:
    sheet = page().sheet
    if part == "service":
        name = request.form.get("service_type", "")
        service = ServiceType(name) if name in list(ServiceType) else sheet.content.service_type
        return replace(sheet, content=sheet.content.model_copy(update={"service_type": service}))
    if part == "enhancements":
        return replace(sheet, content=read_ticked(sheet.content))
    photo = find_photo(request.form.get("photo", ""))
    return sheet.with_wish(photo.id, PhotoForm.sent().wish())
