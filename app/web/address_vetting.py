"""Vets addresses of receivers while their owners wait: a silent name server holds few threads of a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from app.domain.errors import AddressBeingChecked
from app.web.context import container

MOST_AT_ONCE = 2
"""Of the threads of this process; each may wait some seconds for a name server."""
_lock = Lock()
_waiting: set[str] = set()
"""The accounts of which an address is being vetted in this process."""


def vet_address(account_id: str, url: str) -> None:
    """Ask the name server of the URL's owner: no transaction may be open.

    Raises AddressNotAllowedError for one that nothing may be sent to, and AddressBeingChecked while another one of
    the account is asked for, or as many as there may be at once.
    """
    with _turn(account_id):
        container().transport.vet(url)


@contextmanager
def _turn(account_id: str) -> Iterator[None]:
    with _lock:
        if account_id in _waiting or len(_waiting) >= MOST_AT_ONCE:
            raise AddressBeingChecked
        _waiting.add(account_id)
    try:
        yield
    finally:
        with _lock:
            _waiting.discard(account_id)
