"""Where webhooks may be sent: what a URL must look like, and which resolved addresses are public."""

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
"""Said for every reason found by looking an address up, even that there is no such name: nobody is to learn what
our network looks like.
"""

_DEFAULT_PORTS = {"https": 443, "http": 80}
_PUBLIC_PORTS = frozenset({443, 80, *range(8000, 10_000)})
_NETLOC = re.compile(
    r"(\[[0-9a-f:.]+\]|(?=[^:]{1,254}(:|$))[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?)(:[0-9]*)?", re.IGNORECASE
)
_PRINTABLE = re.compile(r"[!-~]+")

# ipaddress.is_global lets multicast, 6to4 relays and addresses with a private one inside pass.
_NOT_PUBLIC_V4 = (
    ip_network("0.0.0.0/8"),  # this network
    ip_network("10.0.0.0/8"),  # private
    ip_network("100.64.0.0/10"),  # shared by a provider's customers
    ip_network("127.0.0.0/8"),  # this machine
    ip_network("169.254.0.0/16"),  # link-local: the metadata of clouds
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
_GIVEN_OUT_V6 = ip_network("2000::/3")
_NOT_PUBLIC_V6 = (
    ip_network("2001::/23"),  # protocol assignments, Teredo
    ip_network("2001:db8::/32"),  # documentation
    ip_network("2002::/16"),  # 6to4, with any IPv4 address inside
    ip_network("3fff::/20"),  # documentation
)


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart. `host` has no brackets, `path` is what stands in the request line."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def netloc(self) -> str:
        """The host as the Host header names it."""
        host = f"[{self.host}]" if ":" in self.host else self.name
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def name(self) -> str:
        """The host as a certificate names it: the dot that ends a full name is only for the resolver."""
        return self.host.removesuffix(".")


class AddressRules:
    """The rules in force. `allow_private` admits this machine itself, over http too and at any port, no more."""

    def __init__(self, allow_private: bool, own_netloc: str | None) -> None:
        self._allow_private = allow_private
        own = urlsplit(f"//{own_netloc or ''}")
        self._own_host = own.hostname
        self._own_ports = {own.port} if own.port else {*_DEFAULT_PORTS.values()}

    def target(self, url: str) -> Target:
        """The URL taken apart, nothing looked up. Raises AddressNotAllowedError for what the text shows."""
        if len(url) > URL_CHARACTERS:
            raise AddressNotAllowedError(f"The URL is longer than {URL_CHARACTERS} characters.")
        if not _PRINTABLE.fullmatch(url):
            raise AddressNotAllowedError(
                "The URL may only have printable ASCII characters; write an international host as xn--…."
            )
        if "#" in url:
            raise AddressNotAllowedError("The URL must not have a fragment (#…).")
        try:
            target = self._taken_apart(url)
        except ValueError:
            raise AddressNotAllowedError("The URL is not well formed.") from None
        if target.name == self._own_host and target.port in self._own_ports:
            raise AddressNotAllowedError("The URL is this service's own.")
        return target

    def admit(self, target: Target, answers: Sequence[str]) -> tuple[str, ...]:
        """What the host resolved to, each address in its one plain form.

        Raises AddressNotAllowedError unless every single answer is allowed: anyone who mixes a private one in
        would only wait for it to be chosen.
        """
        try:
            addresses = {_plain(each): None for each in answers}
        except ValueError:
            raise AddressNotAllowedError(NOT_ALLOWED) from None
        if not addresses or not all(self._admits(target, each) for each in addresses):
            raise AddressNotAllowedError(NOT_ALLOWED)
        return tuple(map(str, addresses))

    def _taken_apart(self, url: str) -> Target:
        parts = urlsplit(url)
        if parts.scheme not in (("https", "http") if self._allow_private else ("https",)):
            raise AddressNotAllowedError("The URL must start with https://.")
        if "@" in parts.netloc:
            raise AddressNotAllowedError("The URL must not have credentials in it.")
        # The form only; what 127.1 and 2130706433 stand for is the resolver's to say.
        if not _NETLOC.fullmatch(parts.netloc):
            raise ValueError(parts.netloc)
        return target_of(url)

    def _admits(self, target: Target, address: IPv4Address | IPv6Address) -> bool:
        if self._allow_private and address.is_loopback:
            return True
        return target.scheme == "https" and target.port in _PUBLIC_PORTS and is_public(address)


def target_of(url: str) -> Target:
    """An http or https URL taken apart, not vetted. Raises ValueError for a scheme or port that there is not."""
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError(parts.scheme)
    port = _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname or "", port, path)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether anybody on the internet could be reached at this address, and nobody else."""
    if isinstance(address, IPv4Address):
        return not any(address in each for each in _NOT_PUBLIC_V4)
    return address in _GIVEN_OUT_V6 and not any(address in each for each in _NOT_PUBLIC_V6)


def _plain(text: str) -> IPv4Address | IPv6Address:
    """The address itself, out of its IPv6 wrapping. Raises ValueError, also for one that names an interface."""
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return address
    if address.scope_id:
        raise ValueError(text)
    return address.ipv4_mapped or address
