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
    """The photo cannot be worked on, whoever tries and however often: broken, bombed or beyond the limits."""

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
    """JPEG files by size, made of a picture that is `width` x `height` pixels when upright, what its file `holds`
    beside the picture, and its `facts` where they were wanted.
    """

    pictures: Mapping[PreviewSize, bytes]
    width: int
    height: int
    facts: FileFacts | None = None
    holds: tuple[PersonalDetail, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedPreviews:
    """Besides the small ones: with the `label` or `public` at full size; `facts`, in them a `guess` of the type."""

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
