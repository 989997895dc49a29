"""One photo of a property: its result beside it, what was done and checked, its files, and sending it back."""

from collections.abc import Sequence
from typing import Any

from flask import render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.disclosure.listing import add_original_link
from app.domain.errors import NotFound, require_found
from app.models import Job
from app.portal.figures import describe_figures
from app.portal.orders import revision_words
from app.portal.orders import shares as share_pages
from app.portal.orders import words as job_words
from app.portal.orders.property.blueprint import blueprint
from app.portal.orders.revision_words import SendBackForm
from app.portal.visitors import visitor
from app.services.orders import declines, job_pages, jobs, properties
from app.services.orders.job_pages import PhotoState
from app.services.photos import public_pages, results, shares
from app.services.photos.downloads import Variant
from app.services.photos.results import ResultsPage, ShownResult
from app.web.context import container

TEMPLATE = "portal/orders/property/photo.html"


@blueprint.get("/<property_id>/photos/<photo_id>")
def photo(property_id: str, photo_id: str) -> ResponseReturnValue:
    """The page of one photo, with its result once its owner may see it."""
    here = container()
    with here.database.read_session() as session:
        found = properties.find(session, visitor().account_id, property_id)
        places = properties.list_photos(session, found)
        job = _find_job(found, dict(places).get(photo_id))
        page = results.read(session, job.account_id, job.id, here.clock())
        chosen = page.find(photo_id) if page else None
        place_values = _describe_place(property_id, job, places, photo_id)
        if page is None or chosen is None:
            return render_template(TEMPLATE, **place_values, **_describe_unseen(session, job, photo_id))
        given = _describe_seen(session, page, chosen)
    if page.lacks_previews:
        with here.database.unit_of_work() as session:
            results.request_previews(session, page, here.clock())
    return render_template(TEMPLATE, **place_values, **given)


def show_refusal(job_id: str, image_id: str, form: SendBackForm) -> ResponseReturnValue:
    """The page of the photo with this result, and the refused form to send it back. Raises NotFound."""
    here, account_id = container(), visitor().account_id
    with here.database.read_session() as session:
        page = results.read(session, account_id, job_id, here.clock())
        photo_id = results.find_photo(session, job_id, image_id)
        if page is None or photo_id is None:
            raise NotFound
        chosen, property_id = page.find(photo_id), page.job.property_id
        places = properties.list_photos(session, properties.find(session, account_id, property_id))
        place_values = _describe_place(property_id, page.job, places, photo_id)
        given = (
            _describe_seen(session, page, chosen, form)
            if chosen
            else _describe_unseen(session, page.job, photo_id, form)
        )
        return render_template(TEMPLATE, **place_values, **given), 422


def url_of_image(job_id: str, image_id: str, anchor: str) -> str:
    """The URL of the photo with this result, at `anchor`; the URL of the order if there is no such photo. Raises
    NotFound.
    """
    with container().database.read_session() as session:
        job = jobs.get_even_expired(session, visitor().account_id, job_id)
        photo_id = results.find_photo(session, job.id, image_id)
    if photo_id is None:
        return url_for("properties.show", property_id=job.property_id)
    return url_for("properties.photo", property_id=job.property_id, photo_id=photo_id, _anchor=anchor)


def _find_job(found: Sequence[Job], job_id: str | None) -> Job:
    return require_found(next((each for each in found if each.id == job_id), None))


def _describe_place(property_id: str, job: Job, places: Sequence[tuple[str, str]], photo_id: str) -> dict[str, Any]:
    """The photo's place among all photos of the property, its neighbors, and its number in its order."""
    every = [each for each, _ in places]
    place = every.index(photo_id)
    return {
        "property_id": property_id,
        "job": job,
        "number": [each for each, job_id in places if job_id == job.id].index(photo_id) + 1,
        "place": place + 1,
        "places": len(every),
        "previous": every[place - 1] if place else None,
        "following": every[place + 1] if place + 1 < len(every) else None,
        "words": job_words,
    }


def _describe_seen(
    session: Session, page: ResultsPage, chosen: ShownResult, form: SendBackForm | None = None
) -> dict[str, Any]:
    decline, free_part = declines.find_help(session, page.job, chosen.photo.id)
    return {
        "page": page,
        "chosen": chosen,
        "decline": decline,
        "free_part": free_part,
        "figures": describe_figures(chosen.report.figures),
        "variants": Variant,
        "caption_with_original": _write_caption_with_original(page, chosen),
        **share_pages.describe(list(shares.of_job(session, page.job.id))),
        **revision_words.describe(page.job, chosen, form),
    }


def _describe_unseen(session: Session, job: Job, photo_id: str, form: SendBackForm | None = None) -> dict[str, Any]:
    """The values for a photo without a result that its owner may see: the ordered enhancements and, once decided,
    why there is no result.
    """
    (page,) = job_pages.read_all(session, [job])
    each = next(each for each in page.photos if each.photo.id == photo_id)
    is_rejected = page.ready and each.state is PhotoState.UNUSABLE
    result = each.photo.result if is_rejected else None
    return (revision_words.describe_no_result(job, result, form) if result else {}) | {
        "page": page,
        "chosen": None,
        "each": each,
        "refund_text": job_words.describe_refund(page, each),
        "figures": describe_figures(each.report.figures) if each.report else [],
    }


def _write_caption_with_original(page: ResultsPage, chosen: ShownResult) -> str | None:
    """The caption for the listing, with the address of the original; None if the original is not published."""
    if page.public_page is None or chosen.caption is None:
        return None
    if chosen.number not in {each.number for each in page.public_page.pictures}:
        return None
    url = public_pages.url_of(container().settings.base_url, page.public_page)
    return add_original_link(chosen.caption, f"{url}/{chosen.number}")
