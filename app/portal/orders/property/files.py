"""Pictures of a property downloaded together: the selected ones, or all."""

from flask import Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.file_names import attachment
from app.domain.lifecycle import DOWNLOADABLE
from app.domain.sizes import read_size
from app.portal.orders.property.blueprint import blueprint
from app.portal.visitors import visitor
from app.services.orders import properties
from app.services.photos import downloads, zip_downloads
from app.web.context import container

PHOTO, ALL = "photo", "all"


@blueprint.post("/<property_id>/results.zip", endpoint="zip")
def archive(property_id: str) -> ResponseReturnValue:
    """Send the pictures in one ZIP, packed while it is sent; each order with one of the pictures is delivered."""
    here, account_id = container(), visitor().account_id
    chosen = None if ALL in request.form else frozenset(request.form.getlist(PHOTO))
    with here.database.unit_of_work() as session:
        found = properties.find(session, account_id, property_id)
        if chosen is not None and not chosen:
            flash("Select the photos to download first, or download all.", "error")
            return redirect(url_for("properties.show", property_id=property_id, _anchor="photos"), 303)
        ready = [job for job in found if job.status in DOWNLOADABLE and job.expired_at is None]
        wanted = (ready or found) if chosen is None else properties.pick(session, found, chosen)
        jobs = downloads.deliver_several(session, account_id, [job.id for job in wanted], here.clock())
        size = read_size(request.form.get("size"))
        extras = {"originals": "originals" in request.form, "bases": "bases" in request.form}
        try:
            files = zip_downloads.entries_of_property(session, here.storage, jobs, chosen, size=size, **extras)
        except Conflict as being_made:
            flash(being_made.message, "error")
            return redirect(url_for("properties.show", property_id=property_id, _anchor="photos"), 303)
    packed = zip_downloads.stream_zip(here.storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(f"{zip_downloads.folder_of(jobs[0])}.zip")
    return response
