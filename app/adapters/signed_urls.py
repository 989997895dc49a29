"""Signed URLs of the service: each contains the key of a file, a file name and an expiry time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from itsdangerous import BadSignature, URLSafeSerializer

from app.domain.errors import LinkExpired, LinkForged

UPLOADS = "/uploads/"
FILES = "/files/"


@dataclass(frozen=True, slots=True)
class Permission:
    """What a signed URL gives access to: the file under `key`, in downloads named `file_name`."""

    key: str
    file_name: str


class SignedUrls:
    """Makes and reads signed URLs of the service. The first secret signs; signatures of all secrets are
    accepted.
    """

    def __init__(self, base_url: str, secrets: Sequence[str], clock: Callable[[], datetime]) -> None:
        self._base_url = base_url
        self._clock = clock
        oldest_first = [*reversed(secrets)]
        self._serializers = {
            path: URLSafeSerializer(oldest_first, salt=f"signed-url{path}") for path in (UPLOADS, FILES)
        }

    def make(self, path: str, permission: Permission, valid_seconds: int) -> str:
        """A URL, under UPLOADS or FILES, that is valid for `valid_seconds`."""
        until = self._clock() + timedelta(seconds=valid_seconds)
        content = [permission.key, permission.file_name, int(until.timestamp())]
        token = self._serializers[path].dumps(content)
        return f"{self._base_url}{path}{quote(str(token))}"

    def read(self, path: str, token: str, at: datetime | None = None) -> Permission:
        """What the token gives access to. Raises LinkForged, and LinkExpired when it is expired at the time `at`,
        by default now.
        """
        try:
            key, file_name, until = self._serializers[path].loads(token)
        except (BadSignature, ValueError):
            raise LinkForged("The signature of this URL does not hold.") from None
        if (at or self._clock()).timestamp() >= until:
            raise LinkExpired("This URL's time is over; ask for a fresh one.")
        return Permission(key, file_name)
