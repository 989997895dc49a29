"""Versions of a result without some of its steps: requesting them, and following them while they are made."""

from flask import flash, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.portal.fragments import wants_fragment
from app.portal.orders.property.photo import url_of_image
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos import downloads, results
from app.web.context import container
from engine.types.enhancements import Enhancement

blueprint = for_signed_in(
    PageBlueprint("variants", __name__, url_prefix="/orders/<job_id>/results/<image_id>/variants")
)

INVALID_SELECTION = "Select what to leave out: at least one step, but not all."


@blueprint.post("")
def create(job_id: str, image_id: str) -> ResponseReturnValue:
    """Request the picture without the ticked steps; a version that could not be made is tried again."""
    here = container()
    known = {each.value for each in Enhancement}
    left_out = [Enhancement(each) for each in request.form.getlist("without") if each in known]
    try:
        with here.database.unit_of_work() as session:
            downloads.request_without(session, visitor().account_id, job_id, image_id, left_out, here.clock())
    except InvalidRequest:
        flash(INVALID_SELECTION, "error")
    except Conflict as refused:
        flash(refused.message, "error")
    return _redirect_to_photo(job_id, image_id)


@blueprint.get("")
def index(job_id: str, image_id: str) -> ResponseReturnValue:
    """The result's versions for htmx, which polls while one is made; other clients are redirected to the page."""
    if not wants_fragment():
        return _redirect_to_photo(job_id, image_id)
    with container().database.read_session() as session:
        page = results.read(session, visitor().account_id, job_id, container().clock())
    number = page.number_of(image_id) if page else None
    if page is None or number is None:
        raise NotFound
    return render_template(
        "portal/orders/property/_again.html", page=page, chosen=page.shown[page.index_of(number)]
    )


def _redirect_to_photo(job_id: str, image_id: str) -> ResponseReturnValue:
    return redirect(url_of_image(job_id, image_id, "again"), 303)
