"""Every setting of the service: read from the environment in this one place, checked once, then fixed."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails

from app.domain.reviews import QcMode
from app.settings.fields import SECRET_KEY_MINIMUM, Settings
from app.settings.monitoring import LogFormat

__all__ = [
    "SECRET_KEY_MINIMUM",
    "LogFormat",
    "QcMode",
    "Settings",
    "SettingsError",
    "child_environment",
    "choose_metrics_folder",
    "load_settings",
]


class SettingsError(Exception):
    """The service must not start like this; the text has one line for each variable at fault."""


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings from `environ` (default: this process's environment); an empty variable counts as absent.

    Raises SettingsError with every fault at once, one line each, beginning with the variable's name.
    """
    environ = os.environ if environ is None else environ
    given = {name: environ[name.upper()] for name in Settings.model_fields if environ.get(name.upper())}
    faults = []
    settings = None
    try:
        settings = Settings.model_validate(given)
    except ValidationError as refused:
        faults = [_fault(error) for error in refused.errors() if error["type"] != "default_factory_not_called"]
    if "database_url" in given and not {"secret_key", "secret_keys"} & given.keys():
        faults.append(f"SECRET_KEY: it is required when DATABASE_URL is set; accepted: {_accepted('secret_key')}")
    if settings is None or faults:
        raise SettingsError("\n".join(faults))
    return settings


def _fault(error: ErrorDetails) -> str:
    # The value stays out of the message: an address may carry a password.
    name = str(error["loc"][0])
    reason = (
        error["msg"]
        .removeprefix("Value error, ")
        .replace("Input should", "it should")
        .replace("String should", "it should")
    )
    return f"{name.upper()}: {reason}; accepted: {_accepted(name)}"


def _accepted(name: str) -> str:
    return Settings.model_fields[name].description or ""


def child_environment(settings: Settings, secret_key: str) -> dict[str, str]:
    """The environment for a process of the service: this process's own, with every setting written out.

    A child in another folder, or started by hand-built settings, so comes to the very same settings. `secret_key`:
    the one in force where none is set.
    """
    exported = {name.upper(): _plain(value) for name, value in settings if value is not None}
    made = {} if settings.secret_keys or settings.secret_key else {"SECRET_KEY": secret_key}
    return {**os.environ, **exported, **made}


def choose_metrics_folder(folder: Path) -> None:
    """Tell prometheus_client where processes keep their values; it takes that from the environment alone."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def _plain(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
