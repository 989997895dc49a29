"""Faults of a request as values: the field, a code, and parameters for a message. The caller writes the message."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_KEY = "[key]"
HINT_FAULTS = "hint_faults"
"""The pydantic error type of hints that cannot be used; `faults` in its context lists the faults found in them."""
Location = tuple[str | int, ...]
"""The path to a field: names of fields and places in lists, as `("interiorFiles", 2, "filePath")`."""
MAX_NAME = 100
"""The most characters of a name in a location: a name in a request may be as long as the request itself."""
MAX_FAULTS = 200
"""The most faults that are reported: nobody reads more, and describing them takes time."""


class FaultCode(StrEnum):
    """What is wrong with a field."""

    REQUIRED = "required"
    NOT_ONE_OF = "not_one_of"
    NOT_TEXT = "not_text"
    NOT_UNICODE = "not_unicode"
    NOT_WHOLE = "not_whole"
    NOT_BOOLEAN = "not_boolean"
    NOT_LIST = "not_list"
    NOT_OBJECT = "not_object"
    TOO_LONG = "too_long"
    TOO_SHORT = "too_short"
    TOO_LOW = "too_low"
    TOO_HIGH = "too_high"
    UNKNOWN_FIELD = "unknown_field"
    CONTROL_CHARACTERS = "control_characters"
    NOT_PRINTABLE = "not_printable"
    BRACKETS = "brackets"
    TOO_LONG_IN_ALL = "too_long_in_all"
    NOT_MOMENT = "not_moment"
    NO_WORD = "no_word"
    NO_PLACE = "no_place"
    NO_FILE_PATH = "no_file_path"
    ONE_REFERENCE = "one_reference"
    OTHER_REFERENCE = "other_reference"
    OTHER = "other"
    OTHER_GROUP = "other_group"
    LISTED_TWICE = "listed_twice"
    NO_SUCH_PHOTO = "no_such_photo"
    CONFIGURED_TWICE = "configured_twice"
    NOTHING_CHOSEN = "nothing_chosen"
    NO_ENHANCEMENT = "no_enhancement"
    NO_INTERIOR_INDEX = "no_interior_index"
    NOT_INCLUDED = "not_included"
    NEWER_THAN_ENGINE = "newer_than_engine"
    NOT_INSTALLED = "not_installed"
    NO_CHANGES = "no_changes"
    SAME_FILE = "same_file"
    NOT_COVERED = "not_covered"
    NO_PHOTOS = "no_photos"
    NO_IMAGERY = "no_imagery"
    NOT_SORTED = "not_sorted"
    ALL_DECLINED = "all_declined"
    FRAMES_MISSING = "frames_missing"
    NO_COUNT = "no_count"
    NO_UPLOAD_SESSION = "no_upload_session"
    NOT_UPLOADED = "not_uploaded"
    OTHER_SESSION = "other_session"
    FILE_TOO_LARGE = "file_too_large"
    NO_PICTURE = "no_picture"
    CAMERA_RAW = "camera_raw"
    VIDEO = "video"
    PDF = "pdf"
    AVIF = "avif"
    JPEG_XL = "jpeg_xl"
    UNUSABLE_PHOTO = "unusable_photo"
    REPEATED = "repeated"
    GIVEN_TWICE = "given_twice"
    ALSO_NAMED = "also_named"
    MUST_BE_FILE = "must_be_file"
    MUST_BE_TEXT = "must_be_text"
    MISSING_PART = "missing_part"
    TOO_MANY_PHOTOS = "too_many_photos"
    TOO_MANY_FRAMES = "too_many_frames"
    UNFIT_GROUP = "unfit_group"
    NOT_JSON = "not_json"
    BARRED = "barred"
    NO_PRESET = "no_preset"
    NO_CURSOR = "no_cursor"
    NO_EVENT = "no_event"
    NO_SIGNER = "no_signer"
    UNUSABLE_HINT = "unusable_hint"
    OTHER_PHOTO = "other_photo"
    OTHER_SHAPE = "other_shape"
    TOO_MANY_HINTS = "too_many_hints"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a request. `params`: the parameters of the message for its code."""

    where: Location
    code: FaultCode
    params: Mapping[str, Any] = field(default_factory=dict)


class Faults(dict[Location, Fault]):
    """The faults of a request, at most one for each location."""

    def add(self, fault: Fault) -> None:
        """Add the fault, unless there is one at its location already."""
        self.setdefault(fault.where, fault)


def shape_faults(error: ValidationError, model: type[BaseModel]) -> Faults:
    """The faults that pydantic found, at most MAX_FAULTS."""
    found = error.errors(include_url=False)[:MAX_FAULTS]
    faults = (each for fault in found for each in _list_faults(fault, model))
    return Faults((fault.where, fault) for fault in faults)


