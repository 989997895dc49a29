"""Declutter and furniture removal: declined until the engine can continue the surfaces behind things."""

from app.domain.quality import Reason
from app.engine.step import Canvas, Declined, Worked


def declutter(_: Canvas) -> Worked:
    """Declines with NOT_AVAILABLE."""
    raise Declined(Reason.NOT_AVAILABLE, "Decluttering is not available yet for this photo.")


def remove_furniture(_: Canvas) -> Worked:
    """Declines with NOT_AVAILABLE."""
    raise Declined(Reason.NOT_AVAILABLE, "Furniture removal is not available yet for this photo.")
