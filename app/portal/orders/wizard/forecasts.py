"""Requests for forecasts of what the chosen effects would do to the photos of the draft."""

from app.portal.orders.wizard.steps import page
from app.services.orders import draft_forecasts
from app.web.context import container


def ask_for_forecasts() -> None:
    """Request forecasts from workers for the next photos without a request. While files arrive or previews are
    being made, nothing is requested, because the same workers make the previews.
    """
    if page().forecasts.unasked and page().is_grouping_known:
        here = container()
        with here.database.unit_of_work() as session:
            draft_forecasts.ask(session, page().forecasts, here.clock())
