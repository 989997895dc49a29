"""Virtual renovation: the generative server replaces surfaces by a description or reference pictures.

If possible, one call makes all changes of a photo, because the step is paid, refused and refunded as a whole, new
surfaces must suit each other, and each further call costs sharpness and money.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from engine.arrays import plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.generative import prompts
from engine.generative.drift import NEW_OPENING_LIMITS, RENOVATION_LIMITS
from engine.generative.editing import EditTask, edit_by_server, require_server
from engine.generative.frame import encode_reference
from engine.generative.regions import find_renovation_region
from engine.quality.limits import Limit
from engine.types.context import EngineContext
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason

NAME = "Virtual renovation"
MAX_CHANGES = 8
"""Most changes in one call."""
MAX_REFERENCES = 12
"""Most reference pictures in one call. OpenAI's interface takes 16 pictures, the photo among them."""
LOW_SURFACE_CHANGES = frozenset({ChangeType.FLOOR, ChangeType.COUNTERTOPS, ChangeType.BACKSPLASH})
"""Changes of surfaces without long lines in the upper part of a photo; the gate's own limits apply to them."""
OPENING_CHANGES = frozenset({ChangeType.EXTERIOR, ChangeType.OTHER})
"""Changes that may include a new door or window."""


def renovate_by_server(canvas: Canvas) -> EffectResult:
    """Change the surfaces of the canvas as the request describes.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit, with its request and its access to the server.

    Returns
    -------
    EffectResult
        The edited picture, the region changed, and the figures of all calls.

    Raises
    ------
    Declined
        NOT_AVAILABLE without a server, NOT_CHANGED without a change, REFERENCE_UNUSABLE for an unusable reference
        picture (before anything is paid); else as `edit_by_server`.
    ServerUnavailableError
        Where the server cannot be asked now and the photo may be done later.
    """
    context = require_server(canvas, NAME).context
    changes = canvas.request.changes
    if not changes:
        raise Declined(Reason.NOT_CHANGED, f"{NAME} was not done: no change was described.")
    pictures = {key: _open_reference(context, key) for change in changes for key in change.reference_images}
    done = EffectResult(canvas.pixels)
    for batch in split_into_batches(changes):
        references = tuple(pictures[key] for change in batch for key in change.reference_images)
        done = _join_results(
            done, edit_by_server(replace(canvas, pixels=done.pixels), _make_task(batch, references))
        )
    return done


def split_into_batches(changes: Sequence[RenovationChange]) -> Iterator[tuple[RenovationChange, ...]]:
    """Split the changes, in their order, into batches of one call each, as few as the limits allow.

    Parameters
    ----------
    changes : Sequence of RenovationChange
        All changes of a photo.

    Yields
    ------
    tuple of RenovationChange
        At most MAX_CHANGES changes, with at most MAX_REFERENCES pictures unless one change alone has more.
    """
    batch: list[RenovationChange] = []
    for change in changes:
        reference_count = sum(len(each.reference_images) for each in batch)
        if batch and (len(batch) == MAX_CHANGES or reference_count + len(change.reference_images) > MAX_REFERENCES):
            yield tuple(batch)
            batch = []
        batch.append(change)
    if batch:
        yield tuple(batch)


def _make_task(batch: tuple[RenovationChange, ...], references: tuple[bytes, ...]) -> EditTask:
    types = {change.type for change in batch}
    limits: Mapping[str, Limit] = {}
    if types & OPENING_CHANGES:
        limits = NEW_OPENING_LIMITS
    elif not types <= LOW_SURFACE_CHANGES:
        limits = RENOVATION_LIMITS
    find_region = partial(find_renovation_region, types=types)
    return EditTask(NAME, partial(prompts.make_renovation_prompt, batch), find_region, limits, True, references)


def _open_reference(context: EngineContext, key: str) -> bytes:
    try:
        with context.open_reference(key) as picture:
            return encode_reference(picture)
    except (UnusablePhotoError, FileNotFoundError):
        text = f"{NAME} was not done: a reference picture is missing, damaged, too large or no photo."
        raise Declined(Reason.REFERENCE_UNUSABLE, text) from None


def _join_results(first: EffectResult, second: EffectResult) -> EffectResult:
    if first.region is None or second.region is None:
        return second
    region = plane(np.maximum(first.region, second.region))
    return EffectResult(second.pixels, region, first.figures + second.figures)
