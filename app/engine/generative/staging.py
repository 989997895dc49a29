"""Virtual staging: the generative server furnishes the room in the style asked."""

from functools import partial

from app.domain import prompts
from app.domain.catalogue import RoomType, Style
from app.domain.ports import Staging
from app.engine.generative.editing import Errand, edited
from app.engine.generative.removal import CEILING
from app.engine.step import Canvas, Worked

UNSAID = Staging(Style.MODERN, RoomType.OTHER)
"""For a wish without a word on it, as decisions.md has it."""


def stage(canvas: Canvas) -> Worked:
    """Furniture and decor appear. Raises Declined: NOT_AVAILABLE without a server, else as editing.edited."""
    words = partial(prompts.staging, canvas.wish.staging or UNSAID)
    return edited(canvas, Errand("Virtual staging", words, CEILING))
