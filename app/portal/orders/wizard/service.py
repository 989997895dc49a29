"""Step 2: which photos the order is for."""

from decimal import Decimal

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalog import ENTRIES, ServiceType
from app.domain.drafts import Step
from app.domain.pricing import PricedPhoto, make_priced_photo, quote
from app.portal.orders.wizard.steps import (
    blueprint,
    is_leaving,
    page,
    read_version,
    redirect_to_next,
    redirect_to_problem,
    render_step,
    save_content,
)
from engine.types.enhancements import PhotoType


@blueprint.get("/<draft_id>/service")
def service() -> ResponseReturnValue:
    """The form with the choice of a service; redirects where an earlier page is not complete."""
    return redirect_to_problem(Step.SERVICE) or _page(page().content.service_type)


@blueprint.post("/<draft_id>/service")
def save_service() -> ResponseReturnValue:
    """Save the choice. It matters only while there are no photos: later the types of the photos decide."""
    name = request.form.get("service_type", "")
    chosen = ServiceType(name) if name in list(ServiceType) else None
    if chosen is None and not is_leaving():
        return _page(None, 422)
    if chosen is not None and not save_content(
        lambda content: content.model_copy(update={"service_type": chosen}), read_version()
    ):
        return _page(chosen, 409)
    return redirect_to_next(Step.SERVICE)


def price_from(service: ServiceType) -> Decimal:
    """The price of the cheapest order with this service: one photo of each type, each with its cheapest
    enhancement.
    """
    photos = [_find_cheapest(photo_type) for photo_type in PhotoType if service.covers(photo_type)]
    return quote(photos).credits


def _find_cheapest(photo_type: PhotoType) -> PricedPhoto:
    every = (make_priced_photo(each.id) for each in ENTRIES.values() if each.group is photo_type)
    return min(every, key=lambda photo: quote([photo]).credits)


def _page(chosen: ServiceType | None, http_status: int = 200) -> ResponseReturnValue:
    prices = {service: price_from(service) for service in ServiceType}
    return render_step(Step.SERVICE, "service", http_status, chosen=chosen, prices=prices, fault=http_status == 422)
