"""Decodes masks of hints, and refuses those that do not fit their photo."""

import base64

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.types.hint_document import MAX_AREA, MIN_AREA
from engine.types.hint_masks import has_shape
from engine.types.hints import HintedSurface, MaskHint, SceneHints
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason


def require_fitting_masks(hints: SceneHints | None, width: int, height: int) -> None:
    """Require that the masks of the hints, if there are any, are for a photo of this shape.

    Parameters
    ----------
    hints : SceneHints or None
        The hints for the photo.
    width, height : int
        Size of the upright photo, in pixels.

    Raises
    ------
    UnusablePhotoError
        MASK_UNUSABLE, for a mask that cannot be decoded, has another shape, or has none or nearly all of the photo.
    """
    for surface, hint in (hints.masks if hints else {}).items():
        _require_fitting(surface, _decode(surface, hint), width, height)


def draw_mask(hint: MaskHint, width: int, height: int) -> Plane:
    """Draw a mask at another size.

    Parameters
    ----------
    hint : MaskHint
        A mask that was checked for the photo.
    width, height : int
        The size, in pixels.

    Returns
    -------
    (height, width) ndarray of float32
        0 or 1.
    """
    inside = _decode(None, hint)
    is_smaller = width < inside.shape[1]
    share = cv2.resize(
        plane(inside), (width, height), interpolation=cv2.INTER_AREA if is_smaller else cv2.INTER_LINEAR
    )
    return plane(share > 0.5)


def _decode(surface: HintedSurface | None, hint: MaskHint) -> Mask:
    content = np.frombuffer(base64.b64decode(hint.mask), np.uint8)
    pixels = cv2.imdecode(content, cv2.IMREAD_COLOR)
    if pixels is None:
        raise _refuse(surface, "cannot be decoded")
    return np.asarray(pixels.any(-1))


def _require_fitting(surface: HintedSurface, inside: Mask, width: int, height: int) -> None:
    rows, columns = inside.shape
    if not has_shape((columns, rows), (width, height)):
        raise _refuse(surface, f"has {columns} x {rows} pixels, and the photo {width} x {height}")
    if not MIN_AREA <= inside.mean() <= MAX_AREA:
        raise _refuse(surface, "has nothing inside" if inside.mean() < MIN_AREA else "is the whole picture")


def _refuse(surface: HintedSurface | None, why: str) -> UnusablePhotoError:
    return UnusablePhotoError(Reason.MASK_UNUSABLE, f"The mask of the {surface or 'surface'} {why}.")
