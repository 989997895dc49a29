"""Signed cursors: they name the entry of a list after which the next page starts, for one list and its filters."""

from collections.abc import Sequence

from itsdangerous import BadSignature, URLSafeSerializer


class ListCursors:
    """Makes and reads cursors. The first secret signs; signatures of all secrets are accepted."""

    def __init__(self, *secrets: str) -> None:
        self._oldest_first: Sequence[str] = [*reversed(secrets)]

    def make(self, of: str, key: str) -> str:
        """The cursor after the entry `key`. `of`: names the account, the list and its filters."""
        return str(self._serializer(of).dumps(key))

    def read(self, of: str, cursor: str) -> str | None:
        """The entry that the cursor names; None if it was not made by make() for the same `of`."""
        try:
            return str(self._serializer(of).loads(cursor))
        except (BadSignature, ValueError):
            return None

    def _serializer(self, of: str) -> URLSafeSerializer:
        return URLSafeSerializer(self._oldest_first, salt=f"cursor:{of}")
