"""Vets webhook URLs during a request, in few threads at once, as a silent name server may block each of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from app.domain.errors import AddressBeingChecked
from app.web.context import container

MOST_AT_ONCE = 2
"""Most threads of this process that vet an address at once; each may wait some seconds for a name server."""
_lock = Lock()
_waiting: set[str] = set()
"""The accounts for which this process is vetting an address now."""


def vet_address(account_id: str, url: str) -> None:
    """Check that deliveries may be sent to the URL. It asks a name server, so no transaction may be open.

    Raises AddressNotAllowedError when they may not, and AddressBeingChecked while another URL of the account, or
    MOST_AT_ONCE of any accounts, are being checked.
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
