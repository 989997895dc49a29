"""The service type of the order. It follows from the photos, unless the customer limits the order to one type of
photo.
"""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.catalog import ServiceType
from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.steps import save_content

BY_PHOTOS = ""
UNKNOWN = "Choose the service type from the list."


@blueprint.post("/<draft_id>/service")
def save_service() -> ResponseReturnValue:
    """Save the choice. Photos that it does not cover stay in the draft, and are not ordered."""
    name = request.form.get("service_type")
    if name is None or name not in (BY_PHOTOS, *ServiceType):
        return refuse(UNKNOWN, anchor="service")
    chosen = ServiceType(name) if name else None
    save_content(lambda content: content.model_copy(update={"service_type": chosen}))
    return answer("The service type is saved.", anchor="basket")
