"""Browsers with which a user has signed in before. They are recognized in two ways.

User agent and network, which can be imitated, decide whether the user is mailed about a sign-in from a new browser.
The secret in a cookie, which cannot, makes a browser trusted: its attempts to sign in are counted separately from
those of others. The secret alone identifies nobody, and is valid until the user's password changes.
"""

import hashlib
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.domain.actors import Browser
from app.domain.devices import device
from app.domain.retention import BROWSERS_KEPT
from app.models import KnownBrowser, User

NETWORK_BITS, NETWORK_BITS_OF_IPV6 = 24, 48
"""Addresses that share these first bits count as the same network."""
BATCH = 1000
_SIGNED_IN_BEFORE = ""
"""The `digest` of the row that records that the user has signed in at least once. The row is about no particular
browser, so it never expires.
"""
_NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def remember(session: Session, user_id: str, browser: Browser, now: datetime) -> bool:
    """Remember the browser; returns whether it is new for a user who has signed in before.

    Of two sign-ins at once from the same browser, only one counts as new.
    """
    digest = _digest(user_id, browser)
    if _note_seen(session, user_id, digest, now):
        return False
    first = not _has_signed_in_before(session, user_id) and _save(session, user_id, _SIGNED_IN_BEFORE, _NEVER)
    return _save(session, user_id, digest, now) and not first


def trust(session: Session, user: User, secret: str, now: datetime) -> None:
    """Remember that the user signed in from the browser with this secret; only a digest of it is stored."""
    digest = _trusted_digest(user, secret)
    if not _note_seen(session, user.id, digest, now):
        _save(session, user.id, digest, now)


def is_trusted(session: Session, user: User | None, secret: str) -> bool:
    """Whether the user has signed in from the browser with this secret; takes the same time when `user` is None."""
    user_id, digest = (user.id, _trusted_digest(user, secret)) if user else ("", "")
    mine = (KnownBrowser.user_id == user_id, KnownBrowser.digest == digest)
    return session.scalar(select(KnownBrowser.id).where(*mine)) is not None


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH browsers that were not used for BROWSERS_KEPT; returns how many."""
    old = select(KnownBrowser.id).where(KnownBrowser.last_seen_at <= now - BROWSERS_KEPT).limit(BATCH)
    deleted = delete(KnownBrowser).where(KnownBrowser.id.in_(old)).returning(KnownBrowser.id)
    return len(session.execute(deleted.execution_options(synchronize_session=False)).all())


def forget_all(session: Session, user_id: str) -> None:
    """Delete every known browser of the user."""
    session.execute(delete(KnownBrowser).where(KnownBrowser.user_id == user_id))


def _has_signed_in_before(session: Session, user_id: str) -> bool:
    any_of_mine = select(KnownBrowser.id).where(KnownBrowser.user_id == user_id)
    return session.scalar(any_of_mine.limit(1)) is not None


def _note_seen(session: Session, user_id: str, digest: str, now: datetime) -> bool:
    mine = (KnownBrowser.user_id == user_id, KnownBrowser.digest == digest)
    seen = update(KnownBrowser).where(*mine).values(last_seen_at=now).returning(KnownBrowser.id)
    return session.execute(seen).first() is not None


def _save(session: Session, user_id: str, digest: str, seen_at: datetime) -> bool:
    """Save the digest; returns False if it was saved already."""
    try:
        with session.begin_nested():
            session.add(KnownBrowser(user_id=user_id, digest=digest, last_seen_at=seen_at))
    except IntegrityError:
        return False
    return True


def _digest(user_id: str, browser: Browser) -> str:
    marks = f"{user_id}\n{device(browser.user_agent)}\n{network_of(browser.address)}"
    return hashlib.sha256(marks.encode()).hexdigest()


def _trusted_digest(user: User, secret: str) -> str:
    # It includes the hash of the current password: once the password changes, no earlier browser is trusted.
    return hashlib.sha256(f"{secret}\n{user.password_hash}".encode()).hexdigest()


def network_of(address: str) -> str:
    """The network of the IP address, of NETWORK_BITS or NETWORK_BITS_OF_IPV6; empty when it is not an address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return ""
    if isinstance(ip, IPv6Address):
        # IPv4 addresses may be written as IPv4-mapped IPv6 addresses.
        ip = ip.ipv4_mapped or ip
    bits = NETWORK_BITS_OF_IPV6 if isinstance(ip, IPv6Address) else NETWORK_BITS
    return str(ip_network((ip.packed, bits), strict=False))
