"""Every setting of the service: read from the environment in this one place, checked once, then fixed."""

import os
import re
import secrets
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails

from app.adapters import redis_embedded

SECRET_KEY_MINIMUM = 16
DAY_SECONDS = 86_400


class SettingsError(Exception):
    """The service must not start like this; the text has one line for each variable at fault."""


class QcMode(StrEnum):
    """Who passes finished pictures on: the objective checks, or a reviewer."""

    AUTO = "auto"
    MANUAL = "manual"


def _default_base_url(earlier: dict[str, Any]) -> str:
    return f"http://localhost:{earlier['port']}"


def _default_database_url(earlier: dict[str, Any]) -> str:
    return f"sqlite:///{earlier['data_dir'] / 'brightlist.db'}"


def _default_redis_url(earlier: dict[str, Any]) -> str:
    return redis_embedded.url(redis_embedded.socket_path(earlier["data_dir"]))


def _default_storage_url(earlier: dict[str, Any]) -> str:
    url: str = (earlier["data_dir"] / "storage").as_uri()
    return url


class Settings(BaseModel):
    """The settings in force; each field is the environment variable of the same name in capitals.

    A field's description is what its variable accepts. Building one by hand reads no environment;
    `load_settings` does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    port: int = Field(default=8000, ge=1, le=65_535, description="a port number, 1 to 65535")
    host: str = Field(
        default="127.0.0.1",
        pattern=r"^[A-Za-z0-9.:_-]+$",
        description="the address to listen on, such as 127.0.0.1, or 0.0.0.0 for every network",
    )
    base_url: str = Field(
        default_factory=_default_base_url,
        description="the address customers use, http:// or https:// and a host",
    )
    data_dir: Path = Field(
        default=Path("var"),
        validate_default=True,
        description="a folder for everything that is kept, without the characters ? # ; in its path",
    )
    secret_key: SecretStr | None = Field(
        default=None, min_length=SECRET_KEY_MINIMUM, description=f"{SECRET_KEY_MINIMUM} characters or more"
    )
    database_url: str = Field(
        default_factory=_default_database_url,
        description="sqlite:////absolute/file.db or postgresql://user:password@host/database",
    )
    redis_url: str = Field(
        default_factory=_default_redis_url,
        description="redis://host:6379/0, rediss://host:6379/0 or unix:///path/redis.sock",
    )
    storage_url: str = Field(
        default_factory=_default_storage_url,
        description="file:///absolute/folder (other stores are not offered yet)",
    )
    qc_mode: QcMode = Field(default=QcMode.AUTO, description="auto or manual")
    upload_url_seconds: int = Field(default=3600, ge=1, le=7 * DAY_SECONDS, description="1 to 604800 (7 days)")
    download_url_seconds: int = Field(
        default=DAY_SECONDS, ge=1, le=7 * DAY_SECONDS, description="1 to 604800 (7 days)"
    )
    job_timeout_seconds: int = Field(default=7200, ge=1, le=DAY_SECONDS, description="1 to 86400 (1 day)")
    retention_seconds: int = Field(
        default=7 * DAY_SECONDS, ge=1, le=3650 * DAY_SECONDS, description="1 to 315360000 (10 years)"
    )
    workers: int = Field(default=2, ge=1, le=64, description="the number of worker processes, 1 to 64")

    @field_validator("base_url")
    @classmethod
    def _web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        # Reading the port raises ValueError when it is none.
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError("it is not a web address")
        if parts.query or parts.fragment:
            raise ValueError("it must end before any ? or #")
        return url.rstrip("/")

    @field_validator("data_dir")
    @classmethod
    def _absolute_folder(cls, path: Path) -> Path:
        # These characters end a path inside a database address or a line of the supervisor's configuration.
        if re.search(r"[?#;\x00-\x1f]", str(path)):
            raise ValueError("its path holds a character that is not allowed")
        if path.exists() and not path.is_dir():
            raise ValueError("it is not a folder")
        return path.absolute()

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        if re.match(r"sqlite:///(?!:memory:).", url):
            return url
        if re.match(r"postgresql(\+psycopg)?://.", url):
            return "postgresql+psycopg://" + url.partition("://")[2]
        if url.startswith("sqlite"):
            raise ValueError("several processes share the database, so SQLite needs a file")
        raise ValueError("only SQLite and PostgreSQL are supported")

    @field_validator("redis_url")
    @classmethod
    def _known_redis(cls, url: str) -> str:
        if not re.match(r"(rediss?://[^/]|unix:///.)", url):
            raise ValueError("it is not the address of a Redis server")
        return url

    @field_validator("storage_url")
    @classmethod
    def _known_storage(cls, url: str) -> str:
        if not re.match(r"file:///.", url):
            raise ValueError("only a folder on this machine is supported")
        return url

    @property
    def embedded_database(self) -> bool:
        """Whether the database is the service's own file in DATA_DIR."""
        return self.database_url == _default_database_url({"data_dir": self.data_dir})

    @property
    def embedded_redis(self) -> bool:
        """Whether Redis is the service's own, on a private socket."""
        return self.redis_url == _default_redis_url({"data_dir": self.data_dir})

    @property
    def demo(self) -> bool:
        """Whether nothing outside is used, as on a first `make run`."""
        return self.embedded_database and self.embedded_redis

    @property
    def storage_path(self) -> Path:
        """The folder that STORAGE_URL names."""
        return Path(unquote(urlsplit(self.storage_url).path))


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
    if "database_url" in given and "secret_key" not in given:
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


def child_environment(settings: Settings) -> dict[str, str]:
    """The environment for a process of the service: this process's own, with every setting written out.

    A child in another folder, or started by hand-built settings, so comes to the very same settings.
    """
    exported = {name.upper(): str(value) for name, value in settings if value is not None}
    return {**os.environ, **exported, "SECRET_KEY": secret_key(settings)}
