"""A web server in this process, so that a browser can look at the application of a test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server


class Site:
    """One address whose application a test may change: the port must be known before the application is made."""

    def __init__(self) -> None:
        self.app: Flask | None = None
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_Quiet)
        self._server.daemon_threads = True
        # By this name a browser trusts the page as much as one over TLS: it may copy to the clipboard.
        self.url = f"http://localhost:{self._server.server_port}"

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Any:
        assert self.app is not None
        return self.app(environ, start_response)

    @contextmanager
    def running(self) -> Iterator["Site"]:
        """Answer requests until the block is left."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


class _Quiet(WSGIRequestHandler):
    """Says nothing, and waits no longer for what a browser may never send: it opens connections in advance."""

    timeout = 30

    def log(self, *_: Any) -> None:
        """Nothing."""
