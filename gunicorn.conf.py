"""What gunicorn takes up by itself where it is started in this folder, by `flask up` or by hand."""

from contextlib import suppress

from gunicorn.arbiter import Arbiter

from app.preload import load

worker_class = "app.serving.worker.Worker"
workers = 2
threads = 8
loglevel = "warning"


def on_starting(_server: Arbiter) -> None:
    """Let the process that starts the others log as they do, and load what they would each load.

    Modules alone: every worker makes the application, with its connections, itself. A gunicorn that is to serve
    new code is started again.
    """
    load("app.application")
    load("app.api.mcp.transport")
    settings = load("app.settings")
    with suppress(settings.SettingsError):  # which they will tell
        load("app.monitoring.logs").configure(settings.load_settings().log_format)
