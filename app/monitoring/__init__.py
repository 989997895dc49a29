"""Starts the logs and metrics of a process and, if the settings ask for them, its traces and error reports."""

from importlib import import_module

from app.metrics import start_sharing
from app.monitoring import logs, recording
from app.settings import Settings, SettingsError, choose_metrics_folder

_started: set[str] = set()


def start(settings: Settings, program: str) -> None:
    """Start logs, metrics, traces and error reports as the settings say. Every process calls this first.

    `program`: the process's name in metrics, such as web or photos. Calling it again has no effect. Raises
    SettingsError if a setting needs packages that are not installed.
    """
    logs.configure(settings.log_format)
    if settings.metrics_port is not None:
        folder = settings.metrics_folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        start_sharing(lambda: choose_metrics_folder(folder))
    recording.listen(program)
    if settings.otlp_endpoint is not None:
        _start_extra("tracing", "OTLP_ENDPOINT", settings, program)
    if settings.sentry_dsn is not None:
        _start_extra("error_reports", "SENTRY_DSN", settings, program)


def _start_extra(name: str, setting: str, settings: Settings, program: str) -> None:
    """Start a module of this package that needs packages which not every installation has."""
    if name in _started:
        return
    try:
        extra = import_module(f"app.monitoring.{name}")
    except ModuleNotFoundError as missing:
        raise SettingsError(
            f"{setting}: the package {missing.name} is not installed; "
            "pip install -r deploy/requirements/monitoring.txt, or leave the setting out"
        ) from None
    extra.start(settings, program)
    _started.add(name)
