"""Who gets welcome credits to try the service with: each inbox once, and each private mail domain once a day."""

from datetime import date
from decimal import Decimal
from functools import cache
from hashlib import sha256

from app.domain.pricing import make_priced_photo, quote
from engine.types.enhancements import Enhancement

MAX_GIFTS_PER_HOUR = 60
"""The most accounts that get welcome credits within an hour: a limit for programs that create accounts. Staff see
when it is reached.
"""
SMALL_HOUSE = 6
"""The number of photos of a small house for which welcome credits are enough."""
_PROVIDERS = """
126 163 aim aol att bellsouth bigpond bluewin bluemail btinternet charter comcast cox duck earthlink
fastmail frontier free freenet gmail gmx googlemail hey hotmail hushmail icloud laposte libero live
mac mail mailbox me msn naver ntlworld optonline optusnet orange outlook pm posteo proton protonmail
qq rogers runbox sbcglobal sfr shaw sina sky suddenlink sympatico t-online talktalk telus tiscali
tutanota verizon virginmedia wanadoo web windstream xtra yahoo yandex ymail zoho
"""
MAIL_PROVIDERS = frozenset(_PROVIDERS.split())
"""Names of mail providers, without the top-level domain."""
# Second-level domains below the domains of countries, as in example.co.uk.
_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gov", "net", "or", "org"})


@cache
def price_small_house() -> Decimal:
    """The most credits that SMALL_HOUSE photos cost with sky, lawn and HDR, however many of them are exterior."""
    outside, inside = make_priced_photo(Enhancement.SKY, Enhancement.GRASS), make_priced_photo(Enhancement.HDR)
    orders = ([outside] * count + [inside] * (SMALL_HOUSE - count) for count in range(SMALL_HOUSE + 1))
    return max(quote(photos).credits for photos in orders)


def find_own_domain(inbox: str) -> str | None:
    """The registered domain of an inbox's address, which may belong to its owner alone; None for mail providers."""
    labels = inbox.rpartition("@")[2].split(".")
    has_second_level = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    domain = labels[-3:] if has_second_level else labels[-2:]
    return None if domain[0] in MAIL_PROVIDERS else ".".join(domain)


def domain_cause(domain: str, day: date) -> str:
    """A digest of the domain and the day, which is stored as a unique value."""
    return sha256(f"{domain} {day.isoformat()}".encode()).hexdigest()
