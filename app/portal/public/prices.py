"""The prices of enhancements and credit packs, and an estimate for any order."""

from decimal import Decimal

from flask import request
from flask.typing import ResponseReturnValue

from app.domain import credit_packs
from app.domain.catalog import ENTRIES, Entry, ServiceType
from app.domain.option_words import describe_choices
from app.domain.order_files import MAX_PHOTOS
from app.domain.pricing import make_priced_photo, quote
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.option_forms import list_options_for_all_types
from app.portal.page_blueprint import PageBlueprint
from app.portal.public.estimates import EstimateRequest, estimate
from app.portal.visitors import current_url
from app.web.context import container
from engine.types.edit_request import MAX_CHANGES
from engine.types.enhancements import Enhancement, PhotoType

blueprint = PageBlueprint("prices", __name__)


@blueprint.get("/prices")
def show() -> ResponseReturnValue:
    """All prices, and the estimate for the query string; for htmx only the estimate, or its faults."""
    here = container()
    found = estimate(EstimateRequest.read(request.args), imagery=here.imagery is not None)
    response = render_page_or_fragment(
        "portal/public/prices.html",
        "portal/public/_estimate.html",
        422 if found.faults and not wants_fragment() else 200,
        estimate=found,
        faults=dict(found.faults),
        imagery=here.imagery is not None,
        generative=here.generative is not None,
        welcome_credits=here.settings.welcome_credits,
        options_of_all=list_options_for_all_types(),
        **_LISTS,
    )
    if wants_fragment() and not found.faults:
        # The browser's address bar follows the estimate that is shown, so that its address can be saved and shared.
        response.headers["HX-Replace-Url"] = current_url()
    return response


def price_alone(entry: Entry) -> Decimal:
    """Credits for an order with only this enhancement on one photo, and one change if the price is per change."""
    return quote([make_priced_photo(entry.id)]).credits


def price_together() -> Decimal:
    """Credits for two exterior enhancements without an extra price; any greater number of them costs the same."""
    plain = [each.id for each in ENTRIES.values() if each.group is PhotoType.EXTERIOR and not each.property_extra]
    return quote([make_priced_photo(*plain[:2])]).credits


def name_unit(entry: Entry) -> str:
    """The unit of the price: `a property`, `a change` or `a photo`."""
    if entry.group is PhotoType.EXTERIOR:
        return "a property"
    return "a change" if entry.id is Enhancement.RENOVATION else "a photo"


_LISTS = {
    "groups": {group: [each for each in ENTRIES.values() if each.group is group] for group in PhotoType},
    "alone": price_alone,
    "unit": name_unit,
    "together": price_together(),
    "choices_of": describe_choices,
    "renovation": Enhancement.RENOVATION,
    "services": {
        ServiceType.EXTERIOR: "Exterior",
        ServiceType.INTERIOR: "Interior",
        ServiceType.BOTH: "Exterior and interior",
    },
    "packs": credit_packs,
    "max_photos": MAX_PHOTOS,
    "max_changes": MAX_CHANGES,
}
