"""The results of an order: looked at, compared with the photos, downloaded one by one or all together."""

from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import NotFound
from app.portal.figures import in_words
from app.portal.visitors import for_signed_in, visitor
from app.services import archives, downloads, results
from app.services.downloads import Version
from app.services.results import ResultsPage
from app.web.context import container
from app.web.files import attachment

blueprint = for_signed_in(Blueprint("results", __name__, url_prefix="/orders/<job_id>"))


@blueprint.get("/results")
def index(job_id: str) -> ResponseReturnValue:
    """All results, one of them large beside its photo; the order's own page while, or once, there are none."""
    here = container()
    with here.database.reading() as session:
        page = results.read(session, visitor().account_id, job_id)
    if page is None:
        return redirect(url_for("jobs.show", job_id=job_id), 303)
    if page.lacks_previews:
        with here.database.unit_of_work() as session:
            results.want_previews(session, page, here.clock())
    return render_template("portal/results/index.html", **_shown(page))


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


def _shown(page: ResultsPage) -> dict[str, object]:
    place = page.chosen(request.args.get("photo", type=int))
    chosen = page.shown[place]
    return {
        "page": page,
        "chosen": chosen,
        "previous": page.shown[place - 1] if place else None,
        "following": page.shown[place + 1] if place + 1 < len(page.shown) else None,
        "figures": in_words(chosen.report.figures),
        "versions": Version,
        "archive_bytes": results.archive_bytes(page, container().storage),
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
