"""Addresses in the names of photos, as photographers write them: those of another property than the order's."""

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
_IN_A_PHOTO = re.compile(
    r"\b(and|at|back|by|car|drone|dusk|entrance|exterior|facade|facing|for|front|from|garage|house|in|interior|left|looking"
    r"|night|of|off|on|over|pool|rear|right|room|side|sky|the|towards?|to|twilight|up|view|with|yard)\b"
)
"""Words that say what a photo shows: `3 view from street.jpg` is no address."""


@dataclass(frozen=True, slots=True)
class PhotoAddress:
    """A house: `shown` as it was written, in capitals. Alike where number and street are, Lane or Ln."""

    number: str
    street: str
    shown: str = field(compare=False)


def find_address(text: str) -> PhotoAddress | None:
    """The first number and street in the text; None where there are none."""
    for found in _ADDRESS.finditer(text):
        number = found["number"].lower().lstrip("0")
        street = " ".join(re.findall(r"[a-z']+", found["street"].lower()))
        if not _IN_A_PHOTO.search(street):
            return PhotoAddress(number, street, f"{number} {street} {found['kind']}".title())
    return None


def find_elsewhere(names: Iterable[str], address: str) -> Mapping[str, str]:
    """The names of files that tell of another house than the order's address, or, where that tells of none, than
    most of them do; with the address that they tell.
    """
    told = {name: found for name in names if (found := find_address(name)) is not None}
    home = find_address(address)
    if home is None and told:
        home = Counter(told.values()).most_common(1)[0][0]
    return {name: found.shown for name, found in told.items() if found != home}
