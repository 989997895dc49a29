"""Browsers that an account was signed in from before.

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
from app.models import Account, KnownBrowser

NETWORK_BITS, NETWORK_BITS_OF_IPV6 = 24, 48
BATCH = 1000
_ANY = ""
"""In place of a digest: that the account was signed in to at all. It tells of no browser, so it is kept."""
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)


def meet(session: Session, account_id: str, browser: Browser, now: datetime) -> bool:
    """Remember the browser; whether the account was used before, and not from it.

    Of two that come at once, one is told to be new.
    """
    digest = _digest(account_id, browser)
    mine = (KnownBrowser.account_id == account_id, KnownBrowser.digest == digest)
    seen = update(KnownBrowser).where(*mine).values(last_seen_at=now).returning(KnownBrowser.id)
    if session.execute(seen).first() is not None:
        return False
    first = _remember(session, account_id, _ANY, _FOR_EVER) if not _used_before(session, account_id) else False
    return _remember(session, account_id, digest, now) and not first


def trust(session: Session, account: Account, secret: str, now: datetime) -> None:
    """Remember that the browser with this secret signed in to the account; of the secret a digest is kept."""
    digest = _trusted_digest(account, secret)
    mine = (KnownBrowser.account_id == account.id, KnownBrowser.digest == digest)
    seen = update(KnownBrowser).where(*mine).values(last_seen_at=now).returning(KnownBrowser.id)
    if session.execute(seen).first() is None:
        _remember(session, account.id, digest, now)


def trusted(session: Session, account: Account | None, secret: str) -> bool:
    """Whether the account was signed in to by the browser with this secret; as slow where there is none."""
    account_id, digest = (account.id, _trusted_digest(account, secret)) if account else ("", "")
    mine = (KnownBrowser.account_id == account_id, KnownBrowser.digest == digest)
    return session.scalar(select(KnownBrowser.id).where(*mine)) is not None


def forget(session: Session, now: datetime) -> int:
    """Remove some browsers that were not seen for 90 days; how many there were."""
    old = select(KnownBrowser.id).where(KnownBrowser.last_seen_at <= now - BROWSERS_KEPT).limit(BATCH)
    gone = delete(KnownBrowser).where(KnownBrowser.id.in_(old)).returning(KnownBrowser.id)
    return len(session.execute(gone.execution_options(synchronize_session=False)).all())


def forget_all(session: Session, account_id: str) -> None:
    """Remove every browser of the account."""
    session.execute(delete(KnownBrowser).where(KnownBrowser.account_id == account_id))


def _used_before(session: Session, account_id: str) -> bool:
    any_of_mine = select(KnownBrowser.id).where(KnownBrowser.account_id == account_id)
    return session.scalar(any_of_mine.limit(1)) is not None


def _remember(session: Session, account_id: str, digest: str, seen_at: datetime) -> bool:
    """Whether it was not remembered yet."""
    try:
        with session.begin_nested():
            session.add(KnownBrowser(account_id=account_id, digest=digest, last_seen_at=seen_at))
    except IntegrityError:
        return False
    return True


def _digest(account_id: str, browser: Browser) -> str:
    told = f"{account_id}\n{device(browser.user_agent)}\n{network(browser.address)}"
    return hashlib.sha256(told.encode()).hexdigest()


def _trusted_digest(account: Account, secret: str) -> str:
    # With the password of then: once there is another, no browser from before is known any more.
    return hashlib.sha256(f"{secret}\n{account.password_hash}".encode()).hexdigest()


def network(address: str) -> str:
    """The network of the address; nothing for what is no address."""
    try:
        told = ip_address(address)
    except ValueError:
        return ""
    if isinstance(told, IPv6Address):
        # IPv4 addresses may come dressed as IPv6.
        told = told.ipv4_mapped or told
    bits = NETWORK_BITS_OF_IPV6 if isinstance(told, IPv6Address) else NETWORK_BITS
    return str(ip_network((told.packed, bits), strict=False))
