"""The basket: the order's price, what is still missing, the rules that apply, and the account's balance."""

from collections import Counter, defaultdict
from decimal import ROUND_CEILING, Decimal
from typing import Any

from flask import request, url_for
from sqlalchemy.orm import Session

from app.domain import credit_packs
from app.domain.catalog import ENTRIES
from app.domain.disclosure.listing import find_barred
from app.domain.draft_orders import listing_of
from app.domain.drafts import DraftOrder
from app.domain.errors import InvalidFields
from app.domain.retention import find_length
from app.portal.orders.wizard.problems import Problem
from app.portal.orders.wizard.steps import link_problems, page
from app.portal.orders.words import describe_duration
from app.portal.visitors import visitor
from app.portal.words import humanize
from app.services.billing import credits
from app.services.orders import draft_orders, drafts, durations
from app.web.context import container
from engine.types.enhancements import PhotoType


def describe_basket(session: Session) -> dict[str, Any]:
    """The values of the basket for the templates."""
    here, order = container(), page().ordered
    balance = credits.balance(session, visitor().account_id)
    duration = durations.estimate_draft(session, order, here.clock())
    try:
        mark = draft_orders.compute_mark(order)
    except InvalidFields:
        mark = ""
    missing = page().price().credits - balance
    return {
        "balance": balance,
        "chosen_service": drafts.content_of(page().draft).service_type,
        "to_buy": _round_up(missing) if missing > 0 else None,
        "mark": mark,
        "duration_text": describe_duration(duration) if duration else "",
        "problems": describe_problems(page().list_problems()),
        "shortfall": None,
        "agreed_total": None,
        "settings": here.settings,
        "kept_for": find_length(here.settings.retention_seconds, livemode=not visitor().acts_in_sandbox),
        "part_counts": [len(part.photos) + part.from_imagery for part in page().parts],
        "left_out": _list_left_out(),
        **_describe_rules(order),
    }


def _list_left_out() -> list[tuple[str, list[str]]]:
    """The effects and changes of renovations that would be declined, each by its name, with the ids of its
    photos.
    """
    order, found = page().order, defaultdict[str, list[str]](list)
    for photo in order.photos:
        for each in page().forecasts.doubtful.get(photo.id, ()):
            name = ENTRIES[each.enhancement].label
            if each.change is not None:
                name += f" ({humanize(order.edit_request(photo).changes[each.change].type).lower()})"
            found[name].append(photo.id)
    return list(found.items())


def describe_problems(problems: list[Problem]) -> list[tuple[str, str]]:
    """The problems as pairs of URL and message. A message about several photos is listed once, with a count."""
    counts = Counter(problem.message for problem in problems if problem.photo_id)
    described: list[tuple[str, str]] = []
    seen = set()
    for problem in problems:
        if not problem.photo_id or counts[problem.message] == 1:
            described += link_problems([problem])
        elif problem.message not in seen:
            seen.add(problem.message)
            url = url_for("board.show", _anchor=f"photo-{problem.photo_id}")
            described.append((url, _describe_several(problem, counts)))
    return described


def _describe_several(problem: Problem, counts: Counter[str]) -> str:
    without_steps = {photo.id for photo in page().order.photos if not page().order.edit_request(photo).steps}
    count = counts[problem.message]
    if problem.photo_id in without_steps:
        return f"{count} photos have no enhancement"
    return f"{count} photos: {problem.message}"


def _round_up(shortfall: Decimal) -> Decimal:
    """The missing credits, rounded up to a number that is sold."""
    return (shortfall / credit_packs.STEP).to_integral_value(ROUND_CEILING) * credit_packs.STEP


def _describe_rules(order: DraftOrder) -> dict[str, Any]:
    """The rules on altered pictures that apply, the ordered steps that they bar, and the words they require."""
    listing = listing_of(order)
    steps = [each for photo in order.priced() for each in photo.edit_request.steps]
    labels = [(rule, rule.label_for(steps)) for rule in listing.rules]
    return {
        "rules": listing.rules,
        "required_words": [(rule, words) for rule, words in labels if words],
        "barred_steps": [
            (rule, ENTRIES[each], rule.effects[each].words) for rule, each in find_barred(listing, steps)
        ],
        "accepts_barred": request.form.get("accepts_barred") == "yes",
        "exterior_order_count": sum(
            any(photo.type is PhotoType.EXTERIOR for photo in part.photos) or part.from_imagery
            for part in page().parts
        ),
    }
