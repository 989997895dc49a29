"""All settings, and the values that each accepts."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from app.adapters import redis_embedded
from app.adapters.mail_message import Sender
from app.domain.attempts import DELIVERIES
from app.domain.mail_text import mailbox
from app.domain.reviews import QcMode
from app.domain.staff import StaffTwoFactor
from app.settings.credentials import CredentialSettings
from app.settings.monitoring import MonitoringSettings
from app.settings.payments import PaymentSettings
from app.settings.programs import ProgramSettings
from app.settings.proxies import ProxySettings
from app.settings.storage import BucketSettings, check_storage_url, split_bucket_url

SECRET_KEY_MINIMUM = 16
"""The least length of a secret key, in characters."""
DAY_SECONDS = 86_400
HOUR_SECONDS = 3600


# `earlier`: the values of the fields that are declared before this one.
def _default_database_url(earlier: dict[str, Any]) -> str:
    return f"sqlite:///{earlier['data_dir'] / 'brightlist.db'}"


def _default_redis_url(earlier: dict[str, Any]) -> str:
    return redis_embedded.url(redis_embedded.socket_path(earlier["data_dir"]))


def _split_keys(keys: SecretStr) -> tuple[str, ...]:
    return tuple(key.strip() for key in keys.get_secret_value().split(","))


class Settings(
    PaymentSettings, ProgramSettings, ProxySettings, BucketSettings, MonitoringSettings, CredentialSettings
):
    """The settings in force; each field is the environment variable of the same name in capitals.

    A field's description says what the variable accepts. The constructor does not read the environment;
    load_settings() does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    port: int = Field(default=8000, ge=1, le=65_535, description="a port number, 1 to 65535")
    host: str = Field(
        default="127.0.0.1",
        pattern=r"^[A-Za-z0-9.:_-]+$",
        description="the address to listen on, such as 127.0.0.1, or 0.0.0.0 for every network",
    )
    base_url: str = Field(
        default_factory=lambda earlier: f"http://localhost:{earlier['port']}",
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
    secret_keys: SecretStr | None = Field(
        default=None,
        description=f"keys of {SECRET_KEY_MINIMUM} characters or more with commas between them, the newest first",
    )
    database_url: str = Field(
        default_factory=_default_database_url,
        description="sqlite:////absolute/file.db or postgresql://user:password@host/database",
    )
    database_pooled: bool = Field(
        default=False, description="1 where DATABASE_URL leads to a pooler such as PgBouncer, 0 else"
    )
    redis_url: str = Field(
        default_factory=_default_redis_url,
        description="redis://host:6379/0, rediss://host:6379/0 or unix:///path/redis.sock",
    )
    storage_url: str = Field(
        default_factory=lambda earlier: (earlier["data_dir"] / "storage").as_uri(),
        validate_default=True,
        description="file:///absolute/folder or s3://bucket/prefix",
    )
    qc_mode: QcMode = Field(default=QcMode.AUTO, description="auto, auto+review or manual")
    upload_url_seconds: int = Field(default=3600, ge=1, le=7 * DAY_SECONDS, description="1 to 604800 (7 days)")
    order_look_seconds: float = Field(default=6, ge=0, le=20, description="0 to 20")
    download_url_seconds: int = Field(
        default=DAY_SECONDS, ge=1, le=7 * DAY_SECONDS, description="1 to 604800 (7 days)"
    )
    job_timeout_seconds: int = Field(default=7200, ge=1, le=DAY_SECONDS, description="1 to 86400 (1 day)")
    retention_seconds: int = Field(
        default=7 * DAY_SECONDS, ge=1, le=3650 * DAY_SECONDS, description="1 to 315360000 (10 years)"
    )
    max_connections: int = Field(
        default=4000, ge=20, le=1_000_000, description="connections to the web processes together, 20 to 1000000"
    )
    upload_buffer_megabytes: int = Field(
        default=12_288, ge=200, le=10_000_000, description="megabytes of disk, 200 to 10000000"
    )
    upload_quota_sessions: int = Field(default=200, ge=1, le=1_000_000, description="1 to 1000000, per account")
    upload_quota_megabytes: int = Field(
        default=20_480, ge=50, le=1_000_000_000, description="50 to 1000000000, per account"
    )
    keep_quota_megabytes: int = Field(
        default=50_000, ge=0, le=1_000_000_000, description="0 to 1000000000, per account"
    )
    workers: int = Field(default=2, ge=1, le=64, description="the number of worker processes, 1 to 64")
    rate_limit_reads: int = Field(default=600, ge=1, le=1_000_000, description="requests a minute, 1 to 1000000")
    rate_limit_sign_ins: int = Field(default=10, ge=1, le=1_000_000, description="tries a minute, 1 to 1000000")
    sign_in_seconds: int = Field(
        default=DAY_SECONDS // 2, ge=60, le=30 * DAY_SECONDS, description="60 to 2592000 (30 days)"
    )
    sign_in_idle_seconds: int = Field(
        default=HOUR_SECONDS, ge=120, le=30 * DAY_SECONDS, description="120 to 2592000 (30 days)"
    )
    staff_two_factor: StaffTwoFactor = Field(
        default=StaffTwoFactor.OPTIONAL, description="optional or required, for staff accounts"
    )
    rate_limit_writes: int = Field(default=120, ge=1, le=1_000_000, description="requests a minute, 1 to 1000000")
    webhook_delays_seconds: str = Field(
        default=",".join(["0", *(str(each.seconds) for each in DELIVERIES.delays)]),
        pattern=r"^0(,\d{1,6}){0,9}$",
        description="whole seconds before each attempt, up to 10 of them, 0 first, such as 0,30,120,600,3600",
    )
    webhook_deadline_seconds: float = Field(default=10, ge=0.1, le=60, description="0.1 to 60")
    allow_private_webhooks: bool = Field(
        default=False, description="1 to admit receivers on this machine, for development"
    )
    mail_url: SecretStr | None = Field(
        default=None, description="smtp://user:password@host:587 or smtps://user:password@host:465"
    )
    mail_from: str = Field(
        default="Brightlist <no-reply@localhost>",
        description="the sender of mail, such as Brightlist <hello@example.com>",
    )
    support_email: str | None = Field(
        default=None, description="where customers write to: shown in the footer and on errors"
    )
    imagery_folder: Path | None = Field(
        default=None, description="a folder of the operator's own outside pictures, named by address"
    )
    street_view_key: SecretStr | None = Field(default=None, description="a key of Google's Street View Static API")
    street_view_url: str = Field(
        default="https://maps.googleapis.com", description="the address of Google's Maps services"
    )
    generative_url: str | None = Field(
        default=None, description="the address of a server with an images-edit interface, up to and with /v1"
    )
    generative_key: SecretStr | None = Field(default=None, description="the bearer key of that server")
    generative_model: str = Field(
        default="gpt-image-1", min_length=1, description="the name of that server's model"
    )
    generative_timeout_seconds: float = Field(default=90, ge=0.1, le=280, description="0.1 to 280, for one call")
    generative_calls_per_job: int = Field(default=200, ge=0, le=100_000, description="0 to 100000")
    generative_calls_per_day: int | None = Field(default=None, ge=0, description="0 or more")
    generative_concurrency: int | None = Field(default=None, ge=1, le=1000, description="1 to 1000 calls at once")

    @field_validator(
        *("base_url", "street_view_url", "generative_url", "stripe_url", "stripe_checkout_url"),
        *("s3_endpoint", "s3_public_endpoint", "otlp_endpoint", "c2pa_tsa_url"),
    )
    @classmethod
    def _check_web_address(cls, url: str | None) -> str | None:
        if url is None:
            return None
        parts = urlsplit(url)
        # Reading `port` raises ValueError for an invalid port.
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError("it is not a web address")
        if parts.query or parts.fragment:
            raise ValueError("it must end before any ? or #")
        return url.rstrip("/")

    @field_validator("support_email")
    @classmethod
    def _check_mail_address(cls, address: str | None) -> str | None:
        if address is not None and mailbox(address) is None:
            raise ValueError("it is not an e-mail address")
        return address

    @field_validator("secret_keys")
    @classmethod
    def _check_key_lengths(cls, keys: SecretStr | None) -> SecretStr | None:
        if keys is not None and min(map(len, _split_keys(keys))) < SECRET_KEY_MINIMUM:
            raise ValueError("one of them is too short")
        return keys

    @field_validator("data_dir")
    @classmethod
    def _check_folder(cls, path: Path) -> Path:
        # These characters would end the path in a database URL or in a line of the supervisor's configuration.
        if re.search(r"[?#;\x00-\x1f]", str(path)):
            raise ValueError("its path holds a character that is not allowed")
        if path.exists() and not path.is_dir():
            raise ValueError("it is not a folder")
        return path.absolute()

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, url: str) -> str:
        if re.match(r"sqlite:///(?!:memory:).", url):
            return url
        if re.match(r"postgresql(\+psycopg)?://.", url):
            return "postgresql+psycopg://" + url.partition("://")[2]
        if url.startswith("sqlite"):
            raise ValueError("several processes share the database, so SQLite needs a file")
        raise ValueError("only SQLite and PostgreSQL are supported")

    @field_validator("redis_url")
    @classmethod
    def _check_redis_url(cls, url: str) -> str:
        if not re.match(r"(rediss?://[^/]|unix:///.)", url):
            raise ValueError("it is not the address of a Redis server")
        return url

    @field_validator("storage_url")
    @classmethod
    def _check_storage_url(cls, url: str, info: ValidationInfo) -> str:
        only_for_buckets = ("s3_endpoint", "s3_public_endpoint", "s3_access_key_id", "storage_direct")
        return check_storage_url(url, {name: info.data.get(name) for name in only_for_buckets})

    @field_validator("mail_url")
    @classmethod
    def _check_mail_server(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            parts = urlsplit(url.get_secret_value())
            # Reading `port` raises ValueError for an invalid port.
            if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.port == 0:
                raise ValueError("it is not the address of a mail server")
        return url

    @field_validator("mail_from")
    @classmethod
    def _check_sender(cls, text: str) -> str:
        Sender(text)
        return text

    @field_validator("imagery_folder")
    @classmethod
    def _check_imagery_folder(cls, path: Path | None) -> Path | None:
        if path is not None and not path.is_dir():
            raise ValueError("there is no such folder")
        return path.absolute() if path else None

    @property
    def given_secret_keys(self) -> tuple[str, ...]:
        """The keys of SECRET_KEYS, the newest first, and then SECRET_KEY."""
        last = (self.secret_key.get_secret_value(),) if self.secret_key else ()
        return (*(_split_keys(self.secret_keys) if self.secret_keys else ()), *last)

    @property
    def webhook_delays(self) -> tuple[timedelta, ...]:
        """The delay before each attempt at a delivery, counted from the end of the previous attempt."""
        return tuple(timedelta(seconds=int(each)) for each in self.webhook_delays_seconds.split(","))

    @property
    def embedded_database(self) -> bool:
        """Whether the database is the service's own file in DATA_DIR."""
        return self.database_url == _default_database_url({"data_dir": self.data_dir})

    @property
    def embedded_redis(self) -> bool:
        """Whether Redis is the service's own server, on a private socket in DATA_DIR."""
        return self.redis_url == _default_redis_url({"data_dir": self.data_dir})

    @property
    def demo(self) -> bool:
        """Whether database and Redis are the service's own, as on a first `make run`."""
        return self.embedded_database and self.embedded_redis

    @property
    def metrics_folder(self) -> Path:
        """The folder where the processes of this machine keep the values of their metrics."""
        return self.data_dir / "metrics"

    @property
    def takes_demo_payments(self) -> bool:
        """Whether credits are sold without money: by DEMO_PAYMENTS, by default in a demo; never with Stripe."""
        if self.stripe_secret_key is not None:
            return False
        return self.demo if self.demo_payments is None else self.demo_payments

    @property
    def storage_bucket(self) -> tuple[str, str] | None:
        """The bucket and the key prefix in STORAGE_URL; None if it names a folder."""
        return split_bucket_url(self.storage_url)

    @property
    def storage_path(self) -> Path:
        """The folder in STORAGE_URL."""
        return Path(unquote(urlsplit(self.storage_url).path))
