"""The interface of the generative server, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class ServerBusyError(Exception):
    """The generative server cannot answer now; `retry_after_seconds` says when it can, None where unknown."""

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ServerUnavailableError(Exception):
    """The generative server cannot be asked now, or a part of this installation is missing; the photo may be done
    later, or by another worker.
    """


class ServerRefusedError(Exception):
    """The generative server refuses this request, and repeating it does not help."""


@dataclass(frozen=True, slots=True)
class GenerativeRequest:
    """One edit asked of the generative server.

    `image`, `mask` (of the same size, transparent where the picture may change) and `references` (pictures that
    show what is asked for) are PNG files. `timeout_seconds` limits the whole call.
    """

    image: bytes
    mask: bytes | None
    prompt: str
    timeout_seconds: float
    references: Sequence[bytes] = ()


class GenerativeServer(Protocol):
    """Edits a picture by a prompt. Its answer may be anything and is checked by the caller."""

    def edit(self, request: GenerativeRequest) -> bytes:
        """Edit one picture.

        Parameters
        ----------
        request : GenerativeRequest
            The picture, the mask, the prompt and the time for the call.

        Returns
        -------
        bytes
            The edited picture, encoded, not yet checked.

        Raises
        ------
        ServerBusyError
            Where there is no usable answer in time; the same request may be repeated.
        ServerRefusedError
            Where the server refuses the request, and repeating it does not help.
        """
