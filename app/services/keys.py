"""API keys: made, recognised, revoked. The secret is shown once; only its digest is kept."""

import hashlib
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.orm import Session

from app.domain.actors import Actor, Scope
from app.domain.errors import NotFound
from app.domain.ids import base62, random_base62
from app.models import Account, ApiKey

BRAND = "ims_live_"
RANDOM_LENGTH = 32
CHECKSUM_LENGTH = 6
VISIBLE_LENGTH = len(BRAND) + 4
LAST_USE_EVERY = timedelta(minutes=1)
"""A key in steady use is written down at most this often."""
# Built once: every request asks this, and building it takes longer than answering it.
_BY_DIGEST = (
    select(
        ApiKey.id,
        ApiKey.account_id,
        ApiKey.scopes,
        ApiKey.expires_at,
        ApiKey.revoked_at,
        ApiKey.last_used_at,
    )
    .join(Account, Account.id == ApiKey.account_id)
    .where(ApiKey.digest == bindparam("digest"), Account.deleted_at.is_(None))
)


def create(
    session: Session,
    account_id: str,
    now: datetime,
    *,
    name: str = "API key",
    scopes: Iterable[Scope] = tuple(Scope),
    expires_at: datetime | None = None,
) -> tuple[ApiKey, str]:
    """A new key and its secret, which nothing can show again."""
    body = BRAND + random_base62(RANDOM_LENGTH)
    secret = body + _checksum(body)
    key = ApiKey(
        account_id=account_id,
        name=name,
        digest=_digest(secret),
        visible_prefix=secret[:VISIBLE_LENGTH],
        scopes=sorted(scopes),
        created_at=now,
        expires_at=expires_at,
    )
    session.add(key)
    session.flush()
    return key, secret


def recognise(reader: Session | Connection, secret: str, now: datetime) -> tuple[Actor, bool] | None:
    """Who holds this key, and whether its use should be noted; None unless it is valid now."""
    if not _well_formed(secret):
        return None
    row = reader.execute(_BY_DIGEST, {"digest": _digest(secret)}).one_or_none()
    if row is None or row.revoked_at is not None or (row.expires_at and row.expires_at <= now):
        return None
    stale = row.last_used_at is None or row.last_used_at <= now - LAST_USE_EVERY
    return Actor(row.account_id, row.id, frozenset(map(Scope, row.scopes))), stale


def note_use(session: Session, key_id: str, now: datetime) -> None:
    """Keep when the key was last used."""
    session.execute(update(ApiKey).where(ApiKey.id == key_id).values(last_used_at=now))


def revoke(session: Session, account_id: str, key_id: str, now: datetime) -> None:
    """End the key at once. Raises NotFound for another account's; harmless when done before."""
    key = session.scalar(select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id))
    if key is None:
        raise NotFound
    key.revoked_at = key.revoked_at or now


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    return base62(zlib.crc32(body.encode()), CHECKSUM_LENGTH)


def _well_formed(secret: str) -> bool:
    # The checksum tells a mistyped key from a wrong one without asking the database.
    body, checksum = secret[:-CHECKSUM_LENGTH], secret[-CHECKSUM_LENGTH:]
    return secret.startswith(BRAND) and secret.isascii() and _checksum(body) == checksum
