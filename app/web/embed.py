"""The script of the upload element that pages of other sites embed: one file, at an address that stays."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, request

from app.domain import limits
from app.domain.order_files import MAX_PHOTOS
from app.domain.unsupported_files import describe_for_browsers
from app.web import compression
from engine.types.media import FORMATS

blueprint = Blueprint("embed", __name__)

PATH: Final = "/embed/uploader.js"
MAX_AGE_SECONDS: Final = 3600
"""How long browsers use the script without asking whether it has changed, so how long an old one is in use."""
_MODULES = (
    "uploads/choosing.js",
    "uploads/sending.js",
    "embed/files.js",
    "embed/look.js",
    "embed/permission.js",
    "embed/uploader.js",
)
"""The files that the element consists of, each after all that it imports."""
_HEADERS = {
    # Scripts of modules are asked for with CORS. The script is the same for everybody, and reads no cookie.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": f"public, max-age={MAX_AGE_SECONDS}, stale-while-revalidate=86400",
}


@blueprint.get(PATH)
def uploader() -> Response:
    """The element as one module without imports, which browsers may keep for MAX_AGE_SECONDS."""
    encoding = compression.choose_encoding()
    script = _join(current_app.static_folder or "")
    response = Response(_compress(script, encoding), mimetype="text/javascript", headers=_HEADERS)
    compression.set_headers(response, encoding)
    response.add_etag()
    response.make_conditional(request)
    return response


@cache
def _join(static_folder: str) -> bytes:
    """All modules in one, without imports, exports, comments and indentation. It begins with the rules that the
    modules read.
    """
    rules = {
        **describe_for_browsers(),
        "maxBytes": limits.MAX_FILE_BYTES,
        "maxMegabytes": limits.MAX_FILE_MEGABYTES,
        "maxPhotos": MAX_PHOTOS,
        "formats": FORMATS,
    }
    texts = [(Path(static_folder) / "js" / name).read_text() for name in _MODULES]
    code = re.sub(r"^(import .*|\s*//.*|\s+)$\n?|^\s+|^export ", "", "\n".join(texts), flags=re.MULTILINE)
    # A line break is needed neither where a statement cannot end, nor after its end.
    code = re.sub(r"(?<=[;{,(\[])\n", "", code)
    # No text contains braces, so spaces beside braces belong to the code or the styles.
    code = re.sub(r"(?<=\{) | (?=[{}])", "", code)
    return f"const RULES = {json.dumps(rules, separators=(',', ':'))};\n{code}".encode()


@cache
def _compress(script: bytes, encoding: str | None) -> bytes:
    return compression.THOROUGH[encoding](script) if encoding else script
