"""The list of orders, the first page after signing in."""

from typing import Any

from flask import Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.database import Reader
from app.domain.file_names import attachment
from app.domain.lifecycle import Status
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import drafts, order_list
from app.services.orders.order_list import PAGE, ListSort, OrderFilter, OrderRow
from app.services.pagination import Cursor, TwoWayPage
from app.services.photos import downloads, zip_downloads
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("orders", __name__, url_prefix="/orders"))

EXPIRED = "expired"
CHOSEN = "ids"
"""The name of the checkboxes of orders to be downloaded together."""
SORT_LABELS = {
    ListSort.NEWEST: "Newest first",
    ListSort.OLDEST: "Oldest first",
    ListSort.ADDRESS: "Address",
}
POLL_SECONDS = 15
_ANY = "any"
"""Placeholder for an order's id in a URL; like an id, it needs no escaping."""


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's orders, filtered and sorted; htmx gets only the list."""
    wanted, at = _read_filter(), _read_cursor()
    with container().database.read_connection() as reader:
        page = order_list.paginate(reader, visitor().account_id, wanted, at)
        is_top = at is None and wanted == OrderFilter() and not wants_fragment()
        values_above = _describe_account(reader, page) if is_top else {}
    parts = ("portal/orders/index.html", "portal/orders/_answer.html")
    shown = {**_describe_page(page), **_describe_query(wanted, at), **values_above}
    response = render_page_or_fragment(*parts, wanted=wanted, **shown)
    if wants_fragment() and not _is_poll():
        # The browser's address bar follows the list that is shown, so that its address can be saved and shared.
        response.headers["HX-Replace-Url"] = url_for(".index", **_build_query(wanted))
    return response


@blueprint.post("/download.zip", endpoint="zip")
def archive() -> ResponseReturnValue:
    """Send the pictures of the ticked orders in one ZIP, packed while it is sent; each order is delivered."""
    here, chosen = container(), list(dict.fromkeys(request.form.getlist(CHOSEN)))
    if not 0 < len(chosen) <= PAGE:
        flash(f"Select 1 to {PAGE} orders that are ready, then download them.", "error")
        return redirect(url_for(".index"), 303)
    with here.database.unit_of_work() as session:
        jobs = downloads.deliver_several(session, visitor().account_id, chosen, here.clock())
        files = zip_downloads.entries_of_several(session, here.storage, jobs)
    packed = zip_downloads.stream_zip(here.storage, files)
    response = Response(iter(packed), direct_passthrough=True, mimetype="application/zip")
    response.content_length = len(packed)
    response.headers["Content-Disposition"] = attachment(f"orders-{here.clock():%Y-%m-%d}.zip")
    return response


def _describe_account(reader: Reader, page: TwoWayPage[OrderRow, str]) -> dict[str, Any]:
    """The values above the list: open drafts, and whether the balance is below the price of the last order."""
    balance, last_price = visitor().credits, page.rows[0].credit_cost if page.rows else None
    low = not balance or (last_price is not None and balance < last_price)
    return {"last_price": last_price, "low": low, "open_drafts": drafts.list_open(reader, visitor().account_id)}


def _describe_page(page: TwoWayPage[OrderRow, str]) -> dict[str, Any]:
    return {
        "page": page,
        "is_polled": any(row.unfinished for row in page.rows),
        "downloadable": any(row.downloadable for row in page.rows),
        # The orders' URLs differ only in the id, and building a URL takes longer than the rest of the row.
        "properties": url_for("properties.show", property_id=_ANY).removesuffix(_ANY),
    }


def _describe_query(wanted: OrderFilter, at: Cursor[str] | None) -> dict[str, Any]:
    place = {"after" if at.newer else "before": at.key} if at else {}
    return {
        "query": _build_query(wanted),
        "place": place,
        "poll": _is_poll(),
        "poll_seconds": POLL_SECONDS,
        "expired": EXPIRED,
        "sorts": SORT_LABELS,
        "chosen": set(request.args.getlist(CHOSEN)),
        "max_chosen": PAGE,
    }


def _read_filter() -> OrderFilter:
    given, sorted_by = request.args.get("status", ""), request.args.get("sort", "")
    status = Status(given) if given in list(Status) else None
    sort = ListSort(sorted_by) if sorted_by in list(ListSort) else ListSort.NEWEST
    return OrderFilter(order_list.plain(request.args.get("q", "")), status, expired=given == EXPIRED, sort=sort)


def _build_query(wanted: OrderFilter) -> dict[str, Any]:
    status = EXPIRED if wanted.expired else wanted.status or ""
    sort = "" if wanted.sort is ListSort.NEWEST else wanted.sort.value
    parameters = (("q", wanted.search), ("status", str(status)), ("sort", sort))
    return {name: value for name, value in parameters if value}


def _read_cursor() -> Cursor[str] | None:
    for name in ("before", "after"):
        if job_id := request.args.get(name):
            return Cursor(job_id, newer=name == "after")
    return None


def _is_poll() -> bool:
    return "poll" in request.args
