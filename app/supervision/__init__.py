"""Starts every process of the service, keeps them running, and ends them all together."""

import shutil
import sys
from collections.abc import Callable, Iterable

from app.adapters.redis_embedded import RedisUnavailableError
from app.settings import Settings
from app.settings.programs import WEB
from app.supervision import programs
from app.supervision.foreground import supervise
from app.supervision.instance import LETTING_GO_SECONDS, UpRefusedError, end_leftovers, hold, require_free_port


def up(settings: Settings, prepare: Callable[[], object], announce: Callable[[], Iterable[str]]) -> int:
    """Run the service in the foreground until Ctrl-C, SIGTERM or SIGHUP, and return the exit status.

    Processes that an earlier run left behind are ended first; `prepare` (the database's migration) is called
    when nothing of this DATA_DIR runs; the lines of `announce`, which may wait for the service, are printed.
    Returns 1, with the reason on stderr, when another run holds DATA_DIR, PORT is taken, the embedded Redis cannot
    be had, or the supervisor itself died.
    """
    try:
        with hold(settings.data_dir):
            patience = LETTING_GO_SECONDS if end_leftovers(settings.data_dir) else 0
            if settings.runs(WEB):
                require_free_port(settings.host, settings.port, patience)
            # Counters begin anew with the processes; those of processes long gone would stay for good.
            shutil.rmtree(settings.metrics_folder, ignore_errors=True)
            prepare()
            return supervise(settings, programs.of_service(settings), announce)
    except (UpRefusedError, RedisUnavailableError) as refusal:
        print(f"brightlist: {refusal}", file=sys.stderr)
        return 1
