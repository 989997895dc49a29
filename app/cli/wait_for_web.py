"""Runs a process once the web process answers: `python -m app.cli.wait_for_web HOST PORT …`, see processes.py.

All processes of the service start at the same time, which is slow on few cores, so the others wait until the web
process is loaded.
"""

import http.client
import sys
import time

from app.preload import load

MAX_WAIT_SECONDS = 10.0
"""How long to wait for the web process; then the process starts without it."""
RETRY_SECONDS = 0.1


def wait_for_answer(host: str, port: int, max_seconds: float = MAX_WAIT_SECONDS) -> bool:
    """Wait until there is any HTTP answer at this address; False when there was none within `max_seconds`."""
    until = time.monotonic() + max_seconds
    while (left := until - time.monotonic()) > 0:
        connection = http.client.HTTPConnection(host, port, timeout=left)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(RETRY_SECONDS)
        finally:
            connection.close()
    return False


if __name__ == "__main__":
    wait_for_answer(sys.argv[1], int(sys.argv[2]))
    del sys.argv[1:3]
    load("app.cli.process_commands").processes()
