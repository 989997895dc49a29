"""Deliveries for staff: the failed, held or late deliveries of all accounts, and one with its attempts."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.portal.page_blueprint import PageBlueprint
from app.portal.staff import query_strings
from app.portal.staff import words as staff_words
from app.portal.staff.confirmation import open_actions
from app.portal.visitors import require_staff
from app.services.staff import deliveries as staff_deliveries
from app.services.staff.deliveries import DeliveryGroup, StaffDeliveryFilter
from app.web.context import container

blueprint = require_staff(PageBlueprint("staff_deliveries", __name__, url_prefix="/staff/deliveries"))


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The deliveries of one group: failed, held or late."""
    now, after = container().clock(), request.args.get("after")
    wanted = StaffDeliveryFilter(
        query_strings.read_choice("show", DeliveryGroup, DeliveryGroup.FAILED), query_strings.read_text()
    )
    with container().database.read_session() as session:
        page = staff_deliveries.paginate(session, wanted, now, after)
    query = query_strings.build_query(
        q=wanted.search, show="" if wanted.show is DeliveryGroup.FAILED else wanted.show
    )
    values = {"wanted": wanted, "query": query, "after": after, "kinds": DeliveryGroup, "now": now}
    return render_template("portal/staff/deliveries.html", page=page, words=staff_words, **values)


@blueprint.get("/<delivery_id>")
def show(delivery_id: str) -> ResponseReturnValue:
    """One delivery with its attempts."""
    return _page(delivery_id)


@blueprint.post("/<delivery_id>/redeliver")
def redeliver(delivery_id: str) -> ResponseReturnValue:
    """Send the delivery once more."""
    try:
        with open_actions() as actions:
            actions.redeliver(delivery_id)
    except Conflict as refused:
        return _page(delivery_id, refused.message, 409)
    flash("Sent again: same content, same delivery id.")
    return redirect(url_for("staff_deliveries.show", delivery_id=delivery_id), 303)


def _page(delivery_id: str, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    with container().database.read_session() as session:
        found = staff_deliveries.describe(session, delivery_id)
    values = {
        "words": staff_words,
        "refusal": refusal,
        "delivery": found.delivery,
        "webhook": found.delivery.webhook,
    }
    return render_template("portal/staff/delivery.html", found=found, **values), http_status
