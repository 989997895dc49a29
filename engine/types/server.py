"""The generative server as the engine asks it, and how it fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class ServerBusyError(Exception):
    """The generative server cannot answer now; `retry_after_seconds` is its own word on when it can."""

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ServerUnavailableError(Exception):
    """The generative server cannot be asked now, and the photo may be done later."""


class ServerRefusedError(Exception):
    """The generative server will not do this, however often it is asked."""


@dataclass(frozen=True, slots=True)
class GenerativeRequest:
    """One edit asked of the generative server: PNG bytes of the picture, of the mask (transparent where it may
    change, same size) and of pictures to go by; `timeout_seconds` is for the whole call.
    """

    image: bytes
    mask: bytes | None
    prompt: str
    timeout_seconds: float
    references: Sequence[bytes] = ()


class GenerativeServer(Protocol):
    """Edits a picture by a prompt. What it gives back may be anything and is judged by whoever asked."""

    def edit(self, request: GenerativeRequest) -> bytes:
        """The edited picture, encoded. Raises ServerBusyError and ServerRefusedError."""
