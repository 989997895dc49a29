"""The blueprint of a property's pages, whose views are in the other modules of this package."""

from werkzeug.routing import BaseConverter

from app.domain.ids import Prefix
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in


class OrderId(BaseConverter):
    """Matches ids of orders in URLs. Other ids at the same address are those of drafts, which the board shows."""

    regex = f"{Prefix.JOB}_[^/]+"
    weight = 50


made = PageBlueprint("properties", __name__, url_prefix="/properties")
made.record_once(lambda state: state.app.url_map.converters.update(order_id=OrderId))
blueprint = for_signed_in(made)
