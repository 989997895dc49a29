"""The API's message for each fault, and the details of an answer made from faults."""

from collections.abc import Iterable, Mapping

from app.domain import limits
from app.domain.errors import InvalidFields, InvalidRequest
from app.domain.field_errors import Fault, FaultCode, Location
from app.domain.unsupported_files import NO_PHOTO, WORDS, UnsupportedKind
from app.web.group_messages import GROUP_FAULTS
from engine.grouping.merge_obstacles import GroupProblemCode

MESSAGES: Mapping[FaultCode, str] = {
    FaultCode.REQUIRED: "Required.",
    FaultCode.NOT_ONE_OF: "Must be one of: {names}.{hint}",
    FaultCode.NOT_TEXT: "Must be text.",
    FaultCode.NOT_UNICODE: "Must be valid Unicode text.",
    FaultCode.NOT_WHOLE: "Must be a whole number.",
    FaultCode.NOT_BOOLEAN: "Must be true or false.",
    FaultCode.NOT_LIST: "Must be a list.",
    FaultCode.NOT_OBJECT: "Must be an object.",
    FaultCode.TOO_LONG: "Must have at most {limit} {things}.",
    FaultCode.TOO_SHORT: "Must have at least {limit} {things}.",
    FaultCode.TOO_LOW: "Must be at least {limit}.",
    FaultCode.TOO_HIGH: "Must be at most {limit}.",
    FaultCode.UNKNOWN_FIELD: "Unknown field.{hint}",
    FaultCode.CONTROL_CHARACTERS: "Must not contain control characters.",
    FaultCode.NOT_PRINTABLE: "Must be printable characters on one line, without spaces at its ends.",
    FaultCode.BRACKETS: "Must not contain [ or ].",
    FaultCode.TOO_LONG_IN_ALL: "Must have at most {limit} characters in all keys and values.",
    FaultCode.NOT_MOMENT: "Must be a date and a time with its offset, such as 2026-11-20T14:03:00Z.",
    FaultCode.NO_WORD: "Must have at least one letter or digit.",
    FaultCode.NO_PLACE: "Must have at least one letter and one digit.",
    FaultCode.NO_FILE_PATH: "Must be a filePath as it was given with the upload URL.",
    FaultCode.ONE_REFERENCE: "Give either referenceText or referenceImages.",
    FaultCode.OTHER_REFERENCE: "ReferenceType {reference_type} does not fit the reference given.",
    FaultCode.OTHER: "{message}.",
    FaultCode.OTHER_GROUP: "{enhancement} is not for {photo_type} photos.",
    FaultCode.LISTED_TWICE: "{name} is listed twice.",
    FaultCode.NO_SUCH_PHOTO: "There is no {photo_type} photo {index}.",
    FaultCode.CONFIGURED_TWICE: "The {photo_type} photo {index} has an entry already.",
    FaultCode.NOTHING_CHOSEN: "Choose at least one enhancement.",
    FaultCode.NO_ENHANCEMENT: "The {photo_type} photo {index} has no enhancement; choose at least one.",
    FaultCode.NO_INTERIOR_INDEX: "Must be the zero-based index of an interior photo of this order.",
    FaultCode.NOT_INCLUDED: "The enhancements of photo {index} do not include {enhancement}.",
    FaultCode.NEWER_THAN_ENGINE: (
        "The stable engine, {version}, which this account chose, does not know {option}. Leave it out, or choose "
        "the latest engine in the account's settings."
    ),
    FaultCode.NOT_INSTALLED: "This service cannot do {option}: a part of it is not installed. Leave it out.",
    FaultCode.NO_CHANGES: "{enhancement} needs at least one entry for this photo.",
    FaultCode.SAME_FILE: "The same file is at {other}.",
    FaultCode.NOT_COVERED: "An order with serviceType {service_type} takes no {photo_type} photos.",
    FaultCode.NO_PHOTOS: "At least one is required when serviceType is {service_type}.",
    FaultCode.NO_IMAGERY: "At least one is required: no source of public imagery is configured.",
    FaultCode.NOT_SORTED: "Some photos are not sorted into interior and exterior yet.",
    FaultCode.ALL_DECLINED: "Nothing of this order can be done as its photos are.",
    FaultCode.FRAMES_MISSING: "Some frames of a photo were not uploaded yet.",
    FaultCode.NO_COUNT: "Ask for at least one photo: interiorCount, exteriorCount, or an entry in files.",
    FaultCode.NO_UPLOAD_SESSION: "No upload session of yours has this id, or it expired.",
    FaultCode.NOT_UPLOADED: "Nothing was uploaded here yet; PUT the file to its uploadUrl, or wait for its fetch.",
    FaultCode.OTHER_SESSION: "Not a filePath of this upload session and photo type.",
    FaultCode.FILE_TOO_LARGE: f"A file may have at most {limits.MAX_FILE_MEGABYTES} MB; PUT a smaller one.",
    FaultCode.NO_PICTURE: NO_PHOTO,
    FaultCode.CAMERA_RAW: WORDS[UnsupportedKind.CAMERA_RAW],
    FaultCode.VIDEO: WORDS[UnsupportedKind.VIDEO],
    FaultCode.PDF: WORDS[UnsupportedKind.PDF],
    FaultCode.AVIF: WORDS[UnsupportedKind.AVIF],
    FaultCode.JPEG_XL: WORDS[UnsupportedKind.JPEG_XL],
    FaultCode.UNUSABLE_PHOTO: "{reason}",
    FaultCode.REPEATED: "Listed twice.",
    FaultCode.GIVEN_TWICE: "Given twice.",
    FaultCode.ALSO_NAMED: "Leave it out: {field} names these photos.",
    FaultCode.MUST_BE_FILE: "Must be a file: send the part with a file name.",
    FaultCode.MUST_BE_TEXT: "Must be text: send the part without a file name.",
    FaultCode.MISSING_PART: "Missing: photos are numbered from 0 without gaps.",
    FaultCode.TOO_MANY_PHOTOS: "An order takes at most {limit} {photo_type} photos.",
    FaultCode.TOO_MANY_FRAMES: "A photo takes at most {limit} frames.",
    FaultCode.UNFIT_GROUP: "{problem} Without a group each file is a separate photo.",
    FaultCode.NOT_JSON: "Not valid JSON: {reason}.",
    FaultCode.BARRED: "{rule} bars {enhancements}. To order it anyway, send true.",
    FaultCode.NO_PRESET: "No preset of yours has this id.",
    FaultCode.NO_CURSOR: "Must be the nextCursor of an earlier page with the same filters.",
    FaultCode.NO_SIGNER: "First create the secret that signs callbacks: POST /callbacks/secret.",
    FaultCode.NO_EVENT: "No event of yours has this id, or it is older than {days} days.",
    FaultCode.UNUSABLE_HINT: "{message}",
    FaultCode.OTHER_PHOTO: "These hints are for another photo: the SHA-256 of this one's file is {sha256}.",
    FaultCode.TOO_MANY_HINTS: "The hints of one order have at most {limit} points; a mask counts as 150.",
    FaultCode.OTHER_SHAPE: "The mask has {mask} pixels, and the photo {photo}: give it the photo's shape.",
}


def path(location: Location) -> str:
    """The location as text: `("interiorFiles", 2, "filePath")` gives `interiorFiles[2].filePath`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "body"


def message(fault: Fault) -> str:
    """The fault's message, with its parameters filled in."""
    params = {name: _plain(value) for name, value in fault.params.items()}
    hint = f" Did you mean {fault.params['meant']}?" if fault.params.get("meant") else ""
    text = MESSAGES[fault.code].format(**params, hint=hint)
    return f"{text[0].upper()}{text[1:]}" if fault.code is FaultCode.OTHER else text


def describe_faults(refusal: InvalidRequest) -> Mapping[str, str]:
    """The message of every fault of the refusal, by the fault's path."""
    if isinstance(refusal, InvalidFields):
        return {path(fault.where): message(fault) for fault in refusal.faults}
    return refusal.details or {}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return path(value)
    if isinstance(value, GroupProblemCode):
        return GROUP_FAULTS[value]
    return ", ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else value
