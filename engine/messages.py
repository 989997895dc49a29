"""The messages between the service and the engine in a separate process: JSON on one line, then files.

This module imports nothing else of the engine, because the service writes messages without loading the engine.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, BinaryIO

PROTOCOL = 1
"""The number of this protocol. It is increased by each change after which earlier releases cannot read a message.
"""
MAX_HEAD_BYTES = 1024 * 1024
"""Bytes of the JSON of one message. Most of them are hints with masks, which have 96 kB at most."""


class MessageKind(StrEnum):
    """The kind of a message."""

    HELLO = "hello"
    """The engine is ready: its `protocol` and `version`, its `enhancements`, and the values of its `options`."""
    ENHANCE = "enhance"
    """The service asks for a picture: `request`, `context`, the files of the photo or of its `frames`."""
    ESTIMATE_LIGHT = "estimate_light"
    """The service asks for an estimate of the light in the photo that the file has."""
    OBSERVED = "observed"
    """A `step` took `seconds`."""
    SPEND = "spend"
    """The engine asks whether one more call to the generative server may be paid."""
    REFERENCE = "reference"
    """The engine asks for the reference picture with this `key`."""
    EDIT = "edit"
    """The engine asks the generative server for an edit: the picture, the mask if `masked`, and references."""
    ANSWER = "answer"
    """The service's answer to the engine: `value`, a file, or the `error`."""
    DONE = "done"
    """The outcome: `report` and `picture`, with the file, or `light`."""
    UNUSABLE = "unusable"
    """The photo can never be processed: `reason`, `text`."""
    UNAVAILABLE = "unavailable"
    """The generative server cannot be asked now: `text`."""
    FAILED = "failed"
    """The engine failed on the photo: `text`."""


class MessageError(Exception):
    """The received bytes are no message, are too large for a message, or are only a part of one."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: `head` are JSON values by name, `files` the files that belong to it."""

    kind: MessageKind
    head: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[bytes] = field(default=())


def write_message(stream: BinaryIO, message: Message) -> None:
    """Write a message, and flush.

    Parameters
    ----------
    stream : BinaryIO
        The stream that gets the message.
    message : Message
        The message; `kind` and `files` are added to its head.
    """
    head = {**message.head, "kind": message.kind, "files": [len(each) for each in message.files]}
    stream.write(json.dumps(head).encode() + b"\n")
    for each in message.files:
        stream.write(each)
    stream.flush()


def read_message(stream: BinaryIO, max_file_bytes: int) -> Message | None:
    """Read the next message.

    Parameters
    ----------
    stream : BinaryIO
        The stream that has the message.
    max_file_bytes : int
        Most bytes of all files of the message together.

    Returns
    -------
    Message or None
        None where the stream has ended before a message.

    Raises
    ------
    MessageError
        Where the bytes are no message, belong to one that is too large, or end within it.
    """
    line = stream.readline(MAX_HEAD_BYTES + 1)
    if not line:
        return None
    if len(line) > MAX_HEAD_BYTES:
        raise MessageError(f"the head of a message has more than {MAX_HEAD_BYTES} bytes")
    kind, head, sizes = _read_head(line)
    if sum(sizes) > max_file_bytes:
        raise MessageError(f"the files of a message have {sum(sizes)} bytes, more than {max_file_bytes}")
    return Message(kind, head, [_read_file(stream, each) for each in sizes])


def _read_head(line: bytes) -> tuple[MessageKind, dict[str, Any], list[int]]:
    try:
        head = json.loads(line)
        kind, sizes = MessageKind(head.pop("kind")), head.pop("files")
        if all(type(each) is int and each >= 0 for each in sizes):
            return kind, head, list(sizes)
    except (ValueError, AttributeError, LookupError, TypeError, RecursionError):
        pass
    raise MessageError(f"this is no message: {line[:60]!r}")


def _read_file(stream: BinaryIO, size: int) -> bytes:
    content = stream.read(size)
    if len(content) != size:
        raise MessageError("a message ends within a file")
    return content