def _list_faults(fault: ErrorDetails, model: type[BaseModel]) -> Iterator[Fault]:
    if fault["type"] != HINT_FAULTS:
        yield Fault(_locate(fault), *_convert(fault, model))
        return
    for each in fault["ctx"]["faults"]:
        yield Fault((*_locate(fault), *each.where), FaultCode.UNUSABLE_HINT, {"message": each.message})


def _locate(fault: ErrorDetails) -> Location:
    """The location of the fault. If Pydantic marks the key of a value, the location is that of the value."""
    of_key = fault["loc"][-1:] == (_KEY,) and fault["type"] != "extra_forbidden"
    parts = fault["loc"][:-1] if of_key else fault["loc"]
    return tuple(each[:MAX_NAME] if isinstance(each, str) else each for each in parts)


def _convert(fault: ErrorDetails, model: type[BaseModel]) -> tuple[FaultCode, Mapping[str, Any]]:
    if fault["type"] == "extra_forbidden":
        return FaultCode.UNKNOWN_FIELD, {"meant": suggest(str(fault["loc"][-1]), _names_at(model, fault["loc"]))}
    if fault["type"] in _CODES:
        code, params = _CODES[fault["type"]]
        return code, params(fault)
    if fault["type"] in set(FaultCode):
        return FaultCode(fault["type"]), fault.get("ctx", {})
    return FaultCode.OTHER, {"message": fault["msg"].removeprefix("Value error, ")}


def suggest(name: str, known: Iterable[str]) -> str | None:
    """The known name most similar to `name`, which the sender probably had in mind; None if none is similar."""
    lowered = {each.lower().replace("_", ""): each for each in known}
    close = difflib.get_close_matches(name.lower().replace("_", ""), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else None


def _choice_params(fault: ErrorDetails) -> Mapping[str, Any]:
    expected = str(fault["ctx"]["expected"])
    names = [name.strip(" '") for name in expected.replace(" or ", ", ").split(",")]
    return {"names": names, "meant": suggest(str(fault["input"])[:50], names)}


def _length_params(limit: str) -> Callable[[ErrorDetails], Mapping[str, Any]]:
    def params(fault: ErrorDetails) -> Mapping[str, Any]:
        things = "characters" if isinstance(fault["input"], str) else "entries"
        return {"limit": fault["ctx"][limit], "things": things}

    return params


def _no_params(_: ErrorDetails) -> Mapping[str, Any]:
    return {}


_CODES: Mapping[str, tuple[FaultCode, Callable[[ErrorDetails], Mapping[str, Any]]]] = {
    "missing": (FaultCode.REQUIRED, _no_params),
    "enum": (FaultCode.NOT_ONE_OF, _choice_params),
    "literal_error": (FaultCode.NOT_ONE_OF, _choice_params),
    "string_type": (FaultCode.NOT_TEXT, _no_params),
    "string_unicode": (FaultCode.NOT_UNICODE, _no_params),
    "int_type": (FaultCode.NOT_WHOLE, _no_params),
    "int_parsing": (FaultCode.NOT_WHOLE, _no_params),
    "int_parsing_size": (FaultCode.NOT_WHOLE, _no_params),
    "bool_type": (FaultCode.NOT_BOOLEAN, _no_params),
    "bool_parsing": (FaultCode.NOT_BOOLEAN, _no_params),
    "list_type": (FaultCode.NOT_LIST, _no_params),
    "dict_type": (FaultCode.NOT_OBJECT, _no_params),
    "model_type": (FaultCode.NOT_OBJECT, _no_params),
    "model_attributes_type": (FaultCode.NOT_OBJECT, _no_params),
    "too_long": (FaultCode.TOO_LONG, _length_params("max_length")),
    "too_short": (FaultCode.TOO_SHORT, _length_params("min_length")),
    "string_too_long": (FaultCode.TOO_LONG, _length_params("max_length")),
    "string_too_short": (FaultCode.TOO_SHORT, _length_params("min_length")),
    "greater_than_equal": (FaultCode.TOO_LOW, lambda fault: {"limit": fault["ctx"]["ge"]}),
    "less_than_equal": (FaultCode.TOO_HIGH, lambda fault: {"limit": fault["ctx"]["le"]}),
}
"""Pydantic's error type -> our code, and the function that makes its parameters."""


def _names_at(model: type[BaseModel], location: Location) -> list[str]:
    """The names of the fields at this location, which are the fields of the innermost model on the path."""
    for part in location[:-1]:
        model = _model_of(model, part) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_of(model: type[BaseModel], part: str | int) -> type[BaseModel] | None:
    field = next((each for name, each in model.model_fields.items() if part in (name, each.alias)), None)
    return _find_model(field.annotation) if field else None


def _find_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_find_model(each) for each in getattr(annotation, "__args__", ()))
    return next((each for each in found if each), None)
