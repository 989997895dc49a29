"""Re-encrypts, in batches, every secret that is sealed (encrypted) in the database, with the newest key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import inspect, select, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.sending import DecryptionError, Vault
from app.models import CallbackSecret, IdempotencyRecord, KeptForm, ShareLink, User, Webhook

SEALED_COLUMNS: tuple[InstrumentedAttribute[Any], ...] = (
    User.totp_secret,
    Webhook.secret,
    Webhook.next_secret,
    CallbackSecret.secret,
    CallbackSecret.next_secret,
    ShareLink.token,
    KeptForm.fields,
    IdempotencyRecord.answer,
)
"""Every column that holds text sealed by the vault."""
BATCH = 200
Row = tuple[Any, ...]
"""The primary key of a row."""


@dataclass(frozen=True, slots=True)
class RenewedBatch:
    """The outcome of a batch: how many secrets were re-encrypted, which rows no key can decrypt, and the row after
    which the next batch begins; None after the last batch.
    """

    count: int
    unreadable: Sequence[str]
    next: Row | None


def renew(
    session: Session, vault: Vault, sealed_column: InstrumentedAttribute[Any], after: Row | None
) -> RenewedBatch:
    """Re-encrypt the secrets in this column that an older key sealed, for the next BATCH rows after `after`.

    Harmless when repeated. A secret that changed meanwhile is left as it is.
    """
    keys = inspect(sealed_column.class_).primary_key
    later = [] if after is None else [tuple_(*keys) > after]
    sealed_rows = select(*keys, sealed_column).where(sealed_column.is_not(None), *later)
    rows = session.execute(sealed_rows.order_by(*keys).limit(BATCH)).all()
    count, unreadable = 0, []
    for *key, sealed in rows:
        try:
            fresh = vault.renew(sealed)
        except DecryptionError:
            unreadable.append(f"{sealed_column} of {'/'.join(map(str, key))}")
            continue
        if fresh is not None:
            mine = [column == value for column, value in zip(keys, key, strict=True)]
            changed = (
                update(sealed_column.class_)
                .where(*mine, sealed_column == sealed)
                .values({sealed_column: fresh})
                .returning(keys[0])
            )
            count += session.execute(changed.execution_options(synchronize_session=False)).first() is not None
    return RenewedBatch(count, unreadable, tuple(rows[-1][:-1]) if len(rows) == BATCH else None)
