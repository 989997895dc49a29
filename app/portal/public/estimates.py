"""Estimates of the price of an order, without a draft: read from a query string, priced like every order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from app.domain.catalog import ENTRIES, ServiceType
from app.domain.credit_packs import Offer, is_on_sale, offer
from app.domain.errors import InvalidFields
from app.domain.field_errors import Fault
from app.domain.order_files import MAX_PHOTOS
from app.domain.order_rules import read_quote
from app.domain.pricing import Quote, quote
from engine.types.edit_request import MAX_CHANGES
from engine.types.enhancements import ChangeType, Enhancement, PhotoType

_CHANGE = {"changeType": ChangeType.OTHER, "changeDescription": "Not described yet.", "referenceText": "Words."}
"""A change that stands for any change, because the price depends on the number of changes, not on their content."""


@dataclass(frozen=True, slots=True)
class EstimateRequest:
    """The form as it was filled in. `changes`: how many changes are made to each renovated photo."""

    service: str = ServiceType.BOTH.value
    exterior: str = "5"
    interior: str = "10"
    changes: str = "1"
    enhancements: tuple[str, ...] = (Enhancement.GRASS.value, Enhancement.SKY.value, Enhancement.HDR.value)

    @staticmethod
    def read(query: MultiDict[str, str]) -> "EstimateRequest":
        """Read the form from the query string; an example if the query string has none of its fields."""
        if not query.keys() & {"service", "exterior", "interior", "changes", "enhancement"}:
            return EstimateRequest()
        counts = {name: query.get(name, "").strip() for name in ("exterior", "interior", "changes")}
        return EstimateRequest(query.get("service", ""), **counts, enhancements=tuple(query.getlist("enhancement")))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The price, or the faults that prevent one: pairs of a field's id and a message."""

    request: EstimateRequest
    quote: Quote | None
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def offer(self) -> Offer | None:
        """The price of buying exactly these credits; None if that number of credits is not sold at once."""
        is_sold = self.quote is not None and is_on_sale(self.quote.credits)
        return offer(self.quote.credits) if self.quote is not None and is_sold else None


def estimate(request: EstimateRequest, *, imagery: bool) -> Estimate:
    """Price the form by the rules of orders. `imagery`: whether there is a source of public imagery."""
    try:
        order = read_quote(_build_order(request), imagery)
    except InvalidFields as refused:
        return Estimate(request, None, tuple(_describe_faults(refused.faults, imagery)))
    return Estimate(request, quote([photo.priced for photo in order.photos()]))


def _build_order(request: EstimateRequest) -> dict[str, Any]:
    """The form as a quote request of the API, without photos that its service does not cover."""
    order: dict[str, Any] = {"serviceType": request.service}
    covered = ServiceType(request.service) if request.service in list(ServiceType) else None
    for group in PhotoType:
        if covered and covered.covers(group):
            order[f"{group}Count"] = _read_count(getattr(request, group.value))
            order[f"{group}Enhancements"] = [name for name in request.enhancements if _find_group(name) is group]
    if Enhancement.RENOVATION in order.get("interiorEnhancements", ()):
        order["renovations"] = _build_renovations(order["interiorCount"], _read_count(request.changes))
    return order


def _find_group(name: str) -> PhotoType | None:
    return ENTRIES[Enhancement(name)].group if name in list(Enhancement) else None


def _build_renovations(photos: int | str, changes: int | str) -> dict[str, Any]:
    if not isinstance(photos, int) or photos > MAX_PHOTOS:
        return {}
    entries = [_CHANGE] * min(changes, MAX_CHANGES + 1) if isinstance(changes, int) else []
    return {str(index): entries for index in range(photos)}


def _read_count(text: str) -> int | str:
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else text


def _describe_faults(faults: Sequence[Fault], imagery: bool) -> Iterable[tuple[str, str]]:
    """The form's fields at fault with their messages, each field once, in the order of the form."""
    heads = {fault.where[0] for fault in faults if fault.where}
    minimum = 0 if imagery else 1
    messages = {
        "serviceType": ("service", "Choose which photos the order is for."),
        "exteriorCount": (
            "exterior",
            f"Enter how many exterior photos, a whole number from {minimum} to {MAX_PHOTOS}.",
        ),
        "exteriorEnhancements": ("for-exterior", "Choose at least one enhancement for the exterior photos."),
        "interiorCount": ("interior", f"Enter how many interior photos, a whole number from 1 to {MAX_PHOTOS}."),
        "interiorEnhancements": ("for-interior", "Choose at least one enhancement for the interior photos."),
        "renovations": (
            "changes",
            f"Enter how many changes to each photo, a whole number from 1 to {MAX_CHANGES}.",
        ),
    }
    return (message for head, message in messages.items() if head in heads)
