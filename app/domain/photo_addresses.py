"""Finds addresses in file names, to warn about photos that show another property than the order's."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_KINDS = (
    "street|st|avenue|ave|av|road|rd|lane|ln|drive|dr|court|ct|boulevard|blvd|place|pl|terrace|ter|circle|cir"
    "|parkway|pkwy|crescent|cres|way|close"
)
_GAP = r"[\s_.,-]+"
_ADDRESS = re.compile(
    rf"(?<![\w.])(?P<number>0*[1-9]\d{{0,4}}[a-z]?){_GAP}(?P<street>(?:[a-z']{{2,}}{_GAP}){{1,3}}?)(?P<kind>{_KINDS})(?![a-z])",
    re.IGNORECASE,
)
_NOT_IN_STREETS = re.compile(
    r"\b(and|at|back|by|car|drone|dusk|entrance|exterior|facade|facing|for|front|from|garage|house|in|interior|left|looking"
    r"|night|of|off|on|over|pool|rear|right|room|side|sky|the|towards?|to|twilight|up|view|with|yard)\b"
)
"""Words that describe a photo and are not parts of street names: `3 view from street.jpg` contains no address."""


@dataclass(frozen=True, slots=True)
class PhotoAddress:
    """A number and a street. `shown`: the address as it was written, with capitals. Two addresses are equal if
    their number and street are; the kind of street (Lane, Ln, Road) does not count.
    """

    number: str
    street: str
    shown: str = field(compare=False)


def find_address(text: str) -> PhotoAddress | None:
    """The first number and street in the text; None if there are none."""
    for found in _ADDRESS.finditer(text):
        number = found["number"].lower().lstrip("0")
        street = " ".join(re.findall(r"[a-z']+", found["street"].lower()))
        if not _NOT_IN_STREETS.search(street):
            return PhotoAddress(number, street, f"{number} {street} {found['kind']}".title())
    return None


def find_other_addresses(names: Iterable[str], address: str) -> Mapping[str, str]:
    """The file names that contain another address than the order's, each with the address that it contains.

    Where no number and street are found in the order's address, the most frequent one in the names is taken
    instead.
    """
    addresses = {name: found for name in names if (found := find_address(name)) is not None}
    own = find_address(address)
    if own is None and addresses:
        own = Counter(addresses.values()).most_common(1)[0][0]
    return {name: found.shown for name, found in addresses.items() if found != own}
