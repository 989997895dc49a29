"""Finds what hangs on or stands before an outlined surface: pieces of another color than the surface's."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import normalized_convolution

LIGHT_SIGMA, ROUNDS = 1 / 16, 5
"""Sigma, as a share of the long side, over which the light on the surface may change, and rounds of fitting."""
MIN_DIFFERENCE = 9.0
"""Least difference of a piece from the surface around it, in CIELAB: shadows and dirt differ less."""
UNUSUAL = 3.5
"""Least difference as a multiple of the usual difference on the surface: tiles and grain differ from each other."""
SIZES = (5, 0.45)
"""Least width of a piece in pixels of the small picture, and greatest share of the surface that one may cover."""
MAX_PIECES = 40
"""Greatest number of pieces; more are a pattern of the surface."""
MIN_SHARP = 0.55
"""Least share of a piece's outline at which the color steps; light and shadows fade."""
MIN_UNLIKE = (0.12, 0.25)
"""Least share of a thing of the net that is unlike the surface, and of its bounding box over which such pixels are
spread: of a picture in a pale frame little is unlike a wall, but in its middle. Else the net is mistaken."""
MAX_TINT, MAX_UNEVEN, MAX_SHADOW = 5.0, 5.0, 30.0
"""Patches of sun and shadow, in CIELAB: greatest difference in color, deviation in lightness, and darkening."""
MAX_BORDER_TINT = 10.0
"""Greatest difference in color, in CIELAB, of what is at the outline and belongs to the surface: people leave out
what stands before it, and the light changes most in corners."""
MIN_THICKNESS = 6
"""Least thickness, in pixels, of a thing of the net at the outline: a thinner strip is the soft border of a thing
that was left out."""
GLARE = (85.0, 0.01)
"""Lightness, and share of the surface, from which on a patch without color is light rather than a thing; smaller
ones are too, on a surface of this lightness."""
LIGHT_OFFSET = 16.0
"""Lightness plus this is proportional to the cube root of the light, and so are a and b of one material."""
MIN_STEP = 0.5
"""Least step at an outline, as a share of the difference from the surface: the glow of a lamp has no step."""
STEP = 3
"""Pixels to each side of an outline between which colors are compared."""


