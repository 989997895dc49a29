"""The results of an order: looked at beside the photos, downloaded, and said to be not right."""

from collections.abc import Iterable

from flask import Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from sqlalchemy.orm import Session
from wtforms import SelectMultipleField, TextAreaField

from app.domain.complaints import LABELS, MAX_NOTE, list_flaws
from app.domain.disclosure.listing import say_with_original
from app.domain.errors import InvalidRequest, NotFound
from app.domain.file_names import attachment
from app.models import Job, ShareLink
from app.portal.figures import describe_figures
from app.portal.file_links import strip_own_host
from app.portal.forms import clean_text
from app.portal.orders import mls_packs
from app.portal.orders import shares as share_pages
from app.portal.orders.public_page import YEARS
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos import archives, complaints, downloads, public_pages, results, shares, variant_requests
from app.services.photos.downloads import Variant
from app.services.photos.results import ResultsPage, ShownResult
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("results", __name__, url_prefix="/orders/<job_id>"))


class ComplaintForm(FlaskForm):
    """What a customer says of one result; what may be said is the service's to say, see add_errors()."""

    flaws = SelectMultipleField("What is wrong?", choices=[], validate_choice=False)
    note = TextAreaField("In your own words (optional)", filters=[clean_text])

    def add_errors(self, refused: InvalidRequest) -> None:
        """Show what the service refused on the field it is about."""
        for name, message in (refused.details or {}).items():
            self[name].errors = [*self[name].errors, message]


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


@blueprint.post("/results/<image_id>/not-right")
def complain(job_id: str, image_id: str) -> ResponseReturnValue:
    """Keep what the customer says is not right with a result, in place of what they said before."""
    here, form = container(), ComplaintForm()
    said = (form.flaws.data or [], form.note.data or "")
    try:
        with here.database.unit_of_work() as session:
            complaints.submit(session, visitor().account_id, job_id, image_id, *said, here.clock())
    except InvalidRequest as refused:
        form.add_errors(refused)
        return _show_refusal(job_id, image_id, form)
    flash("Your answer is saved. Staff see it beside the picture; the order and its price stay as they are.")
    return _redirect_to(job_id, image_id)


@blueprint.post("/results/<image_id>/not-right/delete")
def withdraw(job_id: str, image_id: str) -> ResponseReturnValue:
    """Forget what they said."""
    with container().database.unit_of_work() as session:
        complaints.withdraw(session, visitor().account_id, job_id, image_id)
    flash("Your answer is taken back.")
    return _redirect_to(job_id, image_id)


def _read(job_id: str) -> ResultsPage | None:
    with container().database.read_session() as session:
        return results.read(session, visitor().account_id, job_id, container().clock())


def _redirect_to(job_id: str, image_id: str) -> ResponseReturnValue:
    page = _read(job_id)
    return redirect(url_for("results.index", job_id=job_id, photo=page.number_of(image_id) if page else None), 303)


def _show_refusal(job_id: str, image_id: str, form: ComplaintForm) -> ResponseReturnValue:
    page = _read(job_id)
    if page is None:
        raise NotFound
    return render_template(
        "portal/orders/results/index.html", **_describe(page, page.number_of(image_id), form)
    ), 422


def _describe(page: ResultsPage, number: int | None, form: ComplaintForm | None = None) -> dict[str, object]:
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
        "form": form or _fill_form(chosen),
        "flaws": _list_flaws(chosen),
        "flaw_labels": LABELS,
        "max_note": MAX_NOTE,
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


def _list_flaws(shown: ShownResult) -> Iterable[tuple[str, str]]:
    """The kinds to choose from for a result, by their words."""
    return [(flaw.value, LABELS[flaw]) for flaw in list_flaws(shown.report.applied)]


def _fill_form(shown: ShownResult) -> ComplaintForm:
    """The form as it stands for a result: with what was said before, if anything was."""
    said = shown.complaint
    return ComplaintForm(formdata=None, data={"flaws": said.flaws, "note": said.note} if said else None)
