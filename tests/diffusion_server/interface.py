"""The images-edit interface as OpenAI describes it, over HTTP: what it takes, refuses, and answers."""

import base64
import io
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from PIL import Image
from werkzeug import Request, Response
from werkzeug.exceptions import HTTPException

MODEL = "tiny"
FIELDS = frozenset({"model", "prompt", "n", "size", "response_format"})
FILES = frozenset({"image", "image[]", "mask"})
MOST_PIXELS = 8_300_000
Tell = Callable[..., None]


class Model(Protocol):
    """Edits pictures."""

    def edit(self, picture: Image.Image, free: Image.Image, prompt: str) -> Image.Image:
        """The picture (RGB), edited where `free` (L, as large) is white."""


class RefusedError(Exception):
    """A request that is not answered with a picture."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.document = {"message": message, "type": "invalid_request_error", "param": param, "code": code}


@dataclass(frozen=True)
class Wish:
    """What a request asks for: `free` is white where the picture may change, `size` that of the answer."""

    picture: Image.Image
    free: Image.Image
    prompt: str
    size: tuple[int, int]


@dataclass
class Interface:
    """The WSGI application over a model that makes one picture at a time. `tell` is told of all that happens."""

    model: Model
    key: str | None
    tell: Tell
    _at_once: int = 0
    _counting: threading.Lock = field(default_factory=threading.Lock)
    _making: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, environ: Any, start_response: Any) -> Any:
        request = Request(environ)
        try:
            response = self._answer(request)
        except RefusedError as refused:
            self.tell("refused", status=refused.status, code=refused.document["code"])
            response = _json({"error": refused.document}, refused.status)
        except HTTPException as broken:
            response = _json({"error": {"message": broken.description, "code": None}}, broken.code or 500)
        return response(environ, start_response)

    def _answer(self, request: Request) -> Response:
        if self.key is not None and request.headers.get("Authorization") != f"Bearer {self.key}":
            raise RefusedError(401, "invalid_api_key", "Incorrect API key provided.")
        match request.method, request.path:
            case "GET", "/v1/models":
                return _json({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "tests"}]})
            case "POST", "/v1/images/edits":
                return self._edited(request)
        raise RefusedError(404, "unknown_url", f"Invalid URL ({request.method} {request.path})")

    def _edited(self, request: Request) -> Response:
        wish = read_wish(request)
        with self._counting:
            self._at_once += 1
            names = sorted([*request.form, *request.files])
            self.tell("asked", names=names, prompt=wish.prompt, size=wish.size, at_once=self._at_once)
        try:
            with self._making:
                made = self.model.edit(wish.picture, wish.free, wish.prompt)
        finally:
            with self._counting:
                self._at_once -= 1
        content = io.BytesIO()
        (made if made.size == wish.size else made.resize(wish.size)).save(content, "PNG", compress_level=1)
        self.tell("answered")
        encoded = base64.b64encode(content.getvalue()).decode()
        return _json({"created": int(time.time()), "data": [{"b64_json": encoded}], "output_format": "png"})


def read_wish(request: Request) -> Wish:
    """What the request asks for. Raises RefusedError for what the interface does not take."""
    fields = request.form
    for name in [*fields, *request.files]:
        if name not in FIELDS | FILES:
            raise RefusedError(400, "unknown_parameter", f"Unknown parameter: '{name}'.", name)
    if fields.get("model") != MODEL:
        raise RefusedError(404, "model_not_found", f"The only model is '{MODEL}'.", "model")
    for name, only in (("n", "1"), ("response_format", "b64_json")):
        if fields.get(name, only) != only:
            raise RefusedError(400, "invalid_value", f"'{name}' can only be '{only}'.", name)
    if not fields.get("prompt"):
        raise RefusedError(400, "missing_required_parameter", "Missing required parameter: 'prompt'.", "prompt")
    files = [*request.files.getlist("image"), *request.files.getlist("image[]")]
    if not files:
        raise RefusedError(400, "missing_required_parameter", "Missing required parameter: 'image'.", "image")
    # What follows the first are pictures to go by, which this model cannot use.
    picture = _open(files[0].read(), "image").convert("RGB")
    return Wish(picture, _read_free(request, picture), fields["prompt"], _read_size(fields.get("size"), picture))


def _read_size(text: str | None, picture: Image.Image) -> tuple[int, int]:
    if text in {None, "auto"}:
        return picture.size
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if found is None or int(found[1]) * int(found[2]) > MOST_PIXELS:
        raise RefusedError(400, "invalid_value", f"Invalid value: '{text}'.", "size")
    return int(found[1]), int(found[2])


def _read_free(request: Request, picture: Image.Image) -> Image.Image:
    """White where the mask is transparent; everywhere without one."""
    if "mask" not in request.files:
        return Image.new("L", picture.size, 255)
    mask = _open(request.files["mask"].read(), "mask")
    if mask.mode != "RGBA" or mask.size != picture.size:
        raise RefusedError(400, "invalid_image_file", "The mask needs transparency and the image's size.", "mask")
    return mask.getchannel("A").point(lambda alpha: 255 if alpha == 0 else 0)


def _open(content: bytes, name: str) -> Image.Image:
    try:
        picture = Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP"))
        if picture.width * picture.height <= MOST_PIXELS:
            picture.load()
            return picture
    except (OSError, ValueError, SyntaxError):
        pass
    raise RefusedError(400, "invalid_image_file", f"'{name}' is no image of a size that is taken.", name)


def _json(document: Any, status: int = 200) -> Response:
    return Response(json.dumps(document), status, mimetype="application/json")
