"""Declutter and furniture removal: the generative server takes things away and continues what is behind."""

from app.domain import prompts
from app.engine.canvas import Canvas, Worked
from app.engine.generative.drift import EMPTYING, MODEST
from app.engine.generative.editing import Errand, edited
from app.engine.generative.regions import clutter_region, furniture_region


def declutter(canvas: Canvas) -> Worked:
    """Loose things go. Raises Declined: NOT_AVAILABLE without a server, else as editing.edited."""
    return edited(canvas, Errand("Decluttering", prompts.decluttering, clutter_region, MODEST))


def remove_furniture(canvas: Canvas) -> Worked:
    """All furniture goes. Raises Declined: NOT_AVAILABLE without a server, else as editing.edited."""
    return edited(canvas, Errand("Furniture removal", prompts.emptying, furniture_region, EMPTYING))
