"""Seals secrets for the database with a key drawn from SECRET_KEY."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.domain.sending import SealBrokenError

_PURPOSE = b"brightlist vault 1"


class FernetVault:
    """The vault port over Fernet: AES-128-CBC with HMAC-SHA256, a fresh IV each time."""

    def __init__(self, secret_key: str) -> None:
        key = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret_key.encode())
        self._fernet = Fernet(urlsafe_b64encode(key))

    def seal(self, text: str) -> str:
        """The text as it may be kept."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The text again. Raises SealBrokenError."""
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise SealBrokenError("sealed with another SECRET_KEY, or changed since") from error
