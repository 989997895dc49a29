"""Virtual staging: the generative server furnishes the room where there is one, else this machine does."""

from functools import partial

from app.domain import prompts
from app.engine.generative.editing import Errand, edited
from app.engine.generative.removal import CEILING
from app.engine.staging.furnishing import UNSAID
from app.engine.step import Canvas, Worked


def stage(canvas: Canvas) -> Worked:
    """Furniture and decor appear by the server's hand. Raises Declined as editing.edited."""
    words = partial(prompts.staging, canvas.wish.staging or UNSAID)
    return edited(canvas, Errand("Virtual staging", words, CEILING))
