"""Checks webhook URLs during a request, in few threads at once: a silent name server may block each of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from app.domain.errors import AddressBeingChecked
from app.web.context import container

MAX_AT_ONCE = 2
"""The most threads of this process that check an address at once; each may wait some seconds for a name server."""
_lock = Lock()
_busy_accounts: set[str] = set()
"""The accounts for which this process is checking an address now."""


def vet_address(account_id: str, url: str) -> None:
    """Check that deliveries may be sent to the URL. It asks a name server, so no transaction may be open.

    Raises AddressNotAllowedError when they may not, and AddressBeingChecked while another URL of the account, or
    already MAX_AT_ONCE URLs, are being checked.
    """
    with _reserve(account_id):
        container().transport.vet(url)


@contextmanager
def _reserve(account_id: str) -> Iterator[None]:
    with _lock:
        if account_id in _busy_accounts or len(_busy_accounts) >= MAX_AT_ONCE:
            raise AddressBeingChecked
        _busy_accounts.add(account_id)
    try:
        yield
    finally:
        with _lock:
            _busy_accounts.discard(account_id)
