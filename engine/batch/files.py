"""Finds the photos named on the command line and chooses the names of their results."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.batch.arguments import UsageError
from engine.types.media import MediaType, fit_file_name


def find_photos(places: Iterable[Path]) -> list[Path]:
    """Find the named files and the photos in the named folders; a file that is named twice is listed once.

    In a folder, visible files with a photo's extension count: their content is checked when they are read. Its
    subfolders are ignored.

    Parameters
    ----------
    places : iterable of Path
        Files and folders that exist.

    Returns
    -------
    list of Path
        In the order in which they were named, each folder's sorted by name.

    Raises
    ------
    UsageError
        For a folder without photos.
    OSError
        For a folder that cannot be read.
    """
    found: dict[Path, Path] = {}
    for place in places:
        for path in _list_folder(place) if place.is_dir() else [place]:
            found.setdefault(path.resolve(), path)
    return list(found.values())


def _list_folder(folder: Path) -> list[Path]:
    try:
        photos = sorted(path for path in folder.iterdir() if path.is_file() and _has_photo_name(path.name))
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}.") from error
    if not photos:
        raise UsageError(f"{folder} has no JPEG, PNG, WebP, HEIC or TIFF file in it.")
    return photos


def _has_photo_name(name: str) -> bool:
    return not name.startswith(".") and any(fit_file_name(name, each) == name for each in MediaType)


def choose_stems(paths: Sequence[Path]) -> list[str]:
    """Choose a name without extension for each result: its photo's, with -2, -3 … where an earlier photo has it.

    Names that differ only in case count as equal, as on some file systems. A numbered name never equals the name of
    another photo.

    Parameters
    ----------
    paths : Sequence of Path
        The photos.

    Returns
    -------
    list of str
        One for each photo, all different.
    """
    own = {path.stem.casefold() for path in paths}
    taken: set[str] = set()
    chosen = []
    for path in paths:
        stem, count = path.stem, 1
        while stem.casefold() in taken or (count > 1 and stem.casefold() in own):
            count += 1
            stem = f"{path.stem}-{count}"
        taken.add(stem.casefold())
        chosen.append(stem)
    return chosen


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: if writing is interrupted, the old file is unchanged.

    If `path` is a link, the link is replaced, not the file that it refers to.

    Parameters
    ----------
    path : Path
        The file; its folder must exist.
    content : bytes
        The whole content.

    Raises
    ------
    OSError
        Where it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
