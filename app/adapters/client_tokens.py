"""Signed client tokens: tokens are not stored; each contains all that it permits."""

from collections.abc import Sequence
from datetime import datetime

from itsdangerous import BadSignature, URLSafeSerializer

from app.domain.client_token_errors import ClientTokenExpired
from app.domain.client_tokens import TEST_PREFIX, ClientToken, prefix_of
from app.domain.errors import Unauthorized


class ClientTokens:
    """Makes and reads client tokens. The first secret signs; signatures of all secrets are accepted."""

    def __init__(self, secrets: Sequence[str]) -> None:
        oldest_first = [*reversed(secrets)]
        # A salt for each mode: a token whose prefix was changed into that of the other mode is forged.
        self._serializers = {
            mode: URLSafeSerializer(oldest_first, salt=f"client-token:{prefix_of(mode)}") for mode in (True, False)
        }

    def make(self, permission: ClientToken, expires_at: datetime) -> str:
        """A token for this permission, valid until `expires_at`, which is rounded down to the second."""
        content = [
            permission.key_id,
            permission.session_id,
            permission.max_files,
            int(permission.opens_session),
            int(expires_at.timestamp()),
        ]
        signed = self._serializers[permission.livemode].dumps(content)
        return prefix_of(permission.livemode) + str(signed)

    def read(self, token: str, at: datetime | None) -> ClientToken:
        """What the token permits. Raises Unauthorized if it was not made by make(), and ClientTokenExpired if it
        has expired at the time `at`; with None, an expired token is accepted, too.
        """
        livemode = not token.startswith(TEST_PREFIX)
        try:
            content = self._serializers[livemode].loads(token.removeprefix(prefix_of(livemode)))
            key_id, session_id, max_files, opens_session, until = content
        except (BadSignature, ValueError):
            raise Unauthorized("The client token is not valid.") from None
        if at is not None and at.timestamp() >= until:
            raise ClientTokenExpired
        return ClientToken(key_id, session_id, max_files, bool(opens_session), livemode)
