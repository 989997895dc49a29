"""What a process tells of itself to whoever runs the service: metrics and logs."""

from app.metrics import start_sharing
from app.monitoring import logs, recording
from app.settings import Settings, choose_metrics_folder


def start(settings: Settings, program: str) -> None:
    """Begin to log as the settings say and, where METRICS_PORT is set, to count: first of all in every process.

    `program`: the process's name in metrics, such as web or photos. Once more does no harm.
    """
    logs.configure(settings.log_format)
    if settings.metrics_port is not None:
        folder = settings.metrics_folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        start_sharing(lambda: choose_metrics_folder(folder))
    recording.listen(program)
