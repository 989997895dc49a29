"""What the chosen effects would do to the photos of the draft, asked of workers."""

from app.portal.orders.wizard.steps import page
from app.services.orders import draft_forecasts
from app.web.context import container


def ask_for_forecasts() -> None:
    """Have workers look at the next photos that nobody asked about. While files arrive or previews are being made,
    nothing is asked, because the same workers make them.
    """
    if page().forecasts.unasked and page().is_grouping_known:
        here = container()
        with here.database.unit_of_work() as session:
            draft_forecasts.ask(session, page().forecasts, here.clock())
