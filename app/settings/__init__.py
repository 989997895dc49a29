"""All settings of the service: read from the environment only here, validated once, then unchangeable."""

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


_PLAIN = ("PATH", "LANG", "LC_ALL", "TZ", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""The variables that every program may have."""


class SettingsError(Exception):
    """The settings are not valid, so the service must not start. The text has one line for each faulty variable."""


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings from `environ` (default: this process's environment); an empty variable counts as absent.

    Raises SettingsError with all faults, one line each, beginning with the variable's name.
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
    # The value stays out of the message: a URL may contain a password.
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
    """The environment for a child process of the service: this process's, with every setting written out.

    So the child has the same settings even if it runs in another folder, or if `settings` were built in code.
    `secret_key` is passed on where the settings have none.
    """
    exported = {name.upper(): _plain(value) for name, value in settings if value is not None}
    default_key = {} if settings.secret_keys or settings.secret_key else {"SECRET_KEY": secret_key}
    return {**os.environ, **exported, **default_key}


def plain_environment() -> dict[str, str]:
    """The environment for a child process that gets no settings of the service, which have secrets."""
    return {name: os.environ[name] for name in _PLAIN if name in os.environ}


def choose_metrics_folder(folder: Path) -> None:
    """Set the folder where prometheus_client keeps the values of processes; it reads that only from the
    environment.
    """
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def _plain(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
