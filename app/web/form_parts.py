"""Splits a multipart body into its parts while it arrives; only text parts, which are short, are held in memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from app.domain.errors import InvalidRequest, TooLarge
from app.domain.limits import MAX_FILE_MEGABYTES
from app.domain.order_files import MAX_FILES
from app.web.bodies import MAX_JSON_BYTES, receive

CHUNK_BYTES = 64 * 1024
MAX_PARTS = 1000
"""More than the files and fields of any order; each part costs memory."""
NAMELESS = "A part that is a file needs a file name."
MAX_FORM_MEGABYTES = (2 * MAX_FILES + 20) * MAX_FILE_MEGABYTES
"""For the most files that an order may have and twenty reference images, each of the largest size."""


@dataclass(frozen=True, slots=True)
class FormPart:
    """A text field of the form."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of the form; its chunks can be read only until the next part is requested."""

    name: str
    file_name: str
    chunks: Iterator[bytes]


def parts(request: Request) -> Iterator[FormPart | FilePart]:
    """Every part of the body in turn.

    Raises InvalidRequest when the body is not multipart or is malformed, TooLarge when a text is too long, or the
    whole body: at once if the body's length is known, else when too much has arrived.
    """
    if (request.content_length or 0) > MAX_FORM_MEGABYTES * 1024**2:
        raise _too_large()
    boundary = request.mimetype_params.get("boundary", "")
    if request.mimetype != "multipart/form-data" or not boundary:
        raise InvalidRequest({"body": "Send multipart/form-data with a boundary."})
    decoder = MultipartDecoder(boundary.encode(), MAX_JSON_BYTES, max_parts=MAX_PARTS)
    yield from _read(_events(decoder))


def _events(decoder: MultipartDecoder) -> Iterator[Event]:
    # Refused here and not in parts(), so that code that reads a file's chunks gets the same exceptions.
    try:
        yield from _decode(decoder)
    except RequestEntityTooLarge:
        raise TooLarge(
            "The form has too many parts or too long a text. A part that is a file needs a file name."
        ) from None
    except (ValueError, EOFError):
        raise _malformed() from None


def _decode(decoder: MultipartDecoder) -> Iterator[Event]:
    ended, bytes_left = False, MAX_FORM_MEGABYTES * 1024**2
    while not ended:
        chunk = receive(CHUNK_BYTES)
        bytes_left -= len(chunk)
        if bytes_left < 0:
            raise _too_large()
        decoder.receive_data(chunk or None)
        while not isinstance(event := decoder.next_event(), NeedData):
            ended = isinstance(event, Epilogue)
            yield event
            if ended:
                break
        if not chunk and not ended:
            raise EOFError


def _too_large() -> TooLarge:
    return TooLarge(f"A form may have at most {MAX_FORM_MEGABYTES} MB in all.")


def _malformed() -> InvalidRequest:
    return InvalidRequest({"body": "Malformed or cut short multipart body."})


def _read(events: Iterator[Event]) -> Iterator[FormPart | FilePart]:
    for event in events:
        if isinstance(event, File | Field) and not event.name:
            raise _malformed()
        if isinstance(event, File):
            chunks = _chunks(events)
            yield FilePart(event.name, event.filename or "", chunks)
            for _ in chunks:
                # Skip the chunks of this file that the caller has not read.
                continue
        elif isinstance(event, Field):
            yield FormPart(event.name, _text(events, event.name))


def _text(events: Iterator[Event], name: str) -> str:
    content = b""
    for chunk in _chunks(events):
        content += chunk
        if len(content) > MAX_JSON_BYTES:
            raise TooLarge(f"The field {name[:100]} is too long. {NAMELESS}")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise InvalidRequest({name[:100]: f"Not text in UTF-8. {NAMELESS}"}) from None


def _chunks(events: Iterator[Event]) -> Iterator[bytes]:
    for event in events:
        if isinstance(event, Data):
            yield event.data
            if not event.more_data:
                return
