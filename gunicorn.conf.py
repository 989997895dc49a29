"""What gunicorn takes up by itself where it is started in this folder, by `flask up` or by hand."""

from contextlib import suppress

from gunicorn.arbiter import Arbiter

from app.monitoring import logs
from app.settings import SettingsError, load_settings

worker_class = "app.serving.worker.Worker"
workers = 2
threads = 8
loglevel = "warning"


def on_starting(_server: Arbiter) -> None:
    """Let the process that starts the others log as they do."""
    with suppress(SettingsError):  # which they will tell
        logs.configure(load_settings().log_format)
