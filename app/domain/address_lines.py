"""A property's address in four fields or on one line, and the conversion between them."""

import re
from dataclasses import dataclass

_POSTCODE = (
    r"\d{5}(?:-\d{3,4})?"  # United States, Brazil, most of continental Europe
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d"  # Canada
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"  # United Kingdom
    r"|\d{4} ?[A-Z]{2}"  # Netherlands
    r"|\d{4}(?:-\d{3})?|\d{6}|\d{3} ?\d{2}|\d{3}-\d{4}"  # Australia, Portugal; India; Sweden; Japan
)
_ENDS_WITH_POSTCODE = re.compile(rf"(?:(?P<before>.*\S)\s+)?(?P<postcode>{_POSTCODE})")
_BEGINS_WITH_POSTCODE = re.compile(rf"(?P<postcode>{_POSTCODE})\s+(?P<city>\D+)")
_REGION = re.compile(r"[A-Z]{2,3}|(?:[A-Z]\.){2,3}")
_CITY_AND_REGION = re.compile(rf"(?P<city>.*\D)\s+(?P<region>{_REGION.pattern})")
_UNIT = re.compile(r"\b(?:apt|apartment|unit|suite|ste|flat|floor|room|building|bldg|level|box)\b|#", re.IGNORECASE)
_UNITED_STATES = {"us", "usa", "u.s.", "u.s.a.", "united states", "united states of america"}
_STATES = re.compile(
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois"
    "|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri"
    "|montana|nebraska|nevada|new (hampshire|jersey|mexico|york)|(north|south) (carolina|dakota)|ohio|oklahoma"
    "|oregon|pennsylvania|rhode island|tennessee|texas|utah|vermont|(west )?virginia|washington|wisconsin|wyoming",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AddressLines:
    """The four fields of an address; `region` is the state."""

    street: str
    city: str = ""
    region: str = ""
    postcode: str = ""

    @property
    def line(self) -> str:
        """The fields that are not empty on one line, as in an order: `12 Garden Lane, Springfield, IL 62704`."""
        end = " ".join(part for part in (self.region, self.postcode) if part)
        return ", ".join(part for part in (self.street, self.city, end) if part)


def split(line: str) -> AddressLines:
    """The four fields of an address on one line.

    Addresses are written in many ways around the world: everything that is not recognized with certainty stays in
    `street`. No word is lost except the name of the United States at the end.
    """
    parts = [part for part in (" ".join(part.split()) for part in line.split(",")) if part]
    if len(parts) > 1 and parts[-1].lower() in _UNITED_STATES:
        parts.pop()
    country = _foreign_country(parts)
    rest = parts[:-1] if country else parts
    found = _split(rest)
    if found is None:
        return AddressLines(", ".join(parts))
    region = ", ".join(part for part in (found.region, country) if part)
    return AddressLines(found.street, found.city, region, found.postcode)


def _foreign_country(parts: list[str]) -> str:
    """The last part, where it has no digits and the part before it ends or begins with a postcode; else ""."""
    if len(parts) < 3 or any(map(str.isdigit, parts[-1])) or _is_region(parts[-1]):
        return ""
    before = parts[-2]
    with_postcode = _ENDS_WITH_POSTCODE.fullmatch(before) or _BEGINS_WITH_POSTCODE.fullmatch(before)
    return parts[-1] if with_postcode else ""


def _split(parts: list[str]) -> AddressLines | None:
    """The fields of these parts between commas; None if they are not recognized with certainty."""
    if not parts or _UNIT.search(parts[-1]):
        return None
    *front, last = parts
    if not front:
        return _split_without_commas(last)
    if ends := _ENDS_WITH_POSTCODE.fullmatch(last):
        return _split_before_postcode(front, ends["before"] or "", ends["postcode"])
    if begins := _BEGINS_WITH_POSTCODE.fullmatch(last):
        # After a street this is postcode and town; after a unit it is not, as in `Apt 4, 62704 Main Street`.
        street = ", ".join(front)
        return None if _UNIT.search(front[-1]) else AddressLines(street, begins["city"], "", begins["postcode"])
    return _split_before_postcode(front, last, "")


def _split_before_postcode(front: list[str], last: str, postcode: str) -> AddressLines | None:
    """The address from the parts before the last one (`front`) and the `last` part without its postcode."""
    city, region = last, ""
    if not last or _is_region(last):
        region = last or (front.pop() if len(front) > 2 and _is_region(front[-1]) else "")
        city = front.pop() if len(front) > 1 else ""
    elif both := _CITY_AND_REGION.fullmatch(last):
        city, region = both["city"], both["region"]
    if any(map(str.isdigit, city)) or _UNIT.search(city):
        return None
    return AddressLines(", ".join(front), city, region, postcode)


def _split_without_commas(line: str) -> AddressLines | None:
    """The address with only state and ZIP split off: where the street ends and the town begins cannot be known."""
    found = re.fullmatch(r"(?P<street>.*\d.*\D) (?P<region>[A-Z]{2}) (?P<postcode>\d{5}(?:-\d{4})?)", line)
    return AddressLines(found["street"], "", found["region"], found["postcode"]) if found else None


def _is_region(text: str) -> bool:
    return bool(_REGION.fullmatch(text) or _STATES.fullmatch(text))
