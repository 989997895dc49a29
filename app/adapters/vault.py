"""Encrypts secrets for the database, with keys derived from the service's secret keys."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.domain.sending import DecryptionError

_PURPOSE = b"brightlist vault 1"


class FernetVault:
    """Implements app.domain.sending.Vault with Fernet: AES-128-CBC with HMAC-SHA256, a new IV each time.

    The first key encrypts; texts encrypted with any of the keys can be decrypted.
    """

    def __init__(self, *secret_keys: str) -> None:
        fernets = [_fernet(secret_key) for secret_key in secret_keys]
        self._newest, self._all = fernets[0], MultiFernet(fernets)

    def seal(self, text: str) -> str:
        """The text, encrypted with the first key."""
        return self._newest.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The decrypted text. Raises DecryptionError."""
        try:
            return self._all.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise DecryptionError("sealed with another secret key, or changed since") from error

    def renew(self, sealed: str) -> str | None:
        """The text, encrypted again with the first key; None if it already is. Raises DecryptionError."""
        try:
            self._newest.decrypt(sealed.encode())
        except InvalidToken:
            return self.seal(self.open(sealed))
        return None


def _fernet(secret_key: str) -> Fernet:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret_key.encode())
    return Fernet(urlsafe_b64encode(key))
