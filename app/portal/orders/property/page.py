"""The photos of a property with their results, and the panel beside them about its order or orders."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.disclosure.listing import caption
from app.domain.lifecycle import DOWNLOADABLE
from app.domain.retention import find_end, find_length
from app.domain.revisions import find_window_end
from app.domain.sizes import DownloadSize
from app.models import Job, StoredPicture
from app.portal.fragments import render_page_or_fragment
from app.portal.orders import mls_packs
from app.portal.orders import shares as share_pages
from app.portal.orders import words as job_words
from app.portal.orders.property import keeping
from app.portal.orders.property.blueprint import blueprint
from app.portal.orders.public_page import YEARS, describe_held
from app.portal.visitors import visitor
from app.services.billing import credits
from app.services.orders import durations, job_pages, properties
from app.services.orders.job_pages import JobPage
from app.services.photos import downloads, naming, packs, pictures, public_pages, shares, variants, zip_downloads
from app.services.previews import previews
from app.web.context import container
from engine.types.options import Privacy

OFTEN_FOR = timedelta(minutes=2)
"""How long after an order's creation its page polls often. Small orders take less time than this."""
OFTEN_POLL_SECONDS, POLL_SECONDS = 5, 15


@blueprint.get("/<order_id:property_id>")
def show(property_id: str) -> ResponseReturnValue:
    """The page of one order. All orders of a draft are also shown together, by the board, at the draft's
    address.
    """
    return render(property_id)


@blueprint.get("/<property_id>/news")
def news(property_id: str) -> ResponseReturnValue:
    """The fragment that htmx polls while an order is unfinished; `state` in the query is the state that the page
    shows.
    """
    return render(property_id)


def render(property_id: str) -> Response:
    """The page, or its fragment for htmx; requests missing previews. Raises NotFound."""
    here, account_id = container(), visitor().account_id
    with here.database.read_session() as session:
        found = properties.find(session, account_id, property_id)
        pages = job_pages.read_all(session, found)
        given = _describe(session, property_id, pages, here.clock())
        if given["changed_orders"]:
            # The balance is read after the orders, because the visitor's `credits` were read earlier and may lack
            # refunds that the orders show.
            given["fresh_credits"] = credits.balance(session, account_id)
    if any(page.lacks_previews for page in pages):
        _request_previews(pages, here.clock())
    if lacking := [key for page in pages for key in _list_without_copies(page)]:
        with here.database.unit_of_work() as session:
            previews.request_copies(session, lacking)
    parts = ("portal/orders/property/show.html", "portal/orders/property/_answer.html")
    return render_page_or_fragment(*parts, **given)


def _describe(session: Session, property_id: str, pages: Sequence[JobPage], now: datetime) -> dict[str, Any]:
    state = ".".join(page.job.status for page in pages)
    shown = request.args.get("state", state).split(".")
    given = {
        "property_id": property_id,
        "orders": pages,
        "address": pages[0].job.address,
        "state": state,
        "changed_orders": [page for page, old in zip(pages, shown, strict=False) if page.job.status != old],
        "unfinished": any(page.unfinished for page in pages),
        "is_polled": any(page.unfinished or _waits_for_previews(page) for page in pages),
        "now": now,
        "keeping": keeping.describe([page.job for page in pages], now),
        "poll_seconds": _poll_seconds(pages, now),
        "words": job_words,
        "page": None,
        "order_count": 1,
        "chosen": None,
        **_describe_files(session, pages),
    }
    if len(pages) == 1:
        given |= _describe_order(session, property_id, pages[0], now)
    return given


def _waits_for_previews(page: JobPage) -> bool:
    """Whether previews of the pictures on the page are still being made."""
    shown = () if page.expired else (page.previews.get(each.picture_key) for each in page.photos)
    return any(preview is None or not (preview.width or preview.error) for preview in shown)


def _poll_seconds(pages: Sequence[JobPage], now: datetime) -> int:
    polls_often = any(page.unfinished and now - page.job.created_at < OFTEN_FOR for page in pages)
    return OFTEN_POLL_SECONDS if polls_often else POLL_SECONDS


