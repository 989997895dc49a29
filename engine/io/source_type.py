"""Reads and writes how a picture was made: an IPTC term for programs and a sentence for people.

Both are in the file's XMP: "Digital Source Type" of IPTC NewsCodes (http://cv.iptc.org/newscodes/digitalsourcetype)
and IPTC's "Description".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from PIL.PngImagePlugin import PngInfo

from engine.types.source_types import SourceType

_TERM_PATTERN = re.compile(
    rb"Iptc4xmpExt:DigitalSourceType(?:\s*=\s*[\"']|\s*>\s*)"
    rb"https?://cv\.iptc\.org/newscodes/digitalsourcetype/(\w+)"
)
_DESCRIPTION_PATTERN = re.compile(rb"<dc:description>.{0,200}?<rdf:li[^>]{0,100}>(.{0,2000}?)</rdf:li>", re.DOTALL)
MAX_XMP_BYTES = 1_000_000
"""Number of bytes at the start of a file's XMP that are searched."""
SYNTHETIC_TYPES = tuple(each for each in SourceType if each is not SourceType.ENHANCED)
"""The source types that are read from files: the types of pictures with synthetic content."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A file's statement of how it was made: a term of the vocabulary and a sentence, each empty if missing."""

    source_type: str = ""
    description: str = ""


def read_source_type(info: Mapping[Any, Any]) -> SourceType | None:
    """Read the digital source type that a file declares.

    Parameters
    ----------
    info : Mapping
        Pillow's `info` of the opened file.

    Returns
    -------
    SourceType or None
        One of SYNTHETIC_TYPES; None where the file declares nothing or another type, such as a camera's capture.
    """
    name = read_statement_of(info).source_type
    return SourceType(name) if name in SYNTHETIC_TYPES else None


def read_statement_of(info: Mapping[Any, Any]) -> Statement:
    """Read a file's whole statement of how it was made.

    Parameters
    ----------
    info : Mapping
        Pillow's `info` of the opened file.

    Returns
    -------
    Statement
        Read from the first MAX_XMP_BYTES bytes of the file's XMP; fields about which it says nothing are empty.
    """
    content = info.get("xmp")
    text = info.get("XML:com.adobe.xmp")
    if content is None and isinstance(text, str):
        content = text.encode("utf-8", "replace")
    if not isinstance(content, bytes):
        return Statement()
    term, description = (
        _TERM_PATTERN.search(content[:MAX_XMP_BYTES]),
        _DESCRIPTION_PATTERN.search(content[:MAX_XMP_BYTES]),
    )
    return Statement(
        term[1].decode("ascii", "replace") if term else "",
        unescape(description[1].decode("utf-8", "replace")).strip() if description else "",
    )


def find_strongest(*types: SourceType | None) -> SourceType | None:
    """The strongest of several source types: the last one in the order of SourceType.

    Parameters
    ----------
    *types : SourceType or None
        The types to compare; None is ignored.

    Returns
    -------
    SourceType or None
        None where all are None.
    """
    known = [each for each in types if each is not None]
    return max(known, key=list(SourceType).index, default=None)


def declare_altered(own: SourceType | None) -> SourceType:
    """The source type of a picture that is known to be altered, even if its file does not say so.

    Parameters
    ----------
    own : SourceType or None
        The type that its file declares; files from old releases declare none.

    Returns
    -------
    SourceType
        `own`; SYNTHETIC_PARTS where `own` is None.
    """
    return own or SourceType.SYNTHETIC_PARTS


def make_save_options(
    source_type: SourceType | None, format_name: str, description: str | None = None
) -> dict[str, object]:
    """Options for Pillow's `save` that write a source type and a description into a file.

    Parameters
    ----------
    source_type : SourceType or None
        The type to write; for None nothing is written.
    format_name : str
        Pillow's name of the file's format, such as "JPEG".
    description : str, optional
        A sentence for people.

    Returns
    -------
    dict of str to object
        XMP as `pnginfo` for PNG, as `xmp` for others; empty without a source type.
    """
    if source_type is None:
        return {}
    description_element = _DESCRIPTION_TEMPLATE.format(escape(description)) if description else ""
    xmp = _XMP_TEMPLATE.format(source_type.uri, description_element)
    if format_name == "PNG":
        info = PngInfo()
        info.add_itxt("XML:com.adobe.xmp", xmp)
        return {"pnginfo": info}
    return {"xmp": xmp.encode()}


_XMP_TEMPLATE = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>'
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" Iptc4xmpExt:DigitalSourceType="{}">{}</rdf:Description></rdf:RDF>'
    '</x:xmpmeta><?xpacket end="w"?>'
)
_DESCRIPTION_TEMPLATE = (
    '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description>'
)
