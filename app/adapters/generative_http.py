"""The images-edit API over HTTP, which OpenAI's servers and self-hosted picture servers have.

A request has the multipart fields `image` (`image[]` for several), `mask` and `prompt`; the answer is JSON with the
picture in base64 or its URL. Errors and logs contain statuses and error codes, never the key, a prompt or an
answer.
"""

import binascii
import json
import re
import ssl
import struct
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from http.client import HTTPException, HTTPResponse
from urllib.parse import urljoin

from requests.utils import DEFAULT_CA_BUNDLE_PATH, requote_uri
from urllib3.filepost import encode_multipart_formdata

from app.adapters.address_policy import target_of
from app.adapters.deadlines import Deadline
from app.adapters.outgoing_http import HttpRequest, TooLongError, read_whole, send_to_host
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError

ANSWER_BYTES = 64 * 1024 * 1024
"""The largest answer that is read: a 4K picture in base64 is much smaller."""
ERROR_BYTES = 64 * 1024
RETRYABLE = frozenset({408, 409, 425, 429})
"""Statuses, besides all 5xx, after which a later try may succeed."""
UNPAID = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Error codes of status 429 after which no later try can succeed until the operator pays."""
OPENAI_SIZES = ((1536, 1024), (1024, 1024), (1024, 1536))


@dataclass(frozen=True, slots=True)
class ImagesEditServer:
    """Implements app.domain.ports.GenerativeServer. `url`: the server's URL, ending with /v1."""

    url: str
    key: str | None = field(default=None, repr=False)
    model: str = "gpt-image-1"

    def edit(self, request: GenerativeRequest) -> bytes:
        """The edited picture, encoded; its content is not checked.

        Raises ServerBusyError (too many requests, 5xx, no answer in time or a malformed one) and ServerRefusedError
        (any other status, a redirect, a picture on another host).
        """
        deadline = Deadline(request.timeout_seconds)
        try:
            return self._request_picture(request, deadline)
        except TooLongError as trouble:
            raise ServerBusyError(str(trouble)) from None
        except (OSError, HTTPException) as trouble:
            # Only the type: the texts of these exceptions quote URLs.
            kind = TimeoutError if deadline.is_over else type(trouble)
            raise ServerBusyError(f"no answer: {kind.__name__}") from None
        except ValueError:
            raise ServerRefusedError("the key has characters that no header can carry") from None

    def _request_picture(self, request: GenerativeRequest, deadline: Deadline) -> bytes:
        content, content_type = encode_multipart_formdata([*self._fields(request).items(), *_files(request)])
        sent = self._request("POST", f"{self.url}/images/edits", {"Content-Type": content_type}, content)
        found = _picture(self._answer(sent, deadline))
        return found if isinstance(found, bytes) else self._fetch(found["url"], deadline)

    def _fetch(self, address: str, deadline: Deadline) -> bytes:
        try:
            url = urljoin(f"{self.url}/", address)
            found, own = target_of(url), target_of(self.url)
            is_own = (found.scheme, found.host, found.port) == (own.scheme, own.host, own.port)
        except ValueError:
            is_own = False
        if not is_own:
            raise ServerRefusedError("the picture lies on another host")
        return self._answer(self._request("GET", url, {}), deadline)

    def _answer(self, request: HttpRequest, deadline: Deadline) -> bytes:
        """The body of an answer with status 200 or 201. Raises ServerBusyError and ServerRefusedError for
        others.
        """
        with send_to_host(request, deadline, _make_tls()) as answer:
            if answer.status in {200, 201}:
                return read_whole(answer, ANSWER_BYTES, deadline)
            code = _error_code(answer)
            message = f"status {answer.status}{f' ({code})' if code else ''}"
            if code not in UNPAID and (answer.status in RETRYABLE or answer.status >= 500):
                raise ServerBusyError(message, _retry_after(answer.headers.get("Retry-After", "")))
            raise ServerRefusedError(message)

    def _request(self, method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> HttpRequest:
        # No proxies, no .netrc: the key and the photo go only to the server of the settings. Compressed answers are
        # not requested, because a small one may decompress to any size.
        all_headers = {"User-Agent": "Brightlist", "Accept-Encoding": "identity", **headers}
        if self.key:
            all_headers["Authorization"] = f"Bearer {self.key}"
        return HttpRequest(method, target_of(requote_uri(url)), all_headers, body)

    def _fields(self, request: GenerativeRequest) -> dict[str, str]:
        """The text fields. OpenAI's servers and self-hosted ones refuse fields that only the other kind knows."""
        name = self.model.rsplit("/", 1)[-1]
        width, height = struct.unpack(">II", request.image[16:24])
        fields = {"model": self.model, "prompt": request.prompt, "n": "1"}
        if not name.startswith(("gpt-image", "chatgpt-image")):
            return fields | {"size": f"{width}x{height}", "response_format": "b64_json"}
        width, height = min(OPENAI_SIZES, key=lambda size: abs(size[0] / size[1] - width / height))
        fields["size"] = f"{width}x{height}"
        if name == "gpt-image-1" or name.startswith("gpt-image-1.5"):
            # Later models stay close to the photo by default and refuse this field; gpt-image-1-mini refuses it
            # too.
            fields["input_fidelity"] = "high"
        return fields


def _files(request: GenerativeRequest) -> list[tuple[str, tuple[str, bytes, str]]]:
    pictures = [request.image, *request.references]
    name = "image" if len(pictures) == 1 else "image[]"
    files = [(name, (f"image{place}.png", each, "image/png")) for place, each in enumerate(pictures)]
    return files if request.mask is None else [*files, ("mask", ("mask.png", request.mask, "image/png"))]


@cache
def _make_tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=DEFAULT_CA_BUNDLE_PATH)


def _picture(body: bytes) -> bytes | dict[str, str]:
    """The picture in the JSON answer, or the entry with its URL. Raises ServerBusyError where there is neither."""
    try:
        entry = json.loads(body)["data"][0]
        encoded, address = entry.get("b64_json"), entry.get("url")
        if isinstance(encoded, str) and encoded:
            return b64decode(encoded, validate=True)
        if isinstance(address, str) and address:
            return {"url": address}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, binascii.Error):
        raise ServerBusyError("the answer makes no sense") from None
    raise ServerBusyError("the answer has no picture")


def _error_code(answer: HTTPResponse) -> str:
    """The error code in the answer, if it looks like one, else ""; not the message, which may quote the prompt."""
    try:
        code = json.loads(answer.read(ERROR_BYTES))["error"]["code"]
    except (ValueError, LookupError, TypeError, RecursionError, HTTPException, OSError):
        return ""
    return code if isinstance(code, str) and re.fullmatch(r"[a-z0-9_]{1,60}", code) else ""


def _retry_after(text: str) -> float | None:
    """The seconds in a Retry-After header, which has a number or a date; None for anything else."""
    if re.fullmatch(r"\d{1,6}", text.strip()):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    zoned = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (zoned - datetime.now(UTC)).total_seconds())
