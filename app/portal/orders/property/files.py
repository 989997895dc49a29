"""Pictures of a property downloaded together: the selected ones, or all."""

from collections.abc import Collection, Sequence

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
from app.services.photos.zip_downloads import ArchiveEntry
from app.web.context import container

PHOTO, ALL = "photo", "all"
EXTRAS = {"originals": zip_downloads.ORIGINALS, "bases": zip_downloads.BASES}
"""Checkbox of the form -> subfolder that it adds to the ZIP."""


@blueprint.post("/<property_id>/results.zip", endpoint="zip")
def archive(property_id: str) -> ResponseReturnValue:
    """Send the pictures in one ZIP, packed while it is sent; each order with one of the pictures is delivered."""
    chosen = None if ALL in request.form else frozenset(request.form.getlist(PHOTO))
    try:
        folder, files = _deliver(property_id, chosen)
    except Conflict as refused:
        flash(refused.message, "error")
        return redirect(url_for("properties.show", property_id=property_id, _anchor="photos"), 303)
    packed = zip_downloads.stream_zip(container().storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(f"{folder}.zip")
    return response


def _deliver(property_id: str, chosen: Collection[str] | None) -> tuple[str, Sequence[ArchiveEntry]]:
    """Deliver the orders with the chosen photos, or all; returns the name of their folder, and its files.

    Delivers nothing if it raises NotFound, NotReady, TooLarge, or Conflict: nothing is chosen, or the pictures are
    not made in this size.
    """
    here, account_id = container(), visitor().account_id
    with here.database.unit_of_work() as session:
        found = properties.find(session, account_id, property_id)
        if chosen is not None and not chosen:
            raise Conflict("Select the photos to download first, or download all.")
        ready = [job for job in found if job.status in DOWNLOADABLE and job.expired_at is None]
        wanted = (ready or found) if chosen is None else properties.pick(session, found, chosen)
        jobs = downloads.deliver_several(session, account_id, [job.id for job in wanted], here.clock())
        size = read_size(request.form.get("size"))
        extras = {subfolder for field, subfolder in EXTRAS.items() if field in request.form}
        files = zip_downloads.entries_of_property(session, here.storage, jobs, chosen, size=size, extras=extras)
        return zip_downloads.folder_of(jobs[0]), files
