"""Secrets that lie sealed in the database: all of them, in batches, sealed anew with the newest key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import inspect, select, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.sending import DecryptionError, Vault
from app.models import IdempotencyRecord, KeptForm, ShareLink, User, Webhook

PLACES: tuple[InstrumentedAttribute[Any], ...] = (
    User.totp_secret,
    Webhook.secret,
    Webhook.next_secret,
    ShareLink.token,
    KeptForm.fields,
    IdempotencyRecord.answer,
)
"""Every column that holds what the vault sealed."""
BATCH = 200
Row = tuple[Any, ...]
"""A row by its primary key."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """What became of a batch: how many were sealed anew, which rows no key opens, and where the next one begins."""

    count: int
    unreadable: Sequence[str]
    next: Row | None


def renew(session: Session, vault: Vault, place: InstrumentedAttribute[Any], after: Row | None) -> Renewed:
    """Seal what stands in this column anew where an older key sealed it, row by row behind `after`.

    Harmless when repeated. What somebody else changed meanwhile is left as they made it.
    """
    keys = inspect(place.class_).primary_key
    behind = [] if after is None else [tuple_(*keys) > after]
    sealed_ones = select(*keys, place).where(place.is_not(None), *behind)
    rows = session.execute(sealed_ones.order_by(*keys).limit(BATCH)).all()
    count, unreadable = 0, []
    for *key, sealed in rows:
        try:
            fresh = vault.renew(sealed)
        except DecryptionError:
            unreadable.append(f"{place} of {'/'.join(map(str, key))}")
            continue
        if fresh is not None:
            mine = [column == value for column, value in zip(keys, key, strict=True)]
            changed = update(place.class_).where(*mine, place == sealed).values({place: fresh}).returning(keys[0])
            count += session.execute(changed.execution_options(synchronize_session=False)).first() is not None
    return Renewed(count, unreadable, tuple(rows[-1][:-1]) if len(rows) == BATCH else None)
