"""The sizes in which results are downloaded: the full picture, and smaller copies that workers make of it."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from engine.types.pictures import ListingPicture


class DownloadSize(StrEnum):
    """How large a downloaded picture is."""

    FULL = "full"
    WEB = "web"
    EMAIL = "email"


COPIES: Mapping[DownloadSize, ListingPicture] = {
    # By default, the longer side has 2,048 pixels.
    DownloadSize.WEB: ListingPicture(),
    # A picture that covers 1,280 by 1 pixels has a longer side of 1,280.
    DownloadSize.EMAIL: ListingPicture(max_bytes=500_000, width=1280, height=1),
}
"""The copies of a result, JPEG in sRGB; no picture is enlarged. Where the full picture has a labeled copy,
each size has one too.
"""
LABELED = "labeled"


def labeled(size: DownloadSize) -> str:
    """The name of the labeled copy in this size."""
    return LABELED if size is DownloadSize.FULL else f"{size}-{LABELED}"


def specify_copies(label: str | None) -> Mapping[str, ListingPicture]:
    """The copies to make of a result, by name; with a `label`, labeled copies too."""
    marked = {labeled(size): replace(each, label=label) for size, each in COPIES.items()} if label else {}
    return {**{str(size): each for size, each in COPIES.items()}, **marked}


def read_size(text: str | None) -> DownloadSize:
    """The size of this name; FULL for any other text."""
    return DownloadSize(text) if text in list(DownloadSize) else DownloadSize.FULL
