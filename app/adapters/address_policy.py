"""Where webhooks may be sent: which URLs are accepted, and which resolved addresses are public."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from app.domain.sending import AddressNotAllowedError

URL_CHARACTERS = 2048
NOT_ALLOWED = (
    "The address is not allowed: a webhook needs an https:// URL whose host is on the public internet, "
    "at port 443, 80 or 8000 to 9999."
)
"""The message for every refusal that needs a look-up, even for a name that does not exist, so that nobody can
explore our network.
"""

_DEFAULT_PORTS = {"https": 443, "http": 80}
_PUBLIC_PORTS = frozenset({443, 80, *range(8000, 10_000)})
_NETLOC = re.compile(
    r"(\[[0-9a-f:.]+\]|(?=[^:]{1,254}(:|$))[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?)(:[0-9]*)?", re.IGNORECASE
)
_PRINTABLE = re.compile(r"[!-~]+")

# ipaddress.is_global accepts multicast, 6to4 relays and IPv6 addresses that contain a private IPv4 address.
_NOT_PUBLIC_V4 = (
    ip_network("0.0.0.0/8"),  # this network
    ip_network("10.0.0.0/8"),  # private
    ip_network("100.64.0.0/10"),  # shared by a provider's customers
    ip_network("127.0.0.0/8"),  # this machine
    ip_network("169.254.0.0/16"),  # link-local: metadata services of clouds
    ip_network("172.16.0.0/12"),  # private
    ip_network("192.0.0.0/24"),  # protocol assignments
    ip_network("192.0.2.0/24"),  # documentation
    ip_network("192.88.99.0/24"),  # 6to4 relays
    ip_network("192.168.0.0/16"),  # private
    ip_network("198.18.0.0/15"),  # benchmarks
    ip_network("198.51.100.0/24"),  # documentation
    ip_network("203.0.113.0/24"),  # documentation
    ip_network("224.0.0.0/4"),  # multicast
    ip_network("240.0.0.0/4"),  # reserved, broadcast
)
_GLOBAL_UNICAST_V6 = ip_network("2000::/3")
_NOT_PUBLIC_V6 = (
    ip_network("2001::/23"),  # protocol assignments, Teredo
    ip_network("2001:db8::/32"),  # documentation
    ip_network("2002::/16"),  # 6to4, with any IPv4 address inside
    ip_network("3fff::/20"),  # documentation
)


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL. `host` is without brackets; `path` is as in the request line, with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def netloc(self) -> str:
        """The host and, unless it is the default, the port, for the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.name
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def name(self) -> str:
        """The host as certificates name it, without the trailing dot, which only the resolver needs."""
        return self.host.removesuffix(".")


class AddressRules:
    """The rules in force.

    `allow_private` also allows loopback addresses, and only these, by http too and at any port. `own_netloc`, the
    service's own host and port, is refused.
    """

    def __init__(self, allow_private: bool, own_netloc: str | None) -> None:
        self._allow_private = allow_private
        own = urlsplit(f"//{own_netloc or ''}")
        self._own_host = own.hostname
        self._own_ports = {own.port} if own.port else {*_DEFAULT_PORTS.values()}

    def parse(self, url: str) -> Target:
        """The parsed URL, without a look-up of its host. Raises AddressNotAllowedError for a URL whose text is not
        allowed.
        """
        if len(url) > URL_CHARACTERS:
            raise AddressNotAllowedError(f"The URL is longer than {URL_CHARACTERS} characters.")
        if not _PRINTABLE.fullmatch(url):
            raise AddressNotAllowedError(
                "The URL may only have printable ASCII characters; write an international host as xn--…."
            )
        if "#" in url:
            raise AddressNotAllowedError("The URL must not have a fragment (#…).")
        try:
            target = self._parse_target(url)
        except ValueError:
            raise AddressNotAllowedError("The URL is not well formed.") from None
        if target.name == self._own_host and target.port in self._own_ports:
            raise AddressNotAllowedError("The URL is this service's own.")
        return target

    def admit(self, target: Target, answers: Sequence[str]) -> tuple[str, ...]:
        """The addresses that the host resolved to (`answers`), each once and in canonical form.

        Raises AddressNotAllowedError unless all answers are allowed. Otherwise an attacker could add one private
        address to public ones, and wait until it is used.
        """
        try:
            addresses = {_parse_address(each): None for each in answers}
        except ValueError:
            raise AddressNotAllowedError(NOT_ALLOWED) from None
        if not addresses or not all(self._admits(target, each) for each in addresses):
            raise AddressNotAllowedError(NOT_ALLOWED)
        return tuple(map(str, addresses))

    def _parse_target(self, url: str) -> Target:
        parts = urlsplit(url)
        if parts.scheme not in (("https", "http") if self._allow_private else ("https",)):
            raise AddressNotAllowedError("The URL must start with https://.")
        if "@" in parts.netloc:
            raise AddressNotAllowedError("The URL must not have credentials in it.")
        # Only the syntax is checked here; the resolver decides which addresses 127.1 and 2130706433 mean.
        if not _NETLOC.fullmatch(parts.netloc):
            raise ValueError(parts.netloc)
        return target_of(url)

    def _admits(self, target: Target, address: IPv4Address | IPv6Address) -> bool:
        if self._allow_private and address.is_loopback:
            return True
        return target.scheme == "https" and target.port in _PUBLIC_PORTS and is_public(address)


def target_of(url: str) -> Target:
    """A parsed http or https URL, not vetted. Raises ValueError for another scheme or an invalid port."""
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError(parts.scheme)
    port = _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname or "", port, path)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the address is one host on the public internet: not private, not reserved, not multicast."""
    if isinstance(address, IPv4Address):
        return not any(address in each for each in _NOT_PUBLIC_V4)
    return address in _GLOBAL_UNICAST_V6 and not any(address in each for each in _NOT_PUBLIC_V6)


def _parse_address(text: str) -> IPv4Address | IPv6Address:
    """The address; an IPv4-mapped IPv6 address as IPv4. Raises ValueError for other text and for an address with a
    scope (the name of a network interface).
    """
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return address
    if address.scope_id:
        raise ValueError(text)
    return address.ipv4_mapped or address
