"""Pictures that the engine makes: results, previews for pages, pictures for listing services, logos."""

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
    """The engine's result: `picture` is None when every step declined.

    `before`: where the picture was straightened, a small JPEG of the photo, straightened in the same way, to
    compare them.
    """

    picture: Picture | None
    report: QualityReport
    before: bytes | None = None


class UnusablePhotoError(Exception):
    """The photo can never be processed: it is broken, a decompression bomb, or beyond the limits."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class PreviewSize(StrEnum):
    """The previews of a stored picture: two for pages, the labeled copy, and the public copy without capture data.

    The public copy keeps profile, print resolution and IPTC source type, but nothing about photographer or place.
    `BEFORE` exists for a straightened picture: its photo, straightened in the same way.
    """

    THUMB = "thumb"
    VIEW = "view"
    BEFORE = "before"
    LABELED = "labeled"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Previews:
    """JPEG files by size, and facts about the picture that they were made from.

    `width` and `height` are that picture's, upright, in pixels. `facts` are None unless asked for. `holds` are the
    kinds of personal details in its file.
    """

    pictures: Mapping[PreviewSize, bytes]
    width: int
    height: int
    facts: FileFacts | None = None
    holds: tuple[PersonalDetail, ...] = ()


@dataclass(frozen=True, slots=True)
class WantedPreviews:
    """The copies and facts to make besides the two small previews.

    `label`: make a copy at full size with these words drawn into it. `public`: make a copy without capture data.
    `facts`: read the file's facts. `guess`: guess the photo's type for them.
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
    """The requirements of a listing service for a picture; None means no requirement.

    `width` and `height`: the service's ideal size in pixels. A file has fewer than `max_bytes`. `label`: words
    drawn into the picture, in the upper corner if `label_at_top`. `disclosure`: the words in the file of an altered
    picture.
    """

    max_bytes: int | None = None
    width: int | None = None
    height: int | None = None
    label: str | None = None
    disclosure: str | None = None
    label_at_top: bool = False
