"""Reference pictures: the colour of what they show, for a material that words name, or for paint."""

from dataclasses import replace

import cv2
import numpy as np

from app.domain.catalogue import ChangeType
from app.domain.ports import Aid, Change, UnusablePhotoError
from app.domain.quality import Reason
from app.engine.arrays import Plane, plane
from app.engine.io import decode
from app.engine.renovation.colours import mixed, stained
from app.engine.renovation.finish import Colour, Finish, Stuff
from app.engine.renovation.lexicon import finish_of
from app.engine.scene.analysis import shrunken
from app.engine.step import Declined

SIDE, MARGIN = 160, 0.1
BIN, NEAR = 6.0, 12.0
"""Steps of CIE L*a*b* in which colours are counted, and how far those of one material are apart."""
PAINTED = frozenset({ChangeType.WALLS, ChangeType.CABINETS, ChangeType.COUNTERTOPS})


def wished(aid: Aid, kind: ChangeType, change: Change) -> Finish:
    """The finish that the words ask for, in the colour of the reference pictures where they name none.

    Raises Declined: as finish_of; REFERENCE_UNUSABLE for a picture that cannot be opened.
    """
    if not change.references:
        return finish_of(kind, change.description, change.reference_text)
    colour = mixed([_colour_shown(aid, key) for key in change.references])
    try:
        finish = finish_of(kind, change.description, change.reference_text)
    except Declined as declined:
        if declined.reason is not Reason.NOT_UNDERSTOOD:
            raise
        if kind not in PAINTED:
            text = "Of reference pictures only the colour is taken: please name the material in words too."
            raise Declined(Reason.NOT_UNDERSTOOD, text) from None
        return Finish(Stuff.PAINT, colour, gloss=0.12, said="reference picture")
    if finish.coloured:
        return finish
    shown = colour if finish.stuff is Stuff.PAINT else stained(finish.colour, colour)
    return replace(finish, colour=shown, said=f"{finish.said}, reference picture")


def _colour_shown(aid: Aid, key: str) -> Colour:
    try:
        with aid.open_reference(key) as picture:
            photo = decode(picture)
    except (UnusablePhotoError, FileNotFoundError):
        text = "A reference picture is missing, damaged, too large or no photo."
        raise Declined(Reason.REFERENCE_UNUSABLE, text) from None
    small = plane(photo.profile.to_srgb(shrunken(photo.pixels, SIDE))) / np.float32(255)
    height, width = small.shape[:2]
    edge = int(height * MARGIN), int(width * MARGIN)
    return main_colour(small[edge[0] : height - edge[0], edge[1] : width - edge[1]])


def main_colour(picture: Plane) -> Colour:
    """The colour of most of a gamma-coded sRGB picture (0-1, x 3): the densest place, and the mean around it."""
    lab = plane(cv2.cvtColor(picture, cv2.COLOR_RGB2Lab)).reshape(-1, 3)
    cells, counts = np.unique(np.round(lab / BIN), axis=0, return_counts=True)
    centre = cells[int(np.argmax(counts))] * BIN
    near = lab[np.linalg.norm(lab - centre, axis=1) < NEAR]
    mean = plane((near if len(near) else lab).mean(0)).reshape(1, 1, 3)
    red, green, blue = np.clip(cv2.cvtColor(mean, cv2.COLOR_Lab2RGB)[0, 0], 0, 1)
    return float(red), float(green), float(blue)
