"""Refuses hints that were made for another photo."""

import hashlib
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import BinaryIO

from engine.types.hints import SceneHints
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason

OTHER_PHOTO = "The hints are for another photo: none of its files has the SHA-256 that they name."


def require_hinted_photo(hints: SceneHints | None, files: Iterable[Callable[[], BinaryIO]]) -> None:
    """Require that the hints are for this photo, if they name one.

    Parameters
    ----------
    hints : SceneHints or None
        The hints for the photo; if they have no digest, no file is opened.
    files : iterable of callable
        Functions that open the photo's file, or its frames. They are called until a file has the digest.

    Raises
    ------
    UnusablePhotoError
        Where no file has the digest.
    """
    if hints is not None and not hints.is_for(_compute_digest(each) for each in files):
        raise UnusablePhotoError(Reason.OTHER_PHOTO, OTHER_PHOTO)


def copy_stream(photo: BinaryIO) -> BinaryIO:
    """Copy an open file.

    Parameters
    ----------
    photo : BinaryIO
        The file; it must allow to be read from its start again.

    Returns
    -------
    BinaryIO
        The copy, in memory; closing it leaves the file open.
    """
    photo.seek(0)
    copy = BytesIO(photo.read())
    photo.seek(0)
    return copy


def _compute_digest(open_file: Callable[[], BinaryIO]) -> str:
    with open_file() as stream:
        return hashlib.sha256(stream.read()).hexdigest()
