"""Addresses that nothing may be sent to, in every spelling that a URL, a resolver or a browser knows."""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from random import Random

NETWORKS_V4 = {
    "this network": "0.0.0.0/8",
    "private, 10": "10.0.0.0/8",
    "shared by a provider": "100.64.0.0/10",
    "this machine": "127.0.0.0/8",
    "link-local": "169.254.0.0/16",
    "metadata": "169.254.169.254/32",
    "private, 172": "172.16.0.0/12",
    "protocol assignments": "192.0.0.0/24",
    "metadata of Oracle": "192.0.0.192/32",
    "documentation 1": "192.0.2.0/24",
    "6to4 relays": "192.88.99.0/24",
    "private, 192": "192.168.0.0/16",
    "benchmarks": "198.18.0.0/15",
    "documentation 2": "198.51.100.0/24",
    "documentation 3": "203.0.113.0/24",
    "multicast": "224.0.0.0/4",
    "reserved": "240.0.0.0/4",
    "metadata of Alibaba": "100.100.100.200/32",
    "broadcast": "255.255.255.255/32",
}
NETWORKS_V6 = {
    "nowhere": "::/128",
    "this machine, v6": "::1/128",
    "discard": "100::/64",
    "protocol assignments, v6": "2001::/23",
    "Teredo": "2001::/32",
    "documentation, v6": "2001:db8::/32",
    "documentation, 3fff": "3fff::/20",
    "segment routing": "5f00::/16",
    "unique local": "fc00::/7",
    "metadata, v6": "fd00:ec2::254/128",
    "link-local, v6": "fe80::/10",
    "site-local": "fec0::/10",
    "multicast, v6": "ff00::/8",
    "unassigned": "4000::/3",
}
FULL_WIDTH = {ord(str(digit)): 0xFF10 + digit for digit in range(10)} | {ord("."): 0xFF0E}
CIRCLED = {ord("0"): 0x24EA} | {ord(str(digit)): 0x245F + digit for digit in range(1, 10)}

Spell = Callable[[IPv4Address, Random], str]


def _octets(address: IPv4Address) -> list[int]:
    return list(address.packed)


SPELLINGS: dict[str, Spell] = {
    "dotted": lambda address, _: str(address),
    "decimal": lambda address, _: str(int(address)),
    "hexadecimal": lambda address, _: hex(int(address)),
    "HEXADECIMAL": lambda address, _: f"0X{int(address):X}",
    "octal": lambda address, _: f"0{int(address):o}",
    "octal octets": lambda address, _: ".".join(f"0{each:o}" for each in _octets(address)),
    "octal octets with zeros": lambda address, _: ".".join(f"{each:08o}" for each in _octets(address)),
    "hexadecimal octets": lambda address, _: ".".join(map(hex, _octets(address))),
    "mixed octets": lambda address, random: ".".join(
        random.choice([str, hex, lambda each: f"0{each:o}"])(each) for each in _octets(address)
    ),
    "two parts": lambda address, _: f"{int(address) >> 24}.{int(address) & 0xFFFFFF}",
    "three parts": lambda address, _: "{}.{}.{}".format(*address.packed[:2], int(address) & 0xFFFF),
    "with a dot at its end": lambda address, _: f"{address}.",
    "decimal with a dot": lambda address, _: f"{int(address)}.",
    "full-width": lambda address, _: str(address).translate(FULL_WIDTH),
    "full-width digits": lambda address, _: str(address).translate({**FULL_WIDTH, ord("."): "."}),
    "ideographic dots": lambda address, _: str(address).replace(".", "\u3002"),
    "circled": lambda address, _: str(address).translate(CIRCLED),
    "escaped": lambda address, _: "".join(f"%{ord(each):02x}" for each in str(address)),
    "mapped": lambda address, _: f"[::ffff:{address}]",
    "mapped, in full": lambda address, _: f"[0:0:0:0:0:ffff:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}]",
    "compatible": lambda address, _: f"[::{address}]",
    "translated": lambda address, _: f"[::ffff:0:{address}]",
    "ISATAP": lambda address, _: f"[::5efe:{address}]",
    "ISATAP, link-local": lambda address, _: f"[fe80::5efe:{address}]",
    "6to4": lambda address, _: f"[{IPv6Address(0x2002 << 112 | int(address) << 80)}]",
    "NAT64": lambda address, _: f"[64:ff9b::{address}]",
    "local NAT64": lambda address, _: f"[64:ff9b:1::{address}]",
    "Teredo": lambda address, _: f"[{IPv6Address(0x2001 << 112 | int(address) ^ 0xFFFFFFFF)}]",
    "with a zone": lambda address, _: f"[fe80::{address}%25lo]",
    "with a bare zone": lambda address, _: f"[fe80::{address}%lo]",
}
"""Ways to write an IPv4 address as a URL's host; what stands in brackets is IPv6 with that address inside."""

