"""The files of an order: which uploaded files it has, which of them are frames of one photo, and how many it may
have.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, StringConstraints
from pydantic_core import PydanticCustomError

from app.domain.api_types import Line, Text
from app.domain.fetches import MAX_FETCHES, MAX_URL
from app.domain.field_errors import FaultCode
from app.domain.request_limits import AtMost, Request
from engine.types.enhancements import PhotoType
from engine.types.photo_limits import MAX_FRAMES

MAX_PHOTOS = 50
"""The most photos of each type in one order, or in one request for upload URLs."""
MAX_FILES = MAX_PHOTOS * MAX_FRAMES
"""The most files of each type in one order."""
MAX_FILE_NAME = 500
"""The most characters of a customer's own name of a photo."""
SAMPLE_SESSION = "ups_2Xc8vPq1LmT5rWz0aBnE7d"


def sample_path(photo_type: PhotoType, place: int) -> str:
    """An example of a filePath, for documentation."""
    return f"uploads/{SAMPLE_SESSION}/{photo_type}-{place}"


def _check_ascii(file_path: str) -> str:
    if not file_path.isascii():
        raise PydanticCustomError(FaultCode.NO_FILE_PATH, "must be a filePath as it was given")
    return file_path


def _without_direction(file_name: str) -> str:
    # Characters that change the direction of writing can disguise a file name's extension.
    return re.sub("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", file_name)


def whole_number(count: Any) -> Any:
    """A whole float as an int, anything else unchanged: JSON has only one type of number, so 2.0 is accepted as
    2.
    """
    return int(count) if isinstance(count, float) and count.is_integer() else count


FilePath = Annotated[Text, StringConstraints(min_length=1, max_length=200), AfterValidator(_check_ascii)]
GroupName = Annotated[Line, StringConstraints(min_length=1, max_length=64)]
FileName = Annotated[Line, StringConstraints(max_length=MAX_FILE_NAME), AfterValidator(_without_direction)]


class FileRef(Request):
    """A file uploaded before. An entry of the upload session may be sent back whole."""

    file_path: FilePath = Field(description="As given with the upload URL.")
    file_name: FileName | None = Field(
        default=None, description="Your own name of the photo, kept for the download."
    )
    # The field is left out of digests where it is None, because older orders had no such field and must keep their
    # digests.
    group: GroupName | None = Field(
        default=None,
        description="Entries of one type with the same one are frames of one photo, at most "
        f"{MAX_FRAMES}: exposures, or frames with and without flash.",
        exclude_if=lambda group: group is None,
    )
    upload_url: Any = Field(default=None, exclude=True)
    index: Any = Field(default=None, exclude=True)
    type: Any = Field(default=None, exclude=True)
    photo: Any = Field(default=None, exclude=True)
    frame: Any = Field(default=None, exclude=True)
    file: Any = Field(default=None, exclude=True)


def group_files(files: Sequence[FileRef]) -> list[tuple[FileRef, ...]]:
    """The files of each photo. Files with the same `group` are one photo, at the place of the group's first
    file.
    """
    photos: dict[tuple[str, int], list[FileRef]] = {}
    for place, file in enumerate(files):
        photos.setdefault((file.group, -1) if file.group else ("", place), []).append(file)
    return [tuple(each) for each in photos.values()]


Files = Annotated[list[FileRef], AtMost(MAX_FILES), Field(default_factory=list)]
Count = Annotated[StrictInt, Field(ge=0, le=MAX_PHOTOS), BeforeValidator(whole_number)]


class SourceFile(Request):
    """A file that the service fetches itself."""

    type: PhotoType
    url: Annotated[Text, StringConstraints(min_length=1, max_length=MAX_URL)] = Field(
        description="Where the file is: https, on the public internet, without credentials in it.",
        examples=["https://photos.example.com/room.jpg"],
    )


class UploadRequest(Request):
    """How many upload URLs are requested, and which files are fetched."""

    interior_count: Count = Field(
        default=0, description="How many URLs for interior photos. At least one of both kinds."
    )
    exterior_count: Count = Field(default=0, description="How many URLs for exterior photos.", examples=[1])
    frames_per_photo: Annotated[StrictInt, Field(ge=1, le=MAX_FRAMES), BeforeValidator(whole_number)] = Field(
        default=1, description="How many files each photo is made of; each file gets a URL."
    )
    files: Annotated[list[SourceFile], AtMost(MAX_FETCHES), Field(default_factory=list)] = Field(
        description="Files that we fetch; each gets a URL, too, after those that are counted.", examples=[[]]
    )


class GroupsRequest(Request):
    """Which files of an upload session to group; without any, all that were uploaded."""

    interior_files: Files = Field(
        description="Interior files; their own names help where cameras note no time.",
        examples=[
            [
                {"filePath": sample_path(PhotoType.INTERIOR, place), "fileName": f"IMG_{4101 + place}.jpg"}
                for place in range(3)
            ]
        ],
    )
    exterior_files: Files = Field(description="Exterior files.")

    def files(self, photo_type: PhotoType) -> list[FileRef]:
        """The files of one type."""
        return self.exterior_files if photo_type is PhotoType.EXTERIOR else self.interior_files
