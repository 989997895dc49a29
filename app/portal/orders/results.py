"""Downloading single pictures of an order, and a redirect from the former address of its results."""

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.sizes import read_size
from app.models import Job
from app.portal.file_links import strip_own_host
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import jobs, properties
from app.services.photos import downloads
from app.services.photos.downloads import Variant
from app.services.revisions import revisions
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("results", __name__, url_prefix="/orders/<job_id>"))


@blueprint.get("/results")
def index(job_id: str) -> ResponseReturnValue:
    """Redirect to the page of the photo with this number in the order, or else to the order's page."""
    number = request.args.get("photo", 0, type=int)
    with container().database.read_session() as session:
        job = jobs.get_even_expired(session, visitor().account_id, job_id)
        photo_id = properties.find_photo(session, job, number) if number else None
    if photo_id is None:
        # The page of a single order is a property's page with the order's id in its address.
        return redirect(url_for("properties.show", property_id=job.id), 303)
    return redirect(url_for("properties.photo", property_id=job.property_id, photo_id=photo_id), 303)


@blueprint.post("/results/<image_id>/download")
def download(job_id: str, image_id: str) -> ResponseReturnValue:
    """Redirect to the file by a short-lived link; the first download delivers the order.

    Pages use a form instead of a link, because a browser's prefetch must not deliver the order.
    """
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, visitor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        url = _link(session, job, image_id, seconds)
    return redirect(strip_own_host(url), 303)


def _link(session: Session, job: Job, image_id: str, seconds: int) -> str:
    """The URL of the file that the form names: a round's previous picture, a version made again, or the result."""
    storage = container().storage
    if "before" in request.form:
        wanted = (job, image_id, request.form["before"], seconds)
        return revisions.link(session, storage, *wanted)
    for name, labeled in (("again", False), ("again_labeled", True)):
        if name in request.form:
            variant_key = (job.id, image_id, request.form[name], seconds)
            return downloads.link_variant(session, storage, *variant_key, labeled=labeled)
    if "size" in request.form:
        size = read_size(request.form["size"])
        return downloads.link_copy(session, storage, job.id, image_id, size, seconds)
    return downloads.link(session, storage, job.id, image_id, _read_variant(), seconds)


def _read_variant() -> Variant:
    try:
        return Variant(request.form.get("variant", Variant.ALTERED))
    except ValueError:
        raise NotFound from None
