"""Publishing the originals of an order's altered pictures, and withdrawing them."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders.job_pages import JobPage
from app.services.photos import public_pages
from app.web.context import container
from engine.types.file_facts import PersonalDetail

blueprint = for_signed_in(PageBlueprint("public_page", __name__, url_prefix="/orders/<job_id>/public-page"))

YEARS = {1: 12, 2: 24, 5: 60}
"""The choices of how long originals are published: years -> months, because the service counts in months."""
HELD_DETAILS: Final = {
    PersonalDetail.PLACE: "the place",
    PersonalDetail.NAMES: "names",
    PersonalDetail.SERIAL_NUMBERS: "serial numbers",
    PersonalDetail.CAPTIONS: "captions",
}


@blueprint.post("")
def update(job_id: str) -> ResponseReturnValue:
    """Publish the originals, or change what is shown and for how long; their address stays the same."""
    here = container()
    years = request.form.get("years", type=int)
    with here.database.unit_of_work() as session:
        public_pages.publish(
            session,
            visitor().account_id,
            job_id,
            here.clock(),
            shows_address="shows_address" in request.form,
            months=YEARS.get(years or 2, YEARS[2]),
        )
    flash("The originals are published. Put their address next to the altered pictures.")
    return redirect(url_for("properties.show", property_id=job_id, _anchor="public-page"), 303)


def describe_held(page: JobPage) -> Sequence[str]:
    """The personal details in the files of the photos, each with the number of photos: `the place (2)`."""
    keys = {each.photo.storage_key for each in page.photos}
    held = Counter(detail for key, made in page.previews.items() if key in keys for detail in made.holds or ())
    return [f"{words} ({held[detail]})" for detail, words in HELD_DETAILS.items() if held[detail]]


@blueprint.post("/delete")
def delete(job_id: str) -> ResponseReturnValue:
    """Withdraw the originals: their address stops working."""
    here = container()
    with here.database.unit_of_work() as session:
        public_pages.revoke(session, visitor().account_id, job_id, here.clock())
    flash("The originals are no longer published. Their address no longer works.")
    return redirect(url_for("properties.show", property_id=job_id), 303)
