"""The results of an order: looked at beside the photos and downloaded."""

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.disclosure.listing import say_with_original
from app.domain.errors import NotFound
from app.domain.file_names import attachment
from app.models import Job, ShareLink
from app.portal.figures import describe_figures
from app.portal.file_links import strip_own_host
from app.portal.orders import mls_packs, revision_words
from app.portal.orders import shares as share_pages
from app.portal.orders.public_page import YEARS
from app.portal.orders.revision_words import SendBackForm
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos import (
    archives,
    downloads,
    public_pages,
    results,
    revision_requests,
    shares,
    variant_requests,
)
from app.services.photos.downloads import Variant
from app.services.photos.results import ResultsPage, ShownResult
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("results", __name__, url_prefix="/orders/<job_id>"))


@blueprint.get("/results")
def index(job_id: str) -> ResponseReturnValue:
    """All results, one of them large beside its photo; the order's own page while, or once, there are none."""
    page = _read(job_id)
    if page is None:
        return redirect(url_for("jobs.show", job_id=job_id), 303)
    here = container()
    if page.lacks_previews:
        with here.database.unit_of_work() as session:
            results.request_previews(session, page, here.clock())
    return render_template(
        "portal/orders/results/index.html", **_describe(page, request.args.get("photo", type=int))
    )


@blueprint.post("/results/<image_id>/download")
def download(job_id: str, image_id: str) -> ResponseReturnValue:
    """Deliver the order if this is the first download, and lead to the file under a link made for this moment.

    A form, not a link: what browsers fetch ahead of a click must not deliver.
    """
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, visitor().account_id, job_id, here.clock())
        seconds = here.settings.download_url_seconds
        url = _link(session, job, image_id, seconds)
    return redirect(strip_own_host(url), 303)


@blueprint.post("/results.zip", endpoint="zip")
def archive(job_id: str) -> ResponseReturnValue:
    """The same with all pictures in one ZIP, made while it is sent."""
    here = container()
    with here.database.unit_of_work() as session:
        job = downloads.deliver(session, visitor().account_id, job_id, here.clock())
        originals, bases = "originals" in request.form, "bases" in request.form
        files = archives.entries(session, here.storage, job, originals=originals, bases=bases)
    packed = archives.pack(here.storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(f"{archives.folder_of(job)}.zip")
    return response


def show_refusal(job_id: str, image_id: str, form: SendBackForm) -> ResponseReturnValue:
    """The page with a form that was refused. Raises NotFound."""
    page = _read(job_id)
    if page is None:
        raise NotFound
    shown = render_template("portal/orders/results/index.html", **_describe(page, page.number_of(image_id), form))
    return shown, 422


def _read(job_id: str) -> ResultsPage | None:
    with container().database.read_session() as session:
        return results.read(session, visitor().account_id, job_id, container().clock())


def _describe(page: ResultsPage, number: int | None, form: SendBackForm | None = None) -> dict[str, object]:
    place = page.chosen(number)
    chosen = page.shown[place]
    return {
        "page": page,
        "chosen": chosen,
        "previous": page.shown[place - 1] if place else None,
        "following": page.shown[place + 1] if place + 1 < len(page.shown) else None,
        "figures": describe_figures(chosen.report.figures),
        "variants": Variant,
        "public_page": page.public_page,
        "public_url": public_pages.url_of(container().settings.base_url, page.public_page)
        if page.public_page
        else None,
        "said_with_original": _say_with_original(page, chosen),
        **mls_packs.describe(page),
        **share_pages.describe(_read_links(page.job.id)),
        "years": YEARS,
        "archive_bytes": results.archive_bytes(page, container().storage),
        **revision_words.describe(page.job, chosen, form),
    }


def _read_links(job_id: str) -> list[ShareLink]:
    with container().database.read_session() as session:
        return list(shares.of_job(session, job_id))


def _say_with_original(page: ResultsPage, chosen: ShownResult) -> str | None:
    """What the listing says of the picture, with the address of its original where that is published."""
    if page.public_page is None or chosen.caption is None:
        return None
    url = public_pages.url_of(container().settings.base_url, page.public_page)
    return say_with_original(chosen.caption, f"{url}/{chosen.number}")


def _link(session: Session, job: Job, image_id: str, seconds: int) -> str:
    """To the file that the form asks for: one of the picture's own, or a version of it that was made again."""
    storage = container().storage
    if "before" in request.form:
        asked_for = (job, image_id, request.form["before"], seconds)
        return revision_requests.link(session, storage, *asked_for)
    for name, labelled in (("again", False), ("again_labelled", True)):
        if name in request.form:
            asked = (job.id, image_id, request.form[name], seconds)
            return variant_requests.link(session, storage, *asked, labelled=labelled)
    return downloads.link(session, storage, job.id, image_id, _read_variant(), seconds)


def _read_variant() -> Variant:
    try:
        return Variant(request.form.get("variant", Variant.ALTERED))
    except ValueError:
        raise NotFound from None
