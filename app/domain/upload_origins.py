"""Origins of the pages whose scripts may upload files with the URLs that an API key made."""

import re

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line

MAX_ORIGINS = 20
"""The most origins of one key."""
MAX_TEXT = 6000
"""The longest text that is read as a list of origins: MAX_ORIGINS of the longest, and some room."""
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>(?=[^:/]{1,253}(?:[:/]|$))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*)"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?/?"
)
_LOOPBACK = frozenset({"localhost", "127.0.0.1"})
_DEFAULT_PORTS = {"https": 443, "http": 80}
_MAX_PORT = 65_535


def read_origins(text: str) -> list[str]:
    """The origins in the text, separated by white space: each once, in the form in which browsers write it.

    Raises InvalidRequest for the field `origins` when there are more than MAX_ORIGINS, or a part of the text is no
    origin.
    """
    words = text.split() if len(text) <= MAX_TEXT else [""] * (MAX_ORIGINS + 1)
    if len(words) > MAX_ORIGINS:
        raise _refuse(f"A key can have at most {MAX_ORIGINS} origins.")
    return list(dict.fromkeys(map(_read_origin, words)))


def _read_origin(word: str) -> str:
    found = _ORIGIN.fullmatch(word.lower())
    if found is None or int(found["port"] or 1) > _MAX_PORT:
        raise _refuse(
            f"“{one_line(word)[:100]}” is not an origin. Enter scheme, host and, if it has one, port, such as "
            "https://app.example.com, without a path or *; an international name as xn--…."
        )
    scheme, host, port = found["scheme"], found["host"], found["port"]
    if scheme == "http" and host not in _LOOPBACK:
        raise _refuse(f"{scheme}://{host} needs https; only localhost and 127.0.0.1 may have http.")
    return f"{scheme}://{host}" if port in (None, str(_DEFAULT_PORTS[scheme])) else f"{scheme}://{host}:{port}"


def _refuse(fault: str) -> InvalidRequest:
    return InvalidRequest({"origins": fault})
