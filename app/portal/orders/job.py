"""Ordering again: the same photos, or the declined steps of one photo; and redirects from former addresses of
orders.
"""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import jobs, reorders
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("jobs", __name__, url_prefix="/orders"))


@blueprint.get("/<job_id>")
@blueprint.get("/<job_id>/card", endpoint="card")
def show(job_id: str) -> ResponseReturnValue:
    """Redirect from a former address to the page of the order."""
    with container().database.read_session() as session:
        job = jobs.get_even_expired(session, visitor().account_id, job_id)
    return redirect(url_for("properties.show", property_id=job.id), 303)


@blueprint.post("/<job_id>/again")
def again(job_id: str) -> ResponseReturnValue:
    """Begin a new order with the same photos, or with one of them."""
    here, photo_id = container(), request.form.get("photo") or None
    draft_id = reorders.make_draft(
        here.database, here.storage, visitor().account_id, job_id, here.upload_quota, here.clock(), photo_id
    )
    what = "The photo and everything you chose are" if photo_id else "The photos and everything you chose are"
    flash(f"{what} here. Change what you like before you place the order.")
    return redirect(url_for("drafts.show", draft_id=draft_id), 303)


@blueprint.post("/<job_id>/photos/<photo_id>/show-us")
def show_us(job_id: str, photo_id: str) -> ResponseReturnValue:
    """Begin a new order of the photo's declined steps, at the question whose answer helps."""
    here = container()
    whose = (visitor().account_id, job_id, photo_id)
    made = reorders.order_declined(here.database, here.storage, *whose, here.upload_quota, here.clock())
    flash("This is a new order, with only what could not be done. You pay when you place it.")
    page = url_for("drafts.hints", draft_id=made.draft_id, photo_id=made.photo_id, part=made.part)
    return redirect(page, 303)