def find_unlike_pieces(
    part: Mask, small: Plane, closed: Mask, pierced: Mask, *, alone: bool, cornered: bool = False
) -> Mask:
    """Find pieces within an outline that do not show the surface: pictures, lamps, plates, things on a worktop.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        What was taken for the surface, of one outline: it has one color.
    small : (h, w, 3) ndarray of float32
        The picture, gamma-coded sRGB, 0-1.
    closed : (h, w) ndarray of bool
        What the net takes for things without gaps: one is found as a whole if much of it is unlike the surface.
    pierced : (h, w) ndarray of bool
        What the net takes for things through which the surface may be seen: what is unlike it is found.
    alone : bool
        Whether pieces count that the net takes for no thing: not on floors, which mirror the room.
    cornered : bool, default False
        Whether the surface has corners, as walls have: a piece of its color at the outline is wall in other light.

    Returns
    -------
    (h, w) ndarray of bool
        Where they are.
    """
    found = np.zeros_like(part)
    if not erode(part, SIZES[0]).any():
        return found
    picture = cv2.medianBlur(np.asarray(np.round(small * 255), np.uint8), 3)
    lab = plane(srgb_to_lab(np.asarray(picture, np.uint8)))
    own = _fit_surface(part, lab)
    apart = np.linalg.norm(lab - own, axis=-1)
    unlike = part & (apart > max(MIN_DIFFERENCE, UNUSUAL * 1.48 * float(np.median(apart[part]))))
    pieces = [each for each in _list_pieces(unlike, part) if alone and _is_thing(each, part, lab, own)]
    if cornered:
        pieces = [each for each in pieces if not _is_corner(each, part, lab, own)]
    if len(pieces) <= MAX_PIECES:
        found = np.logical_or.reduce([found, *pieces])
    _, numbers = cv2.connectedComponents((closed & part).astype(np.uint8))
    for number in np.unique(numbers[unlike & (numbers > 0)]):
        thing = np.asarray(numbers == number)
        if _touches_border(thing, part) and not erode(thing, MIN_THICKNESS // 2).any():
            continue
        _, _, *inner = cv2.boundingRect((thing & unlike).astype(np.uint8))
        _, _, *outer = cv2.boundingRect(thing.astype(np.uint8))
        if unlike[thing].mean() > MIN_UNLIKE[0] and np.prod(inner) > MIN_UNLIKE[1] * np.prod(outer):
            found |= thing
    _, numbers = cv2.connectedComponents((pierced & unlike).astype(np.uint8))
    for number in range(1, int(numbers.max()) + 1):
        thing = np.asarray(numbers == number)
        if not (cornered and _is_corner(thing, part, lab, own)):
            found |= thing
    return np.asarray(dilate(found, 1) & part)


def _list_pieces(unlike: Mask, part: Mask) -> list[Mask]:
    """The connected pieces, with what they enclose."""
    odd = cv2.morphologyEx(unlike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    odd = cv2.morphologyEx(odd, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(odd, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    pieces = []
    for contour in contours:
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) >= SIZES[0]:
            piece = cv2.drawContours(np.zeros_like(odd), [contour], -1, 1, cv2.FILLED) > 0
            pieces.append(np.asarray(piece & part))
    return [each for each in pieces if each.sum() <= SIZES[1] * part.sum()]


def _is_thing(piece: Mask, part: Mask, lab: Plane, own: Plane) -> bool:
    """Whether a piece has a sharp outline and is no patch of light or shadow, which leave the color as it is."""
    outline = dilate(piece, 1) & ~erode(piece, 1) & erode(part, STEP)
    if not outline.any():
        return False
    kernel = np.ones((2 * STEP + 1,) * 2, np.uint8)
    step = np.linalg.norm(cv2.dilate(lab, kernel) - cv2.erode(lab, kernel), axis=-1)
    apart = float(np.median(np.linalg.norm((lab - own)[piece], axis=-1)))
    if float((step[outline] > max(MIN_DIFFERENCE, MIN_STEP * apart)).mean()) < MIN_SHARP:
        return False
    inner = erode(piece, STEP)
    if not inner.any():
        return True
    lighter = (lab - own)[inner][:, 0]
    is_even = float(lighter.std()) < MAX_UNEVEN and float(np.median(lighter)) > -MAX_SHADOW
    # What the sun shines on may be white in the photo, whatever its color.
    is_large = inner.sum() > GLARE[1] * part.sum() or float(np.median(own[inner][:, 0])) > GLARE[0]
    is_glare = float(np.median(lab[inner][:, 0])) > GLARE[0] and is_large
    return not (is_glare or (is_even and _measure_tint(inner, lab, own) < MAX_TINT))


def _touches_border(piece: Mask, part: Mask) -> bool:
    """Whether a piece reaches the outline; the picture's border is none."""
    beyond = dilate(np.asarray(~part), 2)
    return bool((piece & beyond).any())


def _is_corner(piece: Mask, part: Mask, lab: Plane, own: Plane) -> bool:
    """Whether a piece at the outline has the surface's color in other light."""
    lighter = float(np.median((lab - own)[piece][:, 0]))
    return (
        _touches_border(piece, part) and lighter > -MAX_SHADOW and _measure_tint(piece, lab, own) < MAX_BORDER_TINT
    )


def _measure_tint(piece: Mask, lab: Plane, own: Plane) -> float:
    """The median difference in color from the surface in the piece's light: a and b grow with the light."""
    lighter = (lab[piece][:, :1] + LIGHT_OFFSET) / (own[piece][:, :1] + LIGHT_OFFSET)
    return float(np.median(np.linalg.norm(lab[piece][:, 1:] - own[piece][:, 1:] * lighter, axis=1)))


def _fit_surface(part: Mask, lab: Plane) -> Plane:
    """The surface's own color at each pixel: it changes slowly, and most of the part has it."""
    color = np.broadcast_to(_find_mode(lab[part]), lab.shape)
    sigma = LIGHT_SIGMA * max(part.shape)
    for turn in range(ROUNDS):
        apart = np.linalg.norm((lab - color) * (0.5, 1, 1), axis=-1)
        usual = max(float(np.median(apart[part])), 2.0)
        weight = plane(part * np.exp(-((apart / (3 * usual)) ** 2)) + 1e-4 * part)
        color = normalized_convolution(lab, weight, sigma * 2 ** (ROUNDS - 1 - turn) / 2)
    return plane(color)


def _find_mode(colors: Plane) -> Plane:
    """The most common color: the median of what is near the median, again and again."""
    usual = np.median(colors, axis=0)
    for _ in range(4):
        near = np.linalg.norm(colors - usual, axis=1)
        usual = np.median(colors[near <= np.median(near)], axis=0)
    return plane(usual)
