"""Static files of the pages: a file's URL changes with its contents, and each process compresses a file once."""

import hashlib
from functools import cache, cached_property
from mimetypes import guess_type
from pathlib import Path

from flask import Flask, Response, current_app, request, url_for

from app.web import compression

_YEAR_SECONDS = 31_536_000


class _Asset:
    """One static file, with a hash of its contents and its compressed copies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.media_type = guess_type(path.name)[0] or "application/octet-stream"
        self._compressed: dict[str, bytes] = {}

    @cached_property
    def version(self) -> str:
        """The part of its URL that changes with its contents: their hash, or `none` where the file is missing."""
        # Third-party files may be missing on a machine without a network; pages work without them.
        return hashlib.sha256(self._path.read_bytes()).hexdigest()[:8] if self._path.is_file() else "none"

    @property
    def is_compressible(self) -> bool:
        """Whether the file is of a type and size that is worth compressing."""
        return self.media_type in compression.TYPES and self._path.stat().st_size >= compression.MIN_BYTES

    def compressed(self, encoding: str) -> bytes:
        """Its contents compressed with this encoding, kept for later calls."""
        if encoding not in self._compressed:
            self._compressed[encoding] = compression.THOROUGH[encoding](self._path.read_bytes())
        return self._compressed[encoding]


def install(app: Flask) -> None:
    """Give templates `asset()`, the versioned URL of a file, and let browsers cache those URLs for a year."""
    folder = Path(app.static_folder or "")

    @cache
    def find(filename: str) -> _Asset:
        return _Asset(folder / filename)

    def asset(filename: str) -> str:
        return build_url(filename, request.script_root)

    @cache
    def build_url(filename: str, _script_root: str) -> str:
        return url_for("static", filename=filename, v=find(filename).version)

    def send(filename: str) -> Response:
        """The view of static files: an answer may be cached if the URL names the current version."""
        response = current_app.send_static_file(filename)
        if response.status_code in (200, 304):
            found = find(filename)
            response = _compressed(found, response)
            # A URL with the version of another release was made for other contents, so it must not be cached.
            if request.args.get("v") == found.version:
                response.cache_control.clear()
                response.cache_control.public, response.cache_control.max_age = True, _YEAR_SECONDS
                response.cache_control.immutable = True
        return response

    app.jinja_env.globals["asset"] = asset
    app.view_functions["static"] = send


def _compressed(asset: _Asset, uncompressed: Response) -> Response:
    """The file in the client's preferred encoding; uncompressed if it accepts none, or requests a byte range."""
    if not asset.is_compressible:
        return uncompressed
    encoding = None if "Range" in request.headers else compression.choose_encoding()
    if encoding is None:
        compression.set_headers(uncompressed, None)
        return uncompressed
    uncompressed.close()
    response = Response(asset.compressed(encoding), mimetype=asset.media_type)
    response.cache_control.no_cache = True
    response.set_etag(f"{asset.version}-{encoding}")
    compression.set_headers(response, encoding)
    response.make_conditional(request)
    return response
