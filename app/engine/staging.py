"""Virtual staging: declined until the engine can place furniture in the room's own perspective and light."""

from app.domain.quality import Reason
from app.engine.step import Canvas, Declined, Worked


def stage(_: Canvas) -> Worked:
    """Declines with NOT_AVAILABLE."""
    raise Declined(Reason.NOT_AVAILABLE, "Virtual staging is not available yet for this photo.")
