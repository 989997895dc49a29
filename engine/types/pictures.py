"""Pictures that the engine makes: results, small ones for pages, those for listing services, logos."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.types.file_facts import FileFacts, PersonalDetail
from engine.types.report import QualityReport, Reason


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture with its size in pixels."""

    content: bytes
    media_type: str
    width: int
    height: int

    @property
    def extension(self) -> str:
        """The file name ending that fits the media type, without the dot."""
        return {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}[self.media_type]


@dataclass(frozen=True, slots=True)
class Enhanced:
    """What the engine made: `picture` is None when every step declined."""

    picture: Picture | None
    report: QualityReport


class UnusablePhotoError(Exception):
    """The photo cannot be processed, however often it is tried: broken, a decompression bomb, beyond the limits."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class PreviewSize(StrEnum):
    """The pictures made of a stored one: two for pages, the copy with its disclosure, the one without capture data.

    The last keeps profile, print resolution and the IPTC's source type: nothing of the photographer or the place.
    """

    THUMB = "thumb"
    VIEW = "view"
    LABELED = "labeled"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Previews:
    """JPEG files by size, and what was read of the picture that they were made of.

    That is `width` x `height` pixels when upright. `facts` are there where they were wanted; `holds` are the kinds
    of personal details in its file.
    """

    pictures: Mapping[PreviewSize, bytes]
    width: int
    height: int
    facts: FileFacts | None = None
    holds: tuple[PersonalDetail, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedPreviews:
    """What to make besides the two small previews.

    With a `label` a copy at full size with these words drawn into it, with `public` one without capture data;
    with `facts` those of the file, in which a `guess` of the photo's type is optional.
    """

    label: str | None = None
    facts: bool = False
    guess: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True)
class Logo:
    """A studio's logo as it is shown: a PNG of this size in pixels."""

    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ListingPicture:
    """How a picture is to be made for a listing service.

    `width` and `height`: the service's ideal size in pixels; a file has fewer than `max_bytes`. What is None
    is free. `label` is drawn into it. `disclosure`: the words that its file carries, of an altered one.
    """

    max_bytes: int | None = None
    width: int | None = None
    height: int | None = None
    label: str | None = None
    disclosure: str | None = None
