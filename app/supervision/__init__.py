"""Starts every process of the service, keeps them running, and ends them all together."""

import shutil
import sys
from collections.abc import Callable, Iterable

from app.adapters.redis_embedded import RedisUnavailableError
from app.settings import Settings
from app.settings.programs import WEB
from app.supervision import programs
from app.supervision.foreground import supervise
from app.supervision.instance import (
    PORT_RELEASE_SECONDS,
    StartRefusedError,
    end_leftovers,
    lock_data_dir,
    require_free_port,
)


def run_service(settings: Settings, prepare: Callable[[], object], announce: Callable[[], Iterable[str]]) -> int:
    """Run the service in the foreground until Ctrl-C, SIGTERM or SIGHUP, and return the exit status.

    First ends processes that an earlier run left, then calls `prepare` (which migrates the database), then starts
    the programs and prints the lines of `announce`, which may wait for the service. Returns 1, with the reason on
    stderr, when DATA_DIR or PORT is in use, the embedded Redis is not available, or the supervisor itself died.
    """
    try:
        with lock_data_dir(settings.data_dir):
            patience = PORT_RELEASE_SECONDS if end_leftovers(settings.data_dir) else 0
            if settings.runs(WEB):
                require_free_port(settings.host, settings.port, patience)
            # Delete the metric files of ended processes: nothing else would ever delete them.
            shutil.rmtree(settings.metrics_folder, ignore_errors=True)
            prepare()
            return supervise(settings, programs.list_programs(settings), announce)
    except (StartRefusedError, RedisUnavailableError) as refusal:
        print(f"brightlist: {refusal}", file=sys.stderr)
        return 1
