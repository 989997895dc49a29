"""The pages' own files: under addresses that change with their contents, and compressed once for each process."""

import hashlib
from functools import cache, cached_property
from mimetypes import guess_type
from pathlib import Path

from flask import Flask, Response, current_app, request, url_for

from app.web import compression

_YEAR_SECONDS = 31_536_000


class _Asset:
    """One file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.media_type = guess_type(path.name)[0] or "application/octet-stream"
        self._compressed: dict[str, bytes] = {}

    @cached_property
    def version(self) -> str:
        """What its address says of its contents."""
        # Third-party files may be missing without a network; pages work without them.
        return hashlib.sha256(self._path.read_bytes()).hexdigest()[:8] if self._path.is_file() else "none"

    @property
    def shrinks(self) -> bool:
        """Whether it is worth compressing."""
        return self.media_type in compression.TYPES and self._path.stat().st_size >= compression.LEAST_BYTES

    def compressed(self, encoding: str) -> bytes:
        """Its contents in this encoding."""
        if encoding not in self._compressed:
            self._compressed[encoding] = compression.SMALL[encoding](self._path.read_bytes())
        return self._compressed[encoding]


def install(app: Flask) -> None:
    """Give templates `asset()`, and let browsers keep what it names."""
    folder = Path(app.static_folder or "")

    @cache
    def find(filename: str) -> _Asset:
        return _Asset(folder / filename)

    def asset(filename: str) -> str:
        return name(filename, request.script_root)

    @cache
    def name(filename: str, _script_root: str) -> str:
        return url_for("static", filename=filename, v=find(filename).version)

    def send(filename: str) -> Response:
        """The view of static files: what was asked for by its version may be kept."""
        response = current_app.send_static_file(filename)
        if response.status_code in (200, 304):
            found = find(filename)
            response = _compressed(found, response)
            # Of another release's version the contents at hand are not those.
            if request.args.get("v") == found.version:
                response.cache_control.clear()
                response.cache_control.public, response.cache_control.max_age = True, _YEAR_SECONDS
                response.cache_control.immutable = True
        return response

    app.jinja_env.globals["asset"] = asset
    app.view_functions["static"] = send


def _compressed(asset: _Asset, whole: Response) -> Response:
    """The file in the encoding that the client likes best; as it is where that is none, or a part is asked for."""
    if not asset.shrinks:
        return whole
    encoding = None if "Range" in request.headers else compression.choose()
    if encoding is None:
        compression.mark(whole, None)
        return whole
    whole.close()
    response = Response(asset.compressed(encoding), mimetype=asset.media_type)
    response.cache_control.no_cache = True
    response.set_etag(f"{asset.version}-{encoding}")
    compression.mark(response, encoding)
    response.make_conditional(request)
    return response
