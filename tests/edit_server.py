"""A picture server for tests: speaks the images-edit interface on this machine, does as told, remembers all.

    with edit_server.running(edit(sofa)) as server: ... server.url ... server.seen

Each request gets the next answer of those given, and the last one for ever after.
"""

import base64
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from werkzeug import Request, Response
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.waiting import PATIENCE_SECONDS

Picture = NDArray[np.uint8]
# What an editor gets: the picture it was sent and where it may change (bool). What it gives: the edited picture.
Editor = Callable[[Picture, NDArray[np.bool_]], Picture]


@dataclass(frozen=True)
class Seen:
    """One request as it came."""

    path: str
    fields: dict[str, str]
    files: dict[str, list[bytes]]
    authorization: str | None

    @property
    def pictures(self) -> list[bytes]:
        """The pictures in the order they came, the one to edit first."""
        return self.files.get("image", []) + self.files.get("image[]", [])

    @property
    def picture(self) -> Picture:
        """The picture to edit."""
        return decoded(self.pictures[0])

    @property
    def free(self) -> NDArray[np.bool_]:
        """Where the mask is transparent; everywhere without one."""
        if "mask" not in self.files:
            return np.ones(self.picture.shape[:2], np.bool_)
        mask = Image.open(io.BytesIO(self.files["mask"][0]))
        assert mask.mode == "RGBA"
        return np.asarray(mask)[..., 3] == 0


@dataclass
class EditServer:
    """The running server. `gate` holds what answers wait for; it opens when the server is stopped."""

    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)


Answer = Callable[[Seen, EditServer], Response]


def decoded(content: bytes) -> Picture:
    """The pixels of a file."""
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def encoded(picture: Picture) -> bytes:
    """A PNG of the pixels."""
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def edit(editor: Editor) -> Answer:
    """Really edit the picture, and give it in base64."""
    made: dict[bytes, bytes] = {}  # a picture sent again is not edited again: that would only cost time

    def answer(seen: Seen, server: EditServer) -> Response:
        if seen.pictures[0] not in made:
            made[seen.pictures[0]] = encoded(editor(seen.picture, seen.free))
        return content(made[seen.pictures[0]])(seen, server)

    return answer


def content(body: bytes) -> Answer:
    """Give these bytes as if they were the picture."""
    return lambda *_: _json({"data": [{"b64_json": _base64(body)}]})


def says(document: Any) -> Answer:
    """Give this JSON."""
    return lambda *_: _json(document)


def raw(body: bytes, status: int = 200, **headers: str) -> Answer:
    """Give these bytes; underscores in a header's name stand for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda *_: Response(body, status, named, mimetype="application/json")


def status(code: int, error: str | None = None, **headers: str) -> Answer:
    """Refuse with this status, OpenAI's error document and the prompt quoted in it."""

    def answer(seen: Seen, server: EditServer) -> Response:
        document = {"error": {"code": error, "message": f"no: {seen.fields.get('prompt')}"}}
        return raw(json.dumps(document).encode(), code, **headers)(seen, server)

    return answer


def address(editor: Editor, base: str = "/pictures") -> Answer:
    """Really edit the picture, and give its address under `base`; there it lies as `0.png`."""

    def answer(seen: Seen, server: EditServer) -> Response:
        _LAID[server.url] = encoded(editor(seen.picture, seen.free))
        return _json({"data": [{"url": f"{base}/0.png"}]})

    return answer


def hang() -> Answer:
    """Say nothing until the server is stopped."""

    def answer(_: Seen, server: EditServer) -> Response:
        server.gate.wait(PATIENCE_SECONDS)
        return Response(status=500)

    return answer


def drip(seconds: float) -> Answer:
    """Give a byte now and a byte then, until the server is stopped or all patience is over."""

    def answer(_: Seen, server: EditServer) -> Response:
        def drops() -> Iterator[bytes]:
            for _ in range(round(PATIENCE_SECONDS / seconds)):
                if server.gate.wait(seconds):
                    return
                yield b" "

        return Response(drops(), mimetype="application/json", direct_passthrough=True)

    return answer


def flood() -> Answer:
    """Give more than anybody can take."""
    return lambda *_: Response((b" " * 1_000_000 for _ in range(80)), mimetype="application/json")


@contextmanager
def running(*answers: Answer, host: str = "127.0.0.1") -> Iterator[EditServer]:
    """A server on a free port of this machine until the block is left."""
    server = EditServer()

    @Request.application
    def application(request: Request) -> Response:
        files = {name: [each.read() for each in request.files.getlist(name)] for name in request.files}
        seen = Seen(request.path, request.form.to_dict(), files, request.headers.get("Authorization"))
        server.seen.append(seen)
        if request.method == "GET":
            return Response(_LAID.get(server.url, b""), mimetype="image/png")
        edits = sum(each.path == seen.path for each in server.seen)
        return answers[min(edits, len(answers)) - 1](seen, server)

    wsgi = make_server(host, 0, application, threaded=True, request_handler=_Quiet)
    wsgi.daemon_threads = True
    server.url = f"http://{host}:{wsgi.server_port}/v1"
    thread = threading.Thread(target=wsgi.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.gate.set()
        wsgi.shutdown()
        thread.join()
        wsgi.server_close()
        _LAID.pop(server.url, None)


_LAID: dict[str, bytes] = {}
_Quiet = type("_Quiet", (WSGIRequestHandler,), {"log": lambda *_: None})


def _json(document: Any) -> Response:
    return Response(json.dumps(document), mimetype="application/json")


def _base64(body: bytes) -> str:
    return base64.b64encode(body).decode()
