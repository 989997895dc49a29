"""The button that places the order as it was shown, or all orders that the draft is split into."""

import re
from decimal import Decimal

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import InsufficientCredits, InvalidFields
from app.portal.orders.board.basket import describe_problems
from app.portal.orders.board.page import blueprint, render_board
from app.portal.orders.wizard.problems import problems_of
from app.portal.orders.wizard.steps import draft_id, is_leaving, leave_wizard, page, reload_page
from app.portal.visitors import visitor
from app.services.orders.draft_orders import AgreedOrder, DraftOrders, Outcome
from app.web.context import container

_TOTAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
INVALID_TOTAL = Decimal(-1)
"""The total that stands for text that no page can have sent. It equals no price, so no order is placed."""


@blueprint.post("/<draft_id>/place")
def place() -> ResponseReturnValue:
    """Place the order as it was shown, and only once, even if the button is pressed twice."""
    if is_leaving():
        return leave_wizard()
    if problems := page().list_problems():
        return render_board(422, faults=describe_problems(problems))
    here = container()
    draft_orders = DraftOrders(
        here.database, here.storage, here.imagery is not None, here.time_limit, here.upload_quota
    )
    try:
        outcome = draft_orders.place(visitor().account_id, draft_id(), _read_agreed_order(), here.clock())
    except InsufficientCredits as refusal:
        return render_board(402, shortfall=refusal.details or {})
    except InvalidFields as refusal:
        reload_page()
        return render_board(422, faults=describe_problems(problems_of(page().ordered, refusal.faults)))
    if not outcome.job_ids:
        reload_page()
        return render_board(409, agreed_total=_read_agreed_order().credits)
    return _redirect_to_orders(outcome)


def _redirect_to_orders(outcome: Outcome) -> ResponseReturnValue:
    count = len(outcome.job_ids)
    what = (
        "order is placed. This page shows its"
        if count == 1
        else f"{count} orders are placed. This page shows their"
    )
    flash(f"Your {what} progress.")
    return redirect(url_for("properties.show", property_id=draft_id()), 303)


def _read_agreed_order() -> AgreedOrder:
    # Decimal would also read 1e9999999, which would take very long to format.
    text = request.form.get("total", "")
    total = Decimal(text) if _TOTAL.fullmatch(text) else INVALID_TOTAL
    return AgreedOrder(total, request.form.get("mark", ""), request.form.get("accepts_barred") == "yes")
