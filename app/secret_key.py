"""The secrets the service signs and seals with: given, or made once and kept in DATA_DIR."""

import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from app.settings import SECRET_KEY_MINIMUM, Settings, SettingsError


def secret_keys(settings: Settings) -> tuple[str, ...]:
    """The keys in force, the newest first: SECRET_KEYS and then SECRET_KEY, or else the one in DATA_DIR/secret_key.

    That file is made by the first call (mode 0600).
    The newest signs and seals; what the others signed and sealed is good too. Several processes may call it at once
    and get the same key. Raises SettingsError when the kept one is too short.
    """
    given = (*settings.given_secret_keys, *filter(None, [_text(settings.secret_key)]))
    return tuple(dict.fromkeys(given)) or (_kept(settings.data_dir / "secret_key"),)


def secret_key(settings: Settings) -> str:
    """The newest of the keys in force. Raises SettingsError like secret_keys()."""
    return secret_keys(settings)[0]


def _text(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None


def _kept(path: Path) -> str:
    if not path.exists():
        _keep_new_secret(path)
    kept = path.read_text().strip()
    if len(kept) < SECRET_KEY_MINIMUM:
        raise SettingsError(
            f"SECRET_KEY: the key kept in {path} is too short; remove that file to have a new one made"
        )
    return kept


def _keep_new_secret(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".secret_key.{os.getpid()}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600, exist_ok=False)
    try:
        draft.write_text(secrets.token_urlsafe(48))
        # Linking refuses to replace: whoever is first wins, and nobody ever reads half a key.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
