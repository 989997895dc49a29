"""The names of files that a studio downloads: its photos' own names, or names made from a pattern such as
`{street}-{nn}`.
"""

import re
from collections.abc import Mapping

from app.domain import address_lines
from app.domain.errors import InvalidRequest
from app.domain.file_names import sanitize, slug
from app.domain.mail_text import one_line

MAX_PATTERN = 100
PLACEHOLDERS: Mapping[str, str] = {
    "street": "the street of the property, such as 12-garden-lane",
    "city": "its city",
    "nn": "the photo's number in the property, with two digits",
    "name": "the photo's own name",
    "type": "exterior or interior",
}
"""What a pattern may hold in braces, and what replaces it."""
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_FORBIDDEN = re.compile(r'[/\\:*?"<>|]')


def read_pattern(text: str) -> str:
    """The pattern on one line; empty for the photos' own names. Raises InvalidRequest for a pattern that is too
    long, has unknown placeholders or characters that no file name has, or would give all photos the same name.
    """
    pattern = one_line(text)
    if not pattern:
        return ""
    if len(pattern) > MAX_PATTERN:
        raise _fault(f"Use at most {MAX_PATTERN} characters; there are {len(pattern)}.")
    unknown = [each for each in _PLACEHOLDER.findall(pattern) if each not in PLACEHOLDERS]
    if unknown or "{" in _PLACEHOLDER.sub("", pattern) or "}" in _PLACEHOLDER.sub("", pattern):
        raise _fault(f"In braces, use {', '.join(f'{{{each}}}' for each in PLACEHOLDERS)}.")
    if _FORBIDDEN.search(pattern):
        raise _fault('File names cannot have / \\ : * ? " < > or |.')
    if not {"nn", "name"} & set(_PLACEHOLDER.findall(pattern)):
        raise _fault("Use {nn} or {name}, so that each photo gets a name of its own.")
    return pattern


def name_photo(pattern: str, file_name: str, *, address: str, number: int, kind: str) -> str:
    """The name of a photo by the pattern, with the extension of `file_name`, safe for every file system; without a
    pattern `file_name` itself.
    """
    if not pattern:
        return file_name
    stem, dot, extension = file_name.rpartition(".")
    if not dot:
        stem, extension = file_name, ""
    lines = address_lines.split(address)
    values = {
        "street": slug(lines.street),
        "city": slug(lines.city),
        "nn": f"{number:02}",
        "name": stem,
        "type": kind,
    }
    return sanitize(_PLACEHOLDER.sub(lambda found: values[found[1]], pattern) + dot + extension)


def _fault(message: str) -> InvalidRequest:
    return InvalidRequest({"pattern": message})
