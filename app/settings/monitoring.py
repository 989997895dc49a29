"""The settings of monitoring."""

from enum import StrEnum

from pydantic import BaseModel, Field, SecretStr


class LogFormat(StrEnum):
    """The format of log lines."""

    TEXT = "text"
    JSON = "json"


class MonitoringSettings(BaseModel):
    """Metrics, logs, traces and error reports."""

    metrics_port: int | None = Field(
        default=None, ge=1, le=65_535, description="a port number, 1 to 65535, for Prometheus alone"
    )
    metrics_host: str = Field(
        default="127.0.0.1",
        pattern=r"^[A-Za-z0-9.:_-]+$",
        description="the address that METRICS_PORT listens on, which customers must not reach",
    )
    log_format: LogFormat = Field(default=LogFormat.TEXT, description="text or json")
    otlp_endpoint: str | None = Field(
        default=None, description="the address of a collector of traces that speaks OTLP over HTTP"
    )
    sentry_dsn: SecretStr | None = Field(
        default=None, description="the DSN of a project at Sentry, https://key@host/number"
    )