TRICKS = (
    "https://{public}@{bad}:{port}/",
    "https://{public}:{port}@{bad}:{port}/",
    "https://{public}%40{bad}:{port}/",
    "https://{bad}:{port}#@{public}/",
    "https://{bad}:{port}\\@{public}/",
    "https://{public}\\@{bad}:{port}/",
    "https://{bad}:{port}\t/",
    "https://\r\n{bad}:{port}/",
    "https://{bad}\x00.{public}:{port}/",
    "http://{bad}:{port}/",
    "HTTP://{bad}:{port}/",
    "https:{bad}:{port}/",
    "https:////{bad}:{port}/",
    "//{bad}:{port}/",
    "ftp://{bad}:{port}/",
    "gopher://{bad}:{port}/_x",
    "file://{bad}/etc/passwd",
    "https://{bad}:{port}:443/",
    "https://[{bad}]:{port}/",
    "https://{bad}%2f@{public}/",
    "https://{bad};{public}:{port}/",
    "https://{bad},{public}:{port}/",
    "https://{public} {bad}:{port}/",
)
"""URLs that one reader takes for another's; `bad` is an address that is refused, `public` one that is not."""

OWN_NAMES = (
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.localdomain",
    "ip6-localhost",
    "ip6-loopback",
    "0",
    "[::]",
)


def of(network: str, random: Random) -> IPv4Address | IPv6Address:
    """One address of the network: an edge or any."""
    block: IPv4Network | IPv6Network = ip_network(network)
    return block[random.choice([0, block.num_addresses - 1, random.randrange(block.num_addresses)])]


def literal_urls(random: Random, port: int, public: str) -> Iterator[tuple[str, str]]:
    """Every form of address once, each with another address of its kind, and what form it is."""
    for kind, network in NETWORKS_V4.items():
        for spelling, spell in SPELLINGS.items():
            address = of(network, random)
            yield f"{kind}, {spelling}", f"https://{spell(IPv4Address(int(address)), random)}:{port}/"
    for kind, network in NETWORKS_V6.items():
        address = of(network, random)
        for spelt in (str(address), address.exploded, str(address).upper()):
            yield kind, f"https://[{spelt}]:{port}/"
    for trick in TRICKS:
        bad = str(of(random.choice(sorted(NETWORKS_V4.values())), random))
        yield f"trick {trick!r}", trick.format(bad=random.choice(["127.0.0.1", bad]), public=public, port=port)
    for name in OWN_NAMES:
        yield f"own name {name}", f"https://{name}:{port}/"


def answers(random: Random) -> tuple[str, str]:
    """What a resolver may say that is not allowed, and of what kind it is."""
    kind, network = random.choice(sorted((NETWORKS_V4 | NETWORKS_V6).items()))
    address = of(network, random)
    if isinstance(address, IPv6Address):
        return kind, str(address)
    inside = [
        f"::ffff:{address}",
        f"::{address}",
        f"64:ff9b::{address}",
        f"64:ff9b:1::{address}",
        f"::5efe:{address}",
    ]
    inside.append(str(IPv6Address(0x2002 << 112 | int(address) << 80)))
    return kind, random.choice([str(address), *inside])
