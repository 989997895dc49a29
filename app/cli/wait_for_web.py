"""Runs a process once the service shows pages: `python -m app.cli.wait_for_web HOST PORT …`, see processes.py.

On a machine of few cores all processes of the service load at once: those that make no pages let these come first.
"""

import http.client
import sys
import time

from app.preload import load

MOST_SECONDS = 10.0
"""Work goes on without pages, too."""
EVERY_SECONDS = 0.1


def wait_for_answer(host: str, port: int, most_seconds: float = MOST_SECONDS) -> bool:
    """Wait until something answers HTTP there, whatever it says; False where nothing did within so many seconds."""
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
