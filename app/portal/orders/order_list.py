"""The list of orders: where customers begin."""

from typing import Any

from flask import request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.lifecycle import Status
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import drafts, order_list
from app.services.orders.order_list import OrderFilter
from app.services.pagination import Cursor
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("orders", __name__, url_prefix="/orders"))

EXPIRED = "expired"
POLL_SECONDS = 15


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The account's orders, newest first; the list alone where htmx searches or polls."""
    wanted, at = _read_filter(), _read_cursor()
    with container().database.read_session() as session:
        page = order_list.paginate(session, visitor().account_id, wanted, at)
        around = {} if wants_fragment() else _describe_account(session)
    parts = ("portal/orders/index.html", "portal/orders/_answer.html")
    response = render_page_or_fragment(*parts, page=page, wanted=wanted, **_describe_query(wanted, at), **around)
    if wants_fragment() and not _is_poll():
        # The address in the bar stays that of what is shown, to be reloaded, kept and sent on.
        response.headers["HX-Replace-Url"] = url_for(".index", **_build_query(wanted))
    return response


def _describe_account(session: Session) -> dict[str, Any]:
    """What stands above the list: drafts, and whether the balance reaches for another order like the last one."""
    account_id = visitor().account_id
    last_price = order_list.get_last_price(session, account_id)
    low = not visitor().credits or (last_price is not None and visitor().credits < last_price)
    return {"last_price": last_price, "low": low, "open_drafts": drafts.list_open(session, account_id)}


def _describe_query(wanted: OrderFilter, at: Cursor[str] | None) -> dict[str, Any]:
    place = {"after" if at.newer else "before": at.key} if at else {}
    return {
        "query": _build_query(wanted),
        "place": place,
        "poll": _is_poll(),
        "poll_seconds": POLL_SECONDS,
        "expired": EXPIRED,
    }


def _read_filter() -> OrderFilter:
    given = request.args.get("status", "")
    status = Status(given) if given in list(Status) else None
    return OrderFilter(order_list.plain(request.args.get("q", "")), status, expired=given == EXPIRED)


def _build_query(wanted: OrderFilter) -> dict[str, Any]:
    status = EXPIRED if wanted.expired else wanted.status or ""
    return {name: value for name, value in (("q", wanted.search), ("status", str(status))) if value}


def _read_cursor() -> Cursor[str] | None:
    for name in ("before", "after"):
        if job_id := request.args.get(name):
            return Cursor(job_id, newer=name == "after")
    return None


def _is_poll() -> bool:
    return "poll" in request.args
