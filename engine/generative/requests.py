"""Calls the generative server: pays each call first, waits for a busy server a few times, and keeps a deadline."""

import logging

from engine.canvas import Declined, ServerAccess
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError, ServerUnavailableError

log = logging.getLogger(__name__)

MAX_BUSY_ANSWERS = 4
"""The number of busy answers at which a step gives up."""
FIRST_WAIT_SECONDS = 2.0
"""The wait after the first busy answer; each further wait is twice as long. The server may ask for longer waits."""
MIN_CALL_SECONDS = 15.0
"""Least time that must be left to start a call, unless the limit of a call is even shorter."""


class ServerCalls:
    """The calls of one step on one photo. `name` is the step's name as customers read it."""

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
            PNG as large as `image`, transparent where the picture may change.
        prompt : str
            What the server is to do.
        references : tuple of bytes
            Reference pictures, PNG.

        Returns
        -------
        bytes
            The encoded answer, unchecked.

        Raises
        ------
        Declined
            SERVER_REFUSED when the server refuses, SPEND_LIMIT when no more calls may be paid. SERVER_UNAVAILABLE
            when the time is over, or when the server stays busy and the photo may not be done later.
        ServerUnavailableError
            Where the server cannot be asked now, or stays busy, and the photo may be done later.
        """
        while True:
            try:
                seconds = self._pay_next_call()
                return self._server_access.server.edit(GenerativeRequest(image, mask, prompt, seconds, references))
            except ServerRefusedError as refusal:
                log.warning("the generative server refused: %s", refusal)
                text = f"{self._name} was not done: the picture server refused this photo or this wish."
                raise Declined(Reason.SERVER_REFUSED, text) from None
            except ServerBusyError as busy:
                log.warning("the generative server is busy: %s", busy)
                self._wait(busy.retry_after_seconds or 0.0)

    def _pay_next_call(self) -> float:
        """Pay for the next call and return how many seconds it may take."""
        if self._server_access.left < self._least_seconds:
            # The step is declined, not postponed, because a later start would use up the time in the same way.
            raise self._unavailable()
        if not self._server_access.context.spend():
            text = f"{self._name} was not done: the limit of calls to the picture server is reached."
            raise Declined(Reason.SPEND_LIMIT, text)
        # Paying may have taken a while.
        return max(0.1, min(self._server_access.call_seconds, self._server_access.left))

    def _wait(self, retry_after_seconds: float) -> None:
        seconds = max(FIRST_WAIT_SECONDS * 2**self._busy, retry_after_seconds)
        self._busy += 1
        if self._busy >= MAX_BUSY_ANSWERS or self._server_access.left - seconds < self._least_seconds:
            if self._server_access.context.may_wait:
                raise ServerUnavailableError(f"{self._name} cannot be made now")
            raise self._unavailable()
        self._server_access.sleep(seconds)

    @property
    def _least_seconds(self) -> float:
        return min(MIN_CALL_SECONDS, self._server_access.call_seconds)

    def _unavailable(self) -> Declined:
        text = f"{self._name} was not done: the picture server did not answer in time."
        return Declined(Reason.SERVER_UNAVAILABLE, text)
