"""The results of an order: looked at beside the photos, downloaded, and said to be not right."""

from urllib.parse import urlsplit

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.complaints import LABELS, MAX_NOTE
from app.domain.errors import InvalidRequest, NotFound
from app.portal.figures import in_words
from app.portal.orders import complaint_form
from app.portal.orders.complaint_form import ComplaintForm
from app.portal.visitors import for_signed_in, visitor
from app.services import archives, complaints, downloads, results
from app.services.downloads import Version
from app.services.results import ResultsPage
from app.web.context import container
from app.web.files import attachment

blueprint = for_signed_in(Blueprint("results", __name__, url_prefix="/orders/<job_id>"))


@blueprint.get("/results")
def index(job_id: str) -> ResponseReturnValue:
    """All results, one of them large beside its photo; the order's own page while, or once, there are none."""
    page = _read(job_id)
    if page is None:
        return redirect(url_for("jobs.show", job_id=job_id), 303)
    here = container()
    if page.lacks_previews:
        with here.database.unit_of_work() as session:
            results.want_previews(session, page, here.clock())
    return render_template("portal/orders/results/index.html", **_shown(page, request.args.get("photo", type=int)))


@blueprint.post("/results/<image_id>/download")
def download(job_id: str, image_id: str) -> ResponseReturnValue:
    """Deliver the order if this is the first download, and lead to the file under a link made for this moment.

    A form, not a link: what browsers fetch ahead of a click must not deliver.
    """
    here, version = container(), _version()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, visitor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        url = downloads.link(session, here.storage, job.id, image_id, version, seconds)
    return redirect(_at_this_host(url), 303)


@blueprint.post("/results.zip", endpoint="zip")
def archive(job_id: str) -> ResponseReturnValue:
    """The same with all pictures in one ZIP, made while it is sent."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, visitor().account_id, job_id, here.clock())
        files = archives.entries(session, here.storage, job, originals="originals" in request.form)
    packed = archives.pack(here.storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(f"{archives.folder_of(job)}.zip")
    return response


@blueprint.post("/results/<image_id>/not-right")
def complain(job_id: str, image_id: str) -> ResponseReturnValue:
    """Keep what the customer says is not right with a result, in place of what they said before."""
    here, form = container(), ComplaintForm()
    said = (form.flaws.data or [], form.note.data or "")
    try:
        with here.database.unit_of_work() as session:
            complaints.say(session, visitor().account_id, job_id, image_id, *said, here.clock())
    except InvalidRequest as refused:
        form.take(refused)
        return _refused(job_id, image_id, form)
    flash("Your answer is saved. Staff see it beside the picture; the order and its price stay as they are.")
    return _back_to(job_id, image_id)


@blueprint.post("/results/<image_id>/not-right/delete")
def withdraw(job_id: str, image_id: str) -> ResponseReturnValue:
    """Forget what they said."""
    with container().database.unit_of_work() as session:
        complaints.take_back(session, visitor().account_id, job_id, image_id)
    flash("Your answer is taken back.")
    return _back_to(job_id, image_id)


def _read(job_id: str) -> ResultsPage | None:
    with container().database.reading() as session:
        return results.read(session, visitor().account_id, job_id)


def _back_to(job_id: str, image_id: str) -> ResponseReturnValue:
    page = _read(job_id)
    return redirect(url_for("results.index", job_id=job_id, photo=page.number_of(image_id) if page else None), 303)


def _refused(job_id: str, image_id: str, form: ComplaintForm) -> ResponseReturnValue:
    page = _read(job_id)
    if page is None:
        raise NotFound
    return render_template("portal/orders/results/index.html", **_shown(page, page.number_of(image_id), form)), 422


def _shown(page: ResultsPage, number: int | None, form: ComplaintForm | None = None) -> dict[str, object]:
    place = page.chosen(number)
    chosen = page.shown[place]
    return {
        "page": page,
        "chosen": chosen,
        "previous": page.shown[place - 1] if place else None,
        "following": page.shown[place + 1] if place + 1 < len(page.shown) else None,
        "figures": in_words(chosen.report.figures),
        "versions": Version,
        "archive_bytes": results.archive_bytes(page, container().storage),
        "form": form or complaint_form.filled(chosen),
        "flaws": complaint_form.offered(chosen),
        "flaw_labels": LABELS,
        "max_note": MAX_NOTE,
    }


def _version() -> Version:
    try:
        return Version(request.form.get("version", Version.RESULT))
    except ValueError:
        raise NotFound from None


def _at_this_host(url: str) -> str:
    """A link of our own as a path: the browser may know us by another name than BASE_URL, and our policy lets forms
    lead nowhere but to where they came from.
    """
    parts = urlsplit(url)
    own = parts.netloc == urlsplit(container().settings.base_url).netloc
    return parts._replace(scheme="", netloc="").geturl() if own else url
