"""Finds which options can be carried out where this engine is installed."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from engine.types.options import OPTIONS, Option, Privacy

FACE_DETECTOR = Path(__file__).parents[1] / "segmentation" / "weights" / "faces.tflite"
"""The weights of the detector of faces, which deploy/frontend/assets.py puts in place."""


def can_find_faces() -> bool:
    """Whether the detector of faces is in place.

    Returns
    -------
    bool
        False where its file was not downloaded.
    """
    return FACE_DETECTOR.is_file()


def is_usable(value: StrEnum) -> bool:
    """Whether a value of an option can be carried out here.

    Parameters
    ----------
    value : StrEnum
        The value of any option.

    Returns
    -------
    bool
        False only for the blurring of faces where faces cannot be found.
    """
    return value is not Privacy.BLURRED or can_find_faces()


def list_usable_options() -> Sequence[Option]:
    """List the options whose choices can all be carried out here.

    Returns
    -------
    Sequence of Option
        In the order of the pipeline, without the privacy option where faces cannot be found.
    """
    return [option for option in OPTIONS if all(is_usable(value) for value in option.choices)]
