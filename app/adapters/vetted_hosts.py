"""Looks up the addresses of a stranger's host, and admits only those to which a connection may be made."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from app.adapters import connect
from app.adapters.address_policy import NOT_ALLOWED, AddressRules, Target
from app.adapters.deadlines import Deadline
from app.domain.sending import AddressNotAllowedError

Resolve = Callable[[str, int], list[str]]
"""Returns the addresses of a host for a port. Raises OSError."""


@dataclass(frozen=True, slots=True)
class VettedHosts:
    """The hosts that the rules admit. Connect only to the addresses that look_up() returned: another look-up may
    have another answer.
    """

    rules: AddressRules
    resolve: Resolve = connect.resolve

    def look_up(self, target: Target, deadline: Deadline) -> tuple[str, ...]:
        """The host's addresses. Raises AddressNotAllowedError, and TimeoutError at the deadline."""
        try:
            answers = deadline.wait_for(partial(self.resolve, target.host, target.port))
        except TimeoutError:
            raise
        except OSError:
            # The same message as for an address that is not allowed, so that customers cannot find out which names
            # exist in our network.
            raise AddressNotAllowedError(NOT_ALLOWED) from None
        return self.rules.admit(target, answers)
