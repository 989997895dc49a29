"""What the pipeline holds a step to that worked inside a room: the picture before it against the one after it."""

from collections.abc import Mapping

from app.domain.catalogue import Enhancement
from app.domain.quality import Figure, Reason
from app.engine.canvas import Canvas, Worked
from app.engine.generative.renovation import ANYTHING
from app.engine.indoors import measured, surfaces_left
from app.engine.quality.limits import OPENINGS, SMEARED, Limit
from app.engine.quality.room_figures import STEPS, Inside, measured_inside
from app.engine.segmentation.scene import ANALYSIS_SIDE, shrunken

_WISHED: Mapping[str, Limit] = {OPENINGS: Limit(Reason.OPENING_ADDED)}
"""Where a new door may be the very thing that was asked for."""
_FURNISHED: Mapping[str, Limit] = {**_WISHED, SMEARED: Limit(Reason.MELTED)}
"""Where only furniture of ours was put in, traced from its models: it has no doors and is not smeared, but a
picture that was hung looks like a window to these figures, and a soft cushion like a smear.
"""


def held_in_rooms(canvas: Canvas, step: Enhancement, done: Worked) -> tuple[Figure, ...]:
    """The figures of what `step` made of the canvas, whoever made it; none for other steps and outside of houses.

    Steps for the light come later and are held to their own figures.
    """
    if step not in STEPS or done.region is None or canvas.scene.outdoors:
        return ()
    to_srgb = canvas.scene.profile.to_srgb
    before, after = (to_srgb(shrunken(each, ANALYSIS_SIDE)) for each in (canvas.pixels, done.pixels))
    wished = step is Enhancement.RENOVATION and any(change.type in ANYTHING for change in canvas.wish.changes)
    ours = step is Enhancement.STAGING and canvas.outside is None
    work = Inside(step, before, after, done.region, surfaces_left(canvas), measured(canvas)[0], done.things)
    return measured_inside(work, _FURNISHED if ours else _WISHED if wished else None)
