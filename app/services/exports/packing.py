"""Packs stored pictures into the ZIP files of exports."""

import shutil
import zipfile

from app.domain.ports import Storage
from app.services import stored_files
from engine.types.media import HEADER_BYTES, fit_file_name, sniff

PICTURES = "pictures"
"""The name of the folder of pictures in an archive."""


def add_picture(packed: zipfile.ZipFile, storage: Storage, stem: str, key: str) -> str:
    """Add a stored picture to the archive; returns its name there, empty when the file no longer exists."""
    try:
        with storage.open(key) as source:
            kind = sniff(source.read(HEADER_BYTES))
            source.seek(0)
            name = f"{PICTURES}/{fit_file_name(stem, kind) if kind else stem}"
            with packed.open(name, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
    except FileNotFoundError:
        return ""
    return name


def digest_stored(storage: Storage, key: str) -> str:
    """The SHA-256 of a stored file; empty when it no longer exists."""
    try:
        return stored_files.digest_of(storage, key)
    except FileNotFoundError:
        return ""
