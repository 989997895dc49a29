"""Step 5: the whole order once more, with its price, and the button that places it."""

import re
from decimal import ROUND_CEILING, Decimal
from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import packs
from app.domain.catalogue import ENTRIES, PhotoType
from app.domain.disclosure.listing import find_barred
from app.domain.draft_orders import listing_of
from app.domain.drafts import DraftedPhoto, DraftOrder, Step
from app.domain.errors import InsufficientCredits, InvalidFields
from app.portal.orders.wizard.problems import problems_of
from app.portal.orders.wizard.steps import (
    blueprint,
    go_on,
    is_leaving,
    link_problems,
    page,
    redirect_to_problem,
    reload_page,
    render_step,
)
from app.portal.orders.words import AskedEnhancement, describe
from app.portal.visitors import visitor
from app.services.billing import credits
from app.services.orders import draft_orders
from app.services.orders.draft_orders import AgreedOrder, DraftOrders
from app.web.context import container

_TOTAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,2})?")
NOTHING_SHOWN = Decimal(-1)
"""No price of ours."""


@blueprint.get("/<draft_id>/review")
def review() -> ResponseReturnValue:
    """The summary."""
    return redirect_to_problem(Step.REVIEW) or _page()


@blueprint.post("/<draft_id>/review")
def place() -> ResponseReturnValue:
    """Place the order as it was shown, once, however often the button is pressed."""
    if is_leaving():
        return go_on(Step.REVIEW)
    here = container()
    orders = DraftOrders(here.database, here.storage, here.imagery is not None, here.time_limit)
    try:
        outcome = orders.place(visitor().account_id, page().draft.id, _read_agreed_order(), here.clock())
    except InsufficientCredits as refusal:
        return _page(402, amounts=refusal.details or {})
    except InvalidFields as refusal:
        reload_page()
        return _page(422, faults=link_problems(problems_of(page().order, refusal.faults)))
    if outcome.job_id is None:
        reload_page()
        return redirect_to_problem(Step.REVIEW) or _page(409, before=_read_agreed_order().credits)
    flash("Your order is placed. We are working on it now, and this page follows the work.")
    return redirect(url_for("jobs.show", job_id=outcome.job_id), 303)


def _round_up(shortfall: Decimal) -> Decimal:
    """As many credits as are missing, in the steps in which they are sold."""
    return (shortfall / packs.STEP).to_integral_value(ROUND_CEILING) * packs.STEP


def _read_agreed_order() -> AgreedOrder:
    # Only what a page of ours can have said; a number like 1e9999999 would be long to write out again.
    text = request.form.get("total", "")
    total = Decimal(text) if _TOTAL.fullmatch(text) else NOTHING_SHOWN
    return AgreedOrder(total, request.form.get("mark", ""), request.form.get("accepts_barred") == "yes")


def _page(http_status: int = 200, **values: Any) -> ResponseReturnValue:
    here, order = container(), page().order
    with here.database.read_session() as session:
        balance = credits.balance(session, visitor().account_id)
    try:
        mark = draft_orders.mark(order)
    except InvalidFields:
        mark = ""
    missing = page().price().credits - balance
    given: dict[str, Any] = {
        "balance": balance,
        "to_buy": _round_up(missing) if missing > 0 else None,
        "mark": mark,
        "faults": [],
        "amounts": None,
        "before": None,
        "settings": here.settings,
        "back_url": url_for("drafts.each"),
        "single": _describe_single_photos(order),
        **_describe_rules(order),
    }
    return render_step(Step.REVIEW, "review", http_status, **given | values)


def _describe_single_photos(order: DraftOrder) -> list[tuple[DraftedPhoto, list[AskedEnhancement]]]:
    """What is done to each photo where what is said for all does not say it: its own list or options, its room, its
    changes.
    """
    photos = [photo for kind in PhotoType for photo in order.photos_of(kind)]
    return [(photo, describe(order.edit_request(photo))) for photo in photos if _is_single(order, photo)]


def _is_single(order: DraftOrder, photo: DraftedPhoto) -> bool:
    own, whole = photo.edit_request, order.edit_request(photo)
    in_room = describe(whole.model_copy(update={"options": None}))
    has_own = own.enhancements is not None or own.chosen_options.only_for(whole.steps) is not None
    return has_own or any(each.details for each in in_room)


def _describe_rules(order: DraftOrder) -> dict[str, Any]:
    """Whose rules on altered pictures hold, what they bar of the order, and what they have told of its pictures."""
    listing = listing_of(order)
    steps = [each for photo in order.priced() for each in photo.edit_request.steps]
    told = [(rule, rule.label_for(steps)) for rule in listing.rules]
    return {
        "rules": listing.rules,
        "told": [(rule, words) for rule, words in told if words],
        "barred": [(rule, ENTRIES[each], rule.effects[each].words) for rule, each in find_barred(listing, steps)],
        "accepts_barred": request.form.get("accepts_barred") == "yes",
    }
