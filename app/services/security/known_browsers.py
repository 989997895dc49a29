"""Browsers that a user was signed in from before.

What they say of themselves and their network tells when the owner should hear of a new one; that can be imitated.
The secret of a cookie cannot: who holds it is counted apart from strangers when signing in. It tells nothing of who
it is, and holds until the password changes.
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
BATCH = 1000
_ANY = ""
"""In place of a digest: that the user was signed in at all. It tells of no browser, so it is kept."""
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)


def remember(session: Session, user_id: str, browser: Browser, now: datetime) -> bool:
    """Remember the browser; whether the user was signed in before, and not from it.

    Of two that come at once, one is told to be new.
    """
    digest = _digest(user_id, browser)
    if _note_seen(session, user_id, digest, now):
        return False
    first = _remember(session, user_id, _ANY, _FOR_EVER) if not _used_before(session, user_id) else False
    return _remember(session, user_id, digest, now) and not first


def trust(session: Session, user: User, secret: str, now: datetime) -> None:
    """Remember that the browser with this secret signed the user in; of the secret a digest is kept."""
    digest = _trusted_digest(user, secret)
    if not _note_seen(session, user.id, digest, now):
        _remember(session, user.id, digest, now)


def is_trusted(session: Session, user: User | None, secret: str) -> bool:
    """Whether the user was signed in from the browser with this secret; as slow where there is none."""
    user_id, digest = (user.id, _trusted_digest(user, secret)) if user else ("", "")
    mine = (KnownBrowser.user_id == user_id, KnownBrowser.digest == digest)
    return session.scalar(select(KnownBrowser.id).where(*mine)) is not None


def forget(session: Session, now: datetime) -> int:
    """Remove some browsers that were not seen for 90 days; how many there were."""
    old = select(KnownBrowser.id).where(KnownBrowser.last_seen_at <= now - BROWSERS_KEPT).limit(BATCH)
    gone = delete(KnownBrowser).where(KnownBrowser.id.in_(old)).returning(KnownBrowser.id)
    return len(session.execute(gone.execution_options(synchronize_session=False)).all())


def forget_all(session: Session, user_id: str) -> None:
    """Remove every browser of the user."""
    session.execute(delete(KnownBrowser).where(KnownBrowser.user_id == user_id))


def _used_before(session: Session, user_id: str) -> bool:
    any_of_mine = select(KnownBrowser.id).where(KnownBrowser.user_id == user_id)
    return session.scalar(any_of_mine.limit(1)) is not None


def _note_seen(session: Session, user_id: str, digest: str, now: datetime) -> bool:
    mine = (KnownBrowser.user_id == user_id, KnownBrowser.digest == digest)
    seen = update(KnownBrowser).where(*mine).values(last_seen_at=now).returning(KnownBrowser.id)
    return session.execute(seen).first() is not None


def _remember(session: Session, user_id: str, digest: str, seen_at: datetime) -> bool:
    """Whether it was not remembered yet."""
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
    # With the password of then: once there is another, no browser from before is known any more.
    return hashlib.sha256(f"{secret}\n{user.password_hash}".encode()).hexdigest()


def network_of(address: str) -> str:
    """The network of the address; nothing for what is no address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return ""
    if isinstance(ip, IPv6Address):
        # IPv4 addresses may come dressed as IPv6.
        ip = ip.ipv4_mapped or ip
    bits = NETWORK_BITS_OF_IPV6 if isinstance(ip, IPv6Address) else NETWORK_BITS
    return str(ip_network((ip.packed, bits), strict=False))
