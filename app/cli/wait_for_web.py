"""Runs a process once the web process answers: `python -m app.cli.wait_for_web HOST PORT …`, see processes.py.

All processes of the service start at once, which is slow on few cores; so the others let the web process load
first.
"""

import http.client
import sys
import time

from app.preload import load

MOST_SECONDS = 10.0
"""How long to wait for the web process; then the process starts without it."""
EVERY_SECONDS = 0.1


def wait_for_answer(host: str, port: int, most_seconds: float = MOST_SECONDS) -> bool:
    """Wait until there is any HTTP answer at this address; False when there was none within `most_seconds`."""
    until = time.monotonic() + most_seconds
    while (left := until - time.monotonic()) > 0:
        connection = http.client.HTTPConnection(host, port, timeout=left)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(EVERY_SECONDS)
        finally:
            connection.close()
    return False


if __name__ == "__main__":
    wait_for_answer(sys.argv[1], int(sys.argv[2]))
    del sys.argv[1:3]
    load("app.cli.process_commands").processes()
