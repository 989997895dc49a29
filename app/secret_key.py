"""The secret keys that the service signs and encrypts with: given in settings, or generated once in DATA_DIR."""

import secrets
from pathlib import Path

from app.adapters import private_files
from app.settings import SECRET_KEY_MINIMUM, Settings, SettingsError


def secret_keys(settings: Settings) -> tuple[str, ...]:
    """The keys in force, the newest first: SECRET_KEYS and then SECRET_KEY, or else the one in DATA_DIR/secret_key.

    The first call makes that file (mode 0600); processes that call at the same time get the same key. The newest
    key signs and encrypts; what an older one signed or encrypted is accepted too. Raises SettingsError when the key
    in the file is too short.
    """
    return tuple(dict.fromkeys(settings.given_secret_keys)) or (
        _read_or_generate(settings.data_dir / "secret_key"),
    )


def secret_key(settings: Settings) -> str:
    """The newest of the keys in force. Raises SettingsError like secret_keys()."""
    return secret_keys(settings)[0]


def _read_or_generate(path: Path) -> str:
    if not path.exists():
        private_files.keep(path, secrets.token_urlsafe(48).encode())
    kept = path.read_text().strip()
    if len(kept) < SECRET_KEY_MINIMUM:
        raise SettingsError(
            f"SECRET_KEY: the key kept in {path} is too short; remove that file to have a new one made"
        )
    return kept
