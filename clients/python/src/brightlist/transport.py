"""Requests to the service: with the key, sent again where that is safe, refusals raised as exceptions."""

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlsplit

import requests

from brightlist.errors import BrightlistError, NoAnswer, UnexpectedAnswer, refusal
from brightlist.version import __version__
from brightlist.wire import write

API = "/api/v1"
TIMEOUT = (10, 90)
"""Seconds: to connect, and between two pieces of an answer."""
TEST_KEY = "ims_test_"
"""What keys begin with that charge nothing."""
CHUNK_BYTES = 256 * 1024
_CHANCE = random.SystemRandom()
_BROKEN = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)


@dataclass(frozen=True)
class Retries:
    """How often a request is sent, and how long is waited between: doubled each time, never longer than `longest`.

    Where the service asks with Retry-After for more than `longest`, the refusal is raised at once.
    """

    attempts: int = 6
    first: float = 0.5
    longest: float = 60.0

    def pause(self, attempt: int, retry_after: float | None) -> float | None:
        """Seconds to wait after this attempt; None when there is no other."""
        if attempt >= self.attempts or (retry_after or 0) > self.longest:
            return None
        if retry_after is not None:
            return retry_after
        backoff: float = min(self.longest, self.first * 2 ** (attempt - 1))
        return _CHANCE.uniform(backoff / 2, backoff)


class Transport:
    """The way to one service with one key; threads may share it."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        retries: Retries,
        sleep: Callable[[float], None] = time.sleep,
        make_session: Callable[[], requests.Session] = requests.Session,
    ) -> None:
        self.root = base_url.rstrip("/").removesuffix(API)
        self.sleep = sleep
        self._key = api_key
        self._retries = retries
        self._make_session = make_session
        self._threads = threading.local()

    @property
    def is_test(self) -> bool:
        """Whether nothing is charged with the key."""
        return self._key.startswith(TEST_KEY)

    def ask(
        self,
        method: str,
        path: Sequence[str],
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """The JSON of a good answer. A POST has one Idempotency-Key for all its attempts: it has one effect."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())} if method == "POST" else {}
        url = "/".join([f"{self.root}{API}", *(quote(part, safe="") for part in path)])
        options: dict[str, Any] = {
            "params": list(_flatten(query or {})),
            "headers": headers,
            "auth": self._authorize,
        }
        options |= {} if body is None else {"json": write(body)}
        response = self.send(
            lambda session: session.request(method, url, timeout=TIMEOUT, allow_redirects=False, **options)
        )
        try:
            return response.json()
        except ValueError:
            raise UnexpectedAnswer(f"{response.url} did not answer with JSON.") from None

    def send(self, request: Callable[[requests.Session], requests.Response]) -> requests.Response:
        """A good response to the request, made again where that may help. Raises the refusal, or NoAnswer."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._send_once(request)
            except BrightlistError as error:
                pause = self._retries.pause(attempt, error.retry_after) if error.may_try_again else None
                if pause is None:
                    raise
            self.sleep(pause)

    def _send_once(self, request: Callable[[requests.Session], requests.Response]) -> requests.Response:
        try:
            response = request(self._session())
            if response.status_code < 300:
                return response
            raise _read_refusal(response)
        except _BROKEN as error:
            raise _describe_break(error) from error
        except requests.RequestException as error:
            raise UnexpectedAnswer(str(error)) from error

    def _session(self) -> requests.Session:
        # Sessions are not promised to be safe for threads, so each has its own.
        if not hasattr(self._threads, "session"):
            self._threads.session = self._make_session()
            self._threads.session.headers["User-Agent"] = f"brightlist-python/{__version__}"
        session: requests.Session = self._threads.session
        return session

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        # As `auth`, since a .netrc would take the place of a header.
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


def without_key(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """As `auth` of a request to a signed URL, which carries its permission itself."""
    return request


def _describe_break(error: requests.RequestException) -> NoAnswer:
    host = urlsplit(error.request.url or "").netloc if error.request else "the service"
    what = "does not answer in time" if isinstance(error, requests.Timeout) else "cannot be reached, or broke off"
    return NoAnswer(f"{host} {what}.")


def _read_refusal(response: requests.Response) -> BrightlistError:
    if response.status_code < 400:
        return UnexpectedAnswer(f"{response.url} leads to {response.headers.get('Location')}: is the URL right?")
    try:
        content = response.json()
    except ValueError:
        content = None
    body = content if isinstance(content, dict) else {}
    return refusal(response.status_code, body, _read_retry_after(response.headers.get("Retry-After")))


def _read_retry_after(text: str | None) -> float | None:
    if not text:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _flatten(query: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The parameters as they are sent: a list repeats its name, an object names each key."""
    for name, value in query.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}[{key}]", str(each)) for key, each in value.items())
        elif isinstance(value, list | tuple):
            yield from ((name, str(write(each))) for each in value)
        elif value is not None:
            yield name, str(write(value))