def _describe_files(session: Session, pages: Sequence[JobPage]) -> dict[str, Any]:
    """The values about pictures to see and to download, for all orders together."""
    ready = [page for page in pages if page.ready]
    usable = [each.photo.result for page in ready for each in page.photos if each.has_result]
    results = [result for result in usable if result is not None]
    return {
        "ready_count": len(results),
        "zip_bytes": _measure_zips(session, ready),
        "photo_count": sum(len(page.photos) for page in pages),
        "usable_count": sum(page.usable_count for page in pages),
        "has_bases": bool(ready) and _has_bases(session, ready),
        "charged": sum((page.job.credit_cost for page in pages), Decimal()),
        "kept_credits": sum((page.kept_credits for page in pages), Decimal()),
    }


def _measure_zips(session: Session, pages: Sequence[JobPage]) -> dict[str, int | None]:
    """The length of the ZIP of all results in bytes, by size of the pictures; None while the pictures are not made
    in that size.
    """
    if not pages:
        return {}
    shown = [each for page in pages for each in page.photos if each.has_result]
    names = naming.list_names(session, [page.job for page in pages])
    rows = [(each.photo.result, names[each.photo.id]) for each in shown if each.photo.result is not None]
    made = {key: preview for page in pages for key, preview in page.previews.items()}
    folder = zip_downloads.folder_of(pages[0].job)
    return {size.value: zip_downloads.measure(folder, rows, made, size) for size in DownloadSize}


def _list_without_copies(page: JobPage) -> list[str]:
    """The storage keys of results whose smaller copies for downloads were never requested."""
    found = [page.previews.get(each.picture_key) for each in page.photos if each.has_result and page.ready]
    return [preview.source_key for preview in found if preview is not None and not preview.wants_copies]


def _has_bases(session: Session, pages: Sequence[JobPage]) -> bool:
    """Whether any picture has a base version in a separate file."""
    made = variants.get_variants(session, [page.job.id for page in pages])
    every = (each.photo for page in pages for each in page.photos if each.has_result)
    return any(
        isinstance(downloads.find_base(photo.result, photo, made.get(photo.result.id, ())), StoredPicture)
        for photo in every
        if photo.result is not None
    )


def _describe_order(session: Session, property_id: str, page: JobPage, now: datetime) -> dict[str, Any]:
    """The values that are shown only for a single order."""
    job, settings = page.job, container().settings
    kept = job.kept_until, settings.retention_seconds
    duration = durations.estimate(session, job, now)
    given = {
        "page": page,
        "job": job,
        "duration_text": job_words.describe_duration(duration, now - job.created_at) if duration else "",
        "kept_for": find_length(settings.retention_seconds, livemode=job.livemode),
        "kept_until": find_end(job.settled_at, *kept, livemode=job.livemode) if job.settled_at else None,
        "send_back_until": find_window_end(job.settled_at, *kept, livemode=job.livemode)
        if job.settled_at
        else None,
        "downloadable": job.status in DOWNLOADABLE,
        "order_count": properties.count_orders(session, job) if property_id == job.id else 1,
    }
    return given | _describe_more(session, page, now) if page.ready else given


def _describe_more(session: Session, page: JobPage, now: datetime) -> dict[str, Any]:
    """The values for what can be done with results besides downloading: share links, packs, the public page."""
    job = page.job
    public_page = public_pages.find_live(session, job.account_id, job.id, now)
    base_url = container().settings.base_url
    return {
        "public_page": public_page,
        "public_url": public_pages.url_of(base_url, public_page) if public_page else None,
        "years": YEARS,
        "held_details": describe_held(page),
        "blurs": any(each.photo.edit_request.privacy is Privacy.BLURRED for each in page.photos),
        "has_captions": _has_captions(job, page),
        **mls_packs.describe(job, packs.of_job(session, job.id)),
        **share_pages.describe(list(shares.of_job(session, job.id))),
        "poll_seconds": POLL_SECONDS,
    }


def _has_captions(job: Job, page: JobPage) -> bool:
    """Whether a listing has to disclose any of the pictures."""
    listing = job.listing
    reports = (each.report for each in page.photos if each.has_result)
    return any(caption(listing, report.applied) for report in reports if report is not None)


def _request_previews(pages: Sequence[JobPage], now: datetime) -> None:
    """Request missing previews. They are missing for photos whose order ended before workers fetched them."""
    with container().database.unit_of_work() as session:
        for page in pages:
            listing = page.job.listing
            for each in page.photos:
                if each.has_result or not page.unfinished:
                    pictures.request_previews(session, each.photo.storage_key, now)
                if each.has_result and each.report is not None:
                    pictures.request_result_previews(session, listing, each.picture_key, each.report, now)
