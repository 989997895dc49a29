"""Data that customers' programs attach to an order: an id of their own, and pairs of keys and values."""

import re
import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated

from pydantic import AfterValidator, StrictStr, StringConstraints
from pydantic_core import PydanticCustomError

from app.domain.api_types import CONTROL_CHARACTERS
from app.domain.field_errors import FaultCode
from app.domain.request_limits import AtMost

MAX_EXTERNAL_ID = 100
MAX_PAIRS, MAX_KEY, MAX_VALUE = 50, 40, 500
MAX_CHARACTERS = 10_000
"""The most characters of all keys and values together, because every event of the order repeats them."""
SAMPLE_EXTERNAL_ID = "MLS-40718822"
SAMPLE_METADATA: Mapping[str, str] = {"agent": "Dana Reyes", "listing": "8841"}
_DIGEST_LENGTH = 32
_LINE_BREAKS = re.compile(r"[\t\r\n]")


def _check_printable(text: str) -> str:
    """Check the text, and return it unchanged, because its sender compares it with the text that was sent."""
    if not text.isprintable() or text != text.strip():
        raise PydanticCustomError(FaultCode.NOT_PRINTABLE, "must be printable, without spaces at its ends")
    return text


def _check_key(key: str) -> str:
    if "[" in key or "]" in key:
        raise PydanticCustomError(FaultCode.BRACKETS, "must not contain square brackets")
    return key


def _check_value(value: str) -> str:
    if any(unicodedata.category(each) in ("Cc", "Cs") for each in _LINE_BREAKS.sub("", value)):
        raise PydanticCustomError(CONTROL_CHARACTERS, "must not contain control characters")
    return value


def _check_sum(metadata: Mapping[str, str]) -> Mapping[str, str]:
    if sum(len(key) + len(value) for key, value in metadata.items()) > MAX_CHARACTERS:
        raise PydanticCustomError(FaultCode.TOO_LONG_IN_ALL, "is too long", {"limit": MAX_CHARACTERS})
    return metadata


_Printable = AfterValidator(_check_printable)
ExternalId = Annotated[StrictStr, StringConstraints(min_length=1, max_length=MAX_EXTERNAL_ID), _Printable]
Key = Annotated[
    StrictStr, StringConstraints(min_length=1, max_length=MAX_KEY), _Printable, AfterValidator(_check_key)
]
Value = Annotated[StrictStr, StringConstraints(max_length=MAX_VALUE), AfterValidator(_check_value)]
Metadata = Annotated[dict[Key, Value], AtMost(MAX_PAIRS), AfterValidator(_check_sum)]


def digest_pair(key: str, value: str) -> str:
    """The digest by which orders with this pair are found. A key has no control characters, so no two pairs are
    written alike.
    """
    return sha256(f"{key}\0{value}".encode()).hexdigest()[:_DIGEST_LENGTH]
