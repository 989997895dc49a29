"""Reads the facts about a decoded photo that are needed before it is ordered; see engine.types.file_facts."""

from dataclasses import asdict, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.profiles import ColorProfile
from engine.io.exif import read_flash_fired, read_settings_value, read_taken_at
from engine.io.photo import DecodedPhoto
from engine.segmentation.scene import Scene, shrink_to
from engine.types.enhancements import PhotoType
from engine.types.file_facts import SIGNATURE_COLUMNS, SIGNATURE_ROWS, FileFacts

SIDE = 512
"""Pixels of the long side for the analysis: enough to distinguish a room from a garden."""
HASH_ROWS, HASH_COLUMNS = 8, 8
MIN_LUMA, MAX_LUMA = 0.03, 0.97
"""Luma (0-1) outside of which a place counts as black or white, without reliable content."""
MIN_RANK_STEP = 0.015
"""Smallest difference of tone rank (0-1) between neighbors of the signature; less is noise."""


@dataclass(frozen=True, slots=True)
class FrameLook:
    """The fields of FileFacts that describe what a picture looks like."""

    perceptual_hash: str
    view_signature: str
    brightness: float


def read_facts(photo: DecodedPhoto, view: Pixels, *, guess: bool) -> FileFacts:
    """Read the facts about a photo before it is ordered.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo.
    view : (h, w, 3) ndarray of uint8
        The same photo, small, in gamma-coded sRGB.
    guess : bool
        Whether to guess the photo's type, which takes longer than all other facts.

    Returns
    -------
    FileFacts
        Its `guessed_type` is None without a guess and where the scene is ambiguous.
    """
    height, width = photo.pixels.shape[:2]
    small = shrink_to(view, SIDE)
    return FileFacts(
        width=width,
        height=height,
        taken_at=read_taken_at(photo.exif),
        exposure_value=read_settings_value(photo.exif),
        flash_fired=read_flash_fired(photo.exif),
        guessed_type=_guess_type(Scene(small, ColorProfile(), photo.digest)) if guess else None,
        not_kept=photo.not_kept,
        place=photo.place,
        **asdict(read_look(small)),
    )


def read_look(view: Pixels) -> FrameLook:
    """Compute a picture's hash, signature and brightness.

    Parameters
    ----------
    view : (h, w, 3) ndarray of uint8
        The picture in gamma-coded sRGB, with a long side of at most SIDE pixels.

    Returns
    -------
    FrameLook
        The same fields as in FileFacts.
    """
    gray = plane(rgb_to_gray(plane(view)) / np.float32(255))
    tones = _rank_tones(gray)
    return FrameLook(
        perceptual_hash=_to_hex(_find_rises(tones, HASH_ROWS, HASH_COLUMNS) > 0),
        view_signature=_make_signature(gray, tones),
        brightness=float(gray.mean()),
    )


def _guess_type(scene: Scene) -> PhotoType | None:
    if scene.surely_outdoors is None:
        return None
    return PhotoType.EXTERIOR if scene.surely_outdoors else PhotoType.INTERIOR


def _rank_tones(gray: Plane) -> Plane:
    """The gray (0-1) with each tone replaced by its rank, 0-1, which removes the exposure."""
    levels = np.asarray(gray * 255, np.uint8)
    counts = np.bincount(levels.ravel(), minlength=256).astype(np.float64)
    ranks = (np.cumsum(counts) - counts / 2) / counts.sum()
    return plane(ranks.astype(np.float32)[levels])


def _find_rises(tones: Plane, rows: int, columns: int) -> Plane:
    """How much lighter each place of a coarse grid is than its left neighbor."""
    coarse = cv2.resize(tones, (columns + 1, rows), interpolation=cv2.INTER_AREA)
    return plane(np.diff(coarse, axis=1))


def _make_signature(gray: Plane, tones: Plane) -> str:
    rises = _find_rises(tones, SIGNATURE_ROWS, SIGNATURE_COLUMNS)
    coarse = cv2.resize(gray, (SIGNATURE_COLUMNS + 1, SIGNATURE_ROWS), interpolation=cv2.INTER_AREA)
    shown = (coarse > MIN_LUMA) & (coarse < MAX_LUMA)
    reliable = shown[:, 1:] & shown[:, :-1] & (np.abs(rises) > MIN_RANK_STEP)
    return _to_hex(rises > 0) + _to_hex(reliable)


def _to_hex(bits: NDArray[np.bool_]) -> str:
    return np.packbits(bits.ravel()).tobytes().hex()
