"""Step 2: which photos the order is for."""

from decimal import Decimal

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalogue import ENTRIES, PhotoType, ServiceType
from app.domain.drafts import Step
from app.domain.pricing import PricedPhoto, quote
from app.portal.orders.wizard.steps import blueprint, keep, lacks_before, leaving, page, show, version_shown, way_on


@blueprint.get("/<draft_id>/service")
def service() -> ResponseReturnValue:
    """The choice."""
    return lacks_before(Step.SERVICE) or _page(page().content.service_type)


@blueprint.post("/<draft_id>/service")
def save_service() -> ResponseReturnValue:
    """Keep the choice; photos that no longer fit stay in the draft for a change of mind."""
    name = request.form.get("service_type", "")
    chosen = ServiceType(name) if name in list(ServiceType) else None
    if chosen is None and not leaving():
        return _page(None, 422)
    if chosen is not None and not keep(
        lambda content: content.model_copy(update={"service_type": chosen}), version_shown()
    ):
        return _page(chosen, 409)
    return way_on(Step.SERVICE)


def starting_price(service: ServiceType) -> Decimal:
    """The least that an order of the kind can cost: one photo of each type with its cheapest enhancement."""
    photos = [_cheapest(photo_type) for photo_type in PhotoType if service.covers(photo_type)]
    return quote(photos).credits


def _cheapest(photo_type: PhotoType) -> PricedPhoto:
    every = (PricedPhoto(photo_type, [each.id], 1) for each in ENTRIES.values() if each.group is photo_type)
    return min(every, key=lambda photo: quote([photo]).credits)


def _page(chosen: ServiceType | None, http_status: int = 200) -> ResponseReturnValue:
    prices = {service: starting_price(service) for service in ServiceType}
    return show(Step.SERVICE, "service", http_status, chosen=chosen, prices=prices, fault=http_status == 422)
