"""Virtual renovation: declined until the engine can rectify surfaces and lay new materials on them."""

from app.domain.quality import Reason
from app.engine.step import Canvas, Declined, Worked


def renovate(_: Canvas) -> Worked:
    """Declines with NOT_AVAILABLE."""
    raise Declined(Reason.NOT_AVAILABLE, "Virtual renovation is not available yet for this photo.")
