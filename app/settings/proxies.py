"""The settings of proxies in front of the service."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from pydantic import BaseModel, Field, field_validator

MAX_PROXIES = 10
"""The most proxies in front of the service; a larger number is probably a typing error."""


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies whose X-Forwarded headers are trusted: the nearest `count` of them, or all in `networks`."""

    count: int = 0
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def includes(self, address: IPv4Address | IPv6Address) -> bool:
        """Whether the address is in one of the networks; it may be an IPv4-mapped IPv6 address."""
        unmapped = getattr(address, "ipv4_mapped", None) or address
        return any(unmapped in network for network in self.networks)


class ProxySettings(BaseModel):
    """The proxies between customers and the service, and whether nginx sends stored files."""

    trusted_proxies: str | None = Field(
        default=None,
        description=f"how many proxies stand in front, 1 to {MAX_PROXIES}, or their networks, as 10.0.0.0/8,::1",
    )
    accel_redirect: str | None = Field(
        default=None,
        pattern=r"^/[A-Za-z0-9_-]+/$",
        description="the internal location of nginx that is the folder of STORAGE_URL, as /stored-files/",
    )

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, text: str | None) -> str | None:
        if text is not None:
            _parse(text)
        return text

    @property
    def proxies(self) -> TrustedProxies | None:
        """The proxies to trust; None if customers reach the service directly."""
        return None if self.trusted_proxies is None else _parse(self.trusted_proxies)


def _parse(text: str) -> TrustedProxies:
    if text.strip().isdecimal():
        count = int(text)
        if not 1 <= count <= MAX_PROXIES:
            raise ValueError("it is not a likely number of proxies")
        return TrustedProxies(count=count)
    try:
        networks = tuple(ip_network(each.strip()) for each in text.split(","))
    except ValueError:
        raise ValueError("it is neither a number nor a list of networks") from None
    if any(network.prefixlen == 0 for network in networks):
        raise ValueError("it would believe everybody")
    return TrustedProxies(networks=networks)
