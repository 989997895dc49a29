"""What the chosen effects would do to the photos of the draft: read for its pages, and asked of workers."""

from sqlalchemy.orm import Session

from app.portal.orders.wizard.steps import page
from app.portal.visitors import visitor
from app.services.orders import draft_forecasts
from app.services.orders.draft_forecasts import NO_FORECASTS, DraftForecasts
from app.web.context import container


def read_forecasts(session: Session) -> DraftForecasts:
    """What the chosen effects would do to the photos. While previews are being made, nothing is asked, because the
    same workers make them.
    """
    if page().waiting or page().arriving:
        return NO_FORECASTS
    rows, facts = page().rows, page().facts
    versions = {
        photo.id: rows[photo.id].sha256 or (facts[photo.storage_key].sha256 if photo.storage_key in facts else None)
        for photo in page().order.photos
    }
    return draft_forecasts.read(session, visitor().account_id, page().order, versions)


def ask_for_forecasts(found: DraftForecasts) -> None:
    """Have workers look at the next photos that nobody asked about."""
    if found.unasked:
        here = container()
        with here.database.unit_of_work() as session:
            draft_forecasts.ask(session, found, here.clock())
