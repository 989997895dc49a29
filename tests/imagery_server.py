"""A local server that speaks the calls of Google's Street View Static API, well or badly."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

KEY = "AIza-secret/key+1"
METADATA = "/maps/api/streetview/metadata"
PICTURE = "/maps/api/streetview"


@dataclass
class StreetViewServer:
    """What the server has and has been asked. Metadata `says` this status instead; `instead` speaks for a path."""

    url: str = ""
    pictures: dict[str, bytes] = field(default_factory=dict)
    says: str | None = None
    instead: dict[str, Callable[["Speaker"], None]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def metadata(self, query: dict[str, str]) -> dict[str, str]:
        if query.get("key") != KEY:
            return {"status": "REQUEST_DENIED", "error_message": f"The key {query.get('key')} is not valid."}
        if self.says is not None or query["location"] not in self.pictures:
            return {"status": self.says or "ZERO_RESULTS"}
        return {"status": "OK", "pano_id": "pano-1", "copyright": "© Google", "date": "2026-05"}


class Speaker(BaseHTTPRequestHandler):
    """One connection to the server."""

    here: StreetViewServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query, strict_parsing=True).items()}
        self.here.asked.append((parts.path, query))
        if parts.path in self.here.instead:
            self.here.instead[parts.path](self)
        elif parts.path == METADATA:
            self.say(200, json.dumps(self.here.metadata(query)).encode(), "application/json")
        elif parts.path == PICTURE and query["location"] in self.here.pictures and query["size"] == "640x640":
            self.say(200, self.here.pictures[query["location"]], "image/jpeg")
        else:
            self.say(404 if query.get("return_error_code") == "true" else 200, b"", "text/plain")

    def say(self, status: int, body: bytes, kind: str = "text/plain", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quietly."""


@contextmanager
def street_view_server(tls: ssl.SSLContext | None = None) -> Iterator[StreetViewServer]:
    """A server on a port of its own until the block is left."""
    here = StreetViewServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("OwnSpeaker", (Speaker,), {"here": here}))
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    here.url = f"{'https' if tls else 'http'}://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
