"""The secret the service signs and seals with: given, or made once and kept in DATA_DIR."""

import os
import secrets
from pathlib import Path

from app.settings import SECRET_KEY_MINIMUM, Settings, SettingsError


def secret_key(settings: Settings) -> str:
    """SECRET_KEY, or the one kept in DATA_DIR/secret_key, which the first call makes (mode 0600).

    Several processes may call it at once and get the same key. Raises SettingsError when the kept one is too
    short.
    """
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.data_dir / "secret_key"
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
