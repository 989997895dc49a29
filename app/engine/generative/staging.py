"""Virtual staging: the generative server furnishes the room in the style asked."""

from functools import partial

from app.domain import prompts
from app.domain.ports import Staging
from app.engine.canvas import Canvas, Worked
from app.engine.generative.editing import Errand, edited
from app.engine.generative.regions import staging_region


def stage(canvas: Canvas) -> Worked:
    """Furniture and decor appear. Raises Declined: NOT_AVAILABLE without a server, else as editing.edited."""
    words = partial(prompts.staging, canvas.wish.staging or Staging())
    return edited(canvas, Errand("Virtual staging", words, staging_region))
