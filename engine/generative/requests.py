"""Calls to the generative server: each paid first, waits and number of calls bounded, all before a deadline."""

import logging

from engine.canvas import Declined, ServerAccess
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError, ServerUnavailableError

log = logging.getLogger(__name__)

MOST_BUSY = 4
"""The number of busy answers after which a step gives up."""
FIRST_WAIT_SECONDS = 2.0
"""The first wait after such an answer; each further one is twice as long. The server may ask for longer ones."""
LEAST_CALL_SECONDS = 15.0
"""A call with less time than this is not worth its price; one allowed less anyway may start with all of that."""


class ServerCalls:
    """The calls of one step on one photo. `name` is the step's, as customers read it."""

    def __init__(self, server_access: ServerAccess, name: str) -> None:
        self._server_access = server_access
        self._name = name
        self._busy = 0

    def ask(self, image: bytes, mask: bytes, prompt: str, references: tuple[bytes, ...]) -> bytes:
        """The server's edit of a picture; a busy server is asked again after a wait.

        Parameters
        ----------
        image : bytes
            PNG of the picture.
        mask : bytes
            PNG as large as it, transparent where it may change.
        prompt : str
            What is to be done.
        references : tuple of bytes
            PNG pictures to go by.

        Returns
        -------
        bytes
            The encoded answer, unchecked.

        Raises
        ------
        Declined
            SERVER_REFUSED when the server refuses, SPEND_LIMIT when no more calls may be paid,
            SERVER_UNAVAILABLE when the time is over or the server stays busy.
        ServerUnavailableError
            Where the server cannot be asked now, or stays busy, and the photo may be done later.
        """
        while True:
            try:
                seconds = self._paid_seconds()
                return self._server_access.server.edit(GenerativeRequest(image, mask, prompt, seconds, references))
            except ServerRefusedError as refusal:
                log.warning("the generative server refused: %s", refusal)
                text = f"{self._name} was not done: the picture server refused this photo or this wish."
                raise Declined(Reason.SERVER_REFUSED, text) from None
            except ServerBusyError as busy:
                log.warning("the generative server is busy: %s", busy)
                self._wait(busy.retry_after_seconds or 0.0)

    def _paid_seconds(self) -> float:
        """How long the next call may take, once it is paid."""
        if self._server_access.left < self._least_seconds:
            # The edits judged so far took all the time: to begin anew would take as long, and cost as much.
            raise self._unavailable()
        if not self._server_access.context.spend():
            text = f"{self._name} was not done: the limit of calls to the picture server is reached."
            raise Declined(Reason.SPEND_LIMIT, text)
        # Paying may have taken a while.
        return max(0.1, min(self._server_access.call_seconds, self._server_access.left))

    def _wait(self, asked_for: float) -> None:
        seconds = max(FIRST_WAIT_SECONDS * 2**self._busy, asked_for)
        self._busy += 1
        if self._busy >= MOST_BUSY or self._server_access.left - seconds < self._least_seconds:
            if self._server_access.context.may_wait:
                raise ServerUnavailableError(f"{self._name} cannot be made now")
            raise self._unavailable()
        self._server_access.sleep(seconds)

    @property
    def _least_seconds(self) -> float:
        return min(LEAST_CALL_SECONDS, self._server_access.call_seconds)

    def _unavailable(self) -> Declined:
        text = f"{self._name} was not done: the picture server did not answer in time."
        return Declined(Reason.SERVER_UNAVAILABLE, text)
