"""Finds the client's address, scheme and host of a request that came through trusted proxies (TRUSTED_PROXIES)."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from wsgiref.types import WSGIEnvironment

from app.settings.proxies import TrustedProxies

_BRACKETED = re.compile(r"\[([^\]]+)\](?::\d+)?")
_WITH_PORT = re.compile(r"([\d.]+):\d+")
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
_SCHEMES = ("http", "https")
Address = IPv4Address | IPv6Address


def apply_proxy_headers(environ: WSGIEnvironment, trusted: TrustedProxies) -> None:
    """Replace the last proxy's address, scheme and host by the client's; untrusted headers are ignored."""
    given = _split_header(environ, "HTTP_X_FORWARDED_FOR")
    passed = _count_passed(environ.get("REMOTE_ADDR", ""), given, trusted)
    if passed == 0:
        return
    client = read_address(given[-passed])
    if client is not None:
        environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = str(client)
    scheme = _outermost(_split_header(environ, "HTTP_X_FORWARDED_PROTO"), passed).lower()
    if scheme in _SCHEMES:
        environ["wsgi.url_scheme"] = scheme
    host = _outermost(_split_header(environ, "HTTP_X_FORWARDED_HOST"), passed)
    if _HOST.fullmatch(host):
        environ["HTTP_HOST"] = host


def read_address(text: str) -> Address | None:
    """The IP address in a forwarding header, with or without a port; None when the text is not an address."""
    found = _BRACKETED.fullmatch(text) or _WITH_PORT.fullmatch(text)
    try:
        return ip_address(found[1] if found else text)
    except ValueError:
        return None


def _count_passed(peer: str, given: list[str], trusted: TrustedProxies) -> int:
    """How many trusted proxies forwarded the request, each adding a value; 0 if the header is not trusted."""
    if trusted.count:
        return trusted.count if len(given) >= trusted.count else 0
    passed, address = 0, read_address(peer)
    while passed < len(given) and address is not None and trusted.includes(address):
        passed += 1
        address = read_address(given[-passed])
    return passed


def _split_header(environ: WSGIEnvironment, name: str) -> list[str]:
    text: str = environ.get(name, "")
    return [each.strip() for each in text.split(",")] if text else []


def _outermost(values: list[str], passed: int) -> str:
    """The value that the outermost of `passed` proxies added, or the first value if some proxies added none."""
    return values[-min(passed, len(values))] if values else ""
