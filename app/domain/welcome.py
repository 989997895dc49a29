"""Who gets credits to try the service with: once for each inbox, and of a domain of one's own once a day."""

from datetime import date
from hashlib import sha256

MOST_AN_HOUR = 60
"""Accounts that get them: anyone who makes accounts by program comes no further, and staff see it."""
_PROVIDERS = """
126 163 aim aol att bellsouth bigpond bluewin bluemail btinternet charter comcast cox duck earthlink
fastmail frontier free freenet gmail gmx googlemail hey hotmail hushmail icloud laposte libero live
mac mail mailbox me msn naver ntlworld optonline optusnet orange outlook pm posteo proton protonmail
qq rogers runbox sbcglobal sfr shaw sina sky suddenlink sympatico t-online talktalk telus tiscali
tutanota verizon virginmedia wanadoo web windstream xtra yahoo yandex ymail zoho
"""
MAIL_PROVIDERS = frozenset(_PROVIDERS.split())
"""The names under which many people have their mail, whatever the country's ending."""
_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "gov", "net", "or", "org"})


def find_own_domain(inbox: str) -> str | None:
    """The domain that an inbox's owner may have to themselves, with whatever lies below it; None where many people
    have their mail.
    """
    labels = inbox.rpartition("@")[2].split(".")
    own = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL else 2
    domain = labels[-own:]
    return None if domain[0] in MAIL_PROVIDERS else ".".join(domain)


def domain_cause(domain: str, day: date) -> str:
    """What there is one of for a domain and a day, told by a digest."""
    return sha256(f"{domain} {day.isoformat()}".encode()).hexdigest()
