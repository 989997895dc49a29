"""Renders how a room would be furnished: the real staging in a small picture, with fewer light paths."""

from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from PIL import Image

from engine.arrays import Pixels
from engine.canvas import Canvas, Declined
from engine.effect import check_needs
from engine.effects.table import EFFECTS
from engine.effects.virtual_staging import furnish_room
from engine.io.hinted_photo import copy_stream, require_hinted_photo
from engine.io.photo import decode
from engine.preview import write_jpeg
from engine.rendering import tracing
from engine.segmentation.hinted_masks import require_fitting_masks
from engine.segmentation.scene import ANALYSIS_SIDE, make_scene, shrink_to
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import NO_HINTS
from engine.types.report import Reason

QUALITY = 82
"""Of the JPEG file, 1-95."""
DETAIL = 0.38
"""How finely light is traced, as a share of that of results."""
_NO_CONTEXT = EngineContext()


@dataclass(frozen=True, slots=True)
class LayoutPreviews:
    """Renders previews of furnished rooms; it implements the service's port `LayoutPreviewer`."""

    def render(self, photo: BinaryIO, request: EditRequest, context: EngineContext = _NO_CONTEXT) -> bytes | None:
        """Furnish a photo of a room as the request would, small and coarsely lit.

        Parameters
        ----------
        photo : BinaryIO
            The photo's file.
        request : EditRequest
            Style and type of the room; its hints are believed, its placements are where the main pieces stand. The
            steps before staging are rehearsed; those after it are left out.
        context : EngineContext, optional
            Opens reference pictures.

        Returns
        -------
        bytes or None
            A JPEG file in sRGB with a long side of at most ANALYSIS_SIDE; None where the room would not be
            furnished: its outlook says why.

        Raises
        ------
        UnusablePhotoError
            Where the file cannot be decoded within the limits, or the hints are for another photo.
        """
        require_hinted_photo(request.hints, [partial(copy_stream, photo)])
        decoded = decode(photo)
        require_fitting_masks(request.hints, *decoded.pixels.shape[1::-1])
        small = replace(decoded, pixels=shrink_to(decoded.pixels, ANALYSIS_SIDE))
        del decoded
        scene = make_scene(small, request.hints or NO_HINTS)
        canvas = Canvas(scene.pixels, scene, request, None, context)
        try:
            pixels = _furnish(_rehearse_before(canvas))
        except Declined:
            return None
        return write_jpeg(Image.fromarray(scene.profile.to_srgb(pixels)), QUALITY)


def _rehearse_before(canvas: Canvas) -> Canvas:
    """The canvas after the steps before staging, without those that decline."""
    for enhancement in canvas.request.steps:
        if enhancement is Enhancement.STAGING:
            break
        effect = EFFECTS[enhancement]
        try:
            canvas = canvas.after(effect.rehearse(canvas), empties=effect.empties)
        except Declined:
            continue
    return canvas


def _furnish(canvas: Canvas) -> Pixels:
    """The furnished picture; raises Declined as staging does."""
    effect = EFFECTS[Enhancement.STAGING]
    check_needs(canvas, effect.needs, effect.name)
    if not tracing.is_available():
        raise Declined(Reason.NOT_AVAILABLE, effect.name)
    return furnish_room(canvas, canvas.scene.room, canvas.find_surfaces(), DETAIL).pixels
