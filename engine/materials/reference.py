"""Reads reference pictures: only their color if words name the material, otherwise the material itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.canvas import Declined
from engine.io.photo import decode
from engine.materials.colors import mix_colors, stain_color
from engine.materials.finish import Color, Finish, MaterialKind
from engine.materials.parse_finish import parse_finish
from engine.materials.samples import Sample
from engine.materials.swatch import ASSUMED_WIDTHS, cut_swatch
from engine.materials.swatch import SIDE as SWATCH_SIDE
from engine.segmentation.scene import shrink_to
from engine.types.context import EngineContext
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason

COLOR_SIDE = 160
"""Longer side, in pixels, of the copy of a picture in which its main color is found."""
MARGIN = 0.1
"""Share of that copy's height and width that is ignored at each border."""
COLOR_STEP = 6.0
"""Side of the cells of CIE L*a*b* in which colors are counted."""
MAX_COLOR_DISTANCE = 12.0
"""Colors closer than this to the most frequent cell, in CIE L*a*b*, belong to the same material."""
PAINTABLE = frozenset({ChangeType.WALLS, ChangeType.CABINETS, ChangeType.COUNTERTOPS})
"""Surfaces that are painted in the main color if neither words nor pictures give a material."""


@dataclass(frozen=True, slots=True)
class ChosenFinish:
    """The finish that is asked for, and its sample if a reference picture shows the material."""

    finish: Finish
    sample: Sample | None = None


def choose_finish(context: EngineContext, kind: ChangeType, change: RenovationChange) -> ChosenFinish:
    """Choose the finish that words ask for, in the color of the reference pictures if the words name no color.

    If the words name no material, it is cut from the first picture that shows a flat material from straight ahead;
    without such a picture it is paint.

    Parameters
    ----------
    context : EngineContext
        Opens the reference pictures.
    kind : ChangeType
        The surface to be changed.
    change : RenovationChange
        The words and the keys of the reference pictures.

    Returns
    -------
    ChosenFinish
        The finish, with a sample only if it was cut from a reference picture.

    Raises
    ------
    Declined
        As `parse_finish` does; REFERENCE_UNUSABLE for a picture that cannot be opened.
    """
    if not change.reference_images:
        return ChosenFinish(parse_finish(kind, change.change_description, change.reference_text))
    pictures = [_open_picture(context, key) for key in change.reference_images]
    color = mix_colors([_find_picture_color(each) for each in pictures])
    try:
        finish = parse_finish(kind, change.change_description, change.reference_text)
    except Declined as declined:
        if declined.reason not in (Reason.NOT_UNDERSTOOD, Reason.NOT_AVAILABLE):
            raise
        return _read_pictures(kind, pictures, color, declined)
    if finish.has_color:
        return ChosenFinish(finish)
    shown = color if finish.kind is MaterialKind.PAINT else stain_color(finish.color, color)
    return ChosenFinish(replace(finish, color=shown, understood=f"{finish.understood}, reference picture"))


def _read_pictures(kind: ChangeType, pictures: Sequence[Pixels], color: Color, declined: Declined) -> ChosenFinish:
    """The finish that the pictures show. Raises `declined`, or NOT_UNDERSTOOD if the surface cannot be painted."""
    for picture in pictures:
        sample = cut_swatch(picture, kind)
        if sample is not None:
            note = f"The reference picture was taken to show {ASSUMED_WIDTHS[kind]:g} m of the material."
            return ChosenFinish(
                Finish(MaterialKind.SEEN, color, gloss=0.2, understood="reference picture", notes=(note,)), sample
            )
    if declined.reason is not Reason.NOT_UNDERSTOOD:
        raise declined
    if kind not in PAINTABLE:
        text = (
            "The reference picture shows no material flat and from straight ahead, so that only its color is "
            "taken: please name the material in words too."
        )
        raise Declined(Reason.NOT_UNDERSTOOD, text) from None
    return ChosenFinish(Finish(MaterialKind.PAINT, color, gloss=0.12, understood="reference picture"))


def _open_picture(context: EngineContext, key: str) -> Pixels:
    """The picture in sRGB, shrunk to the size of a swatch."""
    try:
        with context.open_reference(key) as picture:
            photo = decode(picture)
    except (UnusablePhotoError, FileNotFoundError):
        text = "A reference picture is missing, damaged, too large or no photo."
        raise Declined(Reason.REFERENCE_UNUSABLE, text) from None
    return photo.profile.to_srgb(shrink_to(photo.pixels, SWATCH_SIDE))


def _find_picture_color(picture: Pixels) -> Color:
    small = plane(shrink_to(picture, COLOR_SIDE)) / np.float32(255)
    height, width = small.shape[:2]
    edge = int(height * MARGIN), int(width * MARGIN)
    return find_main_color(small[edge[0] : height - edge[0], edge[1] : width - edge[1]])


def find_main_color(picture: Plane) -> Color:
    """The main color of a picture: the mean of the colors near the most frequent cell of CIE L*a*b*.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of float32
        Gamma-coded sRGB, 0-1.

    Returns
    -------
    tuple of float
        Gamma-coded sRGB, 0-1.
    """
    lab = plane(cv2.cvtColor(picture, cv2.COLOR_RGB2Lab)).reshape(-1, 3)
    cells, counts = np.unique(np.round(lab / COLOR_STEP), axis=0, return_counts=True)
    center = cells[int(np.argmax(counts))] * COLOR_STEP
    near = lab[np.linalg.norm(lab - center, axis=1) < MAX_COLOR_DISTANCE]
    mean = plane((near if len(near) else lab).mean(0)).reshape(1, 1, 3)
    red, green, blue = np.clip(cv2.cvtColor(mean, cv2.COLOR_Lab2RGB)[0, 0], 0, 1)
    return float(red), float(green), float(blue)
