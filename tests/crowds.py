"""Very many orders on PostgreSQL, nearly all of them settled, with all that belongs to them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, text

from app.domain.metadata import digest_pair

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""When the newest order was placed; of the others each a second before the next."""
ACCOUNTS = 1000
"""Of which the first, the busy one, placed a tenth of all orders."""
UNFINISHED = 40
"""So many orders wait for a worker, mails and deliveries for a sender, however many there are in all."""
BUSY = "acc_0000000000000000000001"
PAIR = ("env", "production")
"""Metadata of every order."""
_AT = f"timestamptz '{NOW.isoformat()}' - i * interval '1 second'"
_OPEN = f"i <= {UNFINISHED}"
_PURGED = "i > {count} / 2"
"""Half of the orders are past their time: their pictures are gone, and what told of them."""

_KEPT = f"NOT ({_PURGED} OR {_OPEN}) AND i % 2 = 0"


def number(prefix: str, each: int | str) -> str:
    """The id of a row: of the row in hand where `each` is an SQL expression."""
    return f"'{prefix}_' || lpad(({each})::text, 22, '0')" if isinstance(each, str) else f"{prefix}_{each:022d}"


_ACCOUNT = number("acc", f"CASE WHEN i % 10 = 0 THEN 1 ELSE 2 + i % {ACCOUNTS - 1} END")
_WORK = {
    "state": f"CASE WHEN {_OPEN} THEN 'waiting' ELSE 'done' END",
    "attempts": f"CASE WHEN {_OPEN} THEN 0 ELSE 1 END",
    "next_attempt_at": _AT,
}
_ACCOUNTS = {
    "users": {
        "id": number("acc", "i"),
        "email": "'p' || i || '@example.com'",
        "name": "'Pat ' || i",
        "is_staff": "false",
        "created_at": _AT,
        "confirmed_at": _AT,
        "mails_off": "'[]'",
    },
    "account": {
        "id": number("acc", "i"),
        "credits": "100000",
        "weight": "1",
        "created_at": _AT,
        "low_balance": "500",
        "file_names": "''",
        "keeps_photos": "false",
        "engine_channel": "'latest'",
    },
    "membership": {
        "user_id": number("acc", "i"),
        "organization_id": number("acc", "i"),
        "role": "'owner'",
        "created_at": _AT,
    },
    "webhook": {
        "id": number("whk", "i"),
        "account_id": number("acc", "i"),
        "url": "'https://a.example/' || i",
        "events": "'[]'",
        "secret": "'x'",
        "active": "true",
        "created_at": _AT,
        "healthy_since": _AT,
        "failed_deliveries": "0",
        "warnings": "0",
    },
}
_ORDERS = {
    "upload_session": {
        "id": number("ups", "i"),
        "account_id": _ACCOUNT,
        "interior_count": "1",
        "exterior_count": "0",
        "held_bytes": "1000000",
        "created_at": _AT,
        "job_id": number("job", "i"),
    },
    "job": {
        "id": number("job", "i"),
        "account_id": _ACCOUNT,
        "livemode": "true",
        "upload_session_id": number("ups", "i"),
        "address": "i || ' Garden Lane, Springfield, IL 62704'",
        "address_slug": "i || '-garden-lane-springfield-il-62704'",
        "listing": "'{}'",
        "file_names": "'DSC_' || i || '.jpg'",
        "external_id": "'X-' || i % 7",
        "service_type": "'interior'",
        "status": f"CASE WHEN {_OPEN} THEN 'pending' WHEN i % 7 = 0 THEN 'failed' ELSE 'delivered' END",
        "credit_cost": "100",
        "engine_version": "'0.14.0+3f9a2c1b'",
        "generative_calls": "0",
        "property_credits": "100",
        "credits_refunded": "0",
        "interior_count": "1",
        "exterior_count": "0",
        "created_at": _AT,
        "deadline_at": f"{_AT} + interval '2 hours'",
        "settled_at": f"CASE WHEN NOT {_OPEN} THEN {_AT} END",
        "expired_at": f"CASE WHEN {_PURGED} THEN {_AT} + interval '1 hour' END",
        "purged_at": f"CASE WHEN {_PURGED} THEN {_AT} + interval '1 hour' END",
        "keeping": f"CASE WHEN {_KEPT} THEN 'kept' END",
        "kept_until": f"CASE WHEN {_KEPT} THEN {_AT} + interval '1 year' END",
        "kept_bytes": f"CASE WHEN {_KEPT} THEN 1000 ELSE 0 END",
    },
    "job_metadata": {
        "account_id": _ACCOUNT,
        "digest": f"'{digest_pair(*PAIR)}'",
        "created_at": _AT,
        "job_id": number("job", "i"),
    },
    "photo": {
        "id": number("pho", "i"),
        "job_id": number("job", "i"),
        "type": "'interior'",
        '"index"': "0",
        "file_name": "'interior.jpg'",
        "storage_key": "'uploads/' || i || '/interior-0'",
        "size_bytes": "1000000",
        "from_imagery": "false",
        "edit_request": """'{"enhancements": ["hdr_enhancement"]}'""",
        "image_credits": "100",
        "work_size": "CASE WHEN i % 4 = 0 THEN 'heavy' ELSE 'light' END",
        "postponements": "0",
        **_WORK,
    },
    "preview": {
        "source_key": "'uploads/' || i || '/interior-0'",
        "folder": "'uploads/' || i || '/'",
        "livemode": "true",
        "wants_public": "false",
        "wants_copies": "false",
        "created_at": _AT,
        "postponements": "0",
        **_WORK,
    },
    "mail": {
        "id": number("mai", "i"),
        "user_id": _ACCOUNT,
        '"to"': "'p@example.com'",
        "subject": "'Your order is ready'",
        "text": "'Your order is ready.'",
        "created_at": _AT,
        **_WORK,
    },
    "event": {
        "id": number("evt", "i"),
        "account_id": _ACCOUNT,
        "job_id": number("job", "i"),
        "name": "'job.created'",
        "body": "'{}'",
        "created_at": _AT,
        "number": "i",
    },
    "delivery": {
        "id": number("dlv", "i"),
        "webhook_id": _ACCOUNT.replace("acc_", "whk_"),
        "event_id": number("evt", "i"),
        "job_id": number("job", "i"),
        "event_name": "'job.created'",
        "state": f"CASE WHEN {_OPEN} THEN 'waiting' WHEN i % 50 = 0 THEN 'failed' ELSE 'succeeded' END",
        "attempts_made": f"CASE WHEN {_OPEN} THEN 0 ELSE 1 END",
        "by_hand": "false",
        "next_attempt_at": f"CASE WHEN {_OPEN} THEN {_AT} END",
        "failed_at": f"CASE WHEN NOT {_OPEN} AND i % 50 = 0 THEN {_AT} END",
        "created_at": _AT,
    },
}
_KEPT = ("photo", "preview")
"""What goes with the pictures of an order."""


def statements(count: int) -> Iterable[str]:
    """What fills an empty, migrated database with so many orders and ACCOUNTS accounts."""
    for tables, many in ((_ACCOUNTS, ACCOUNTS), (_ORDERS, count)):
        for table, columns in tables.items():
            last = many // 2 if table in _KEPT else many
            values = ", ".join(columns.values()).replace("{count}", str(count))
            rows = f"SELECT {values} FROM generate_series(1, {last}) AS rows(i)"
            yield f"INSERT INTO {table} ({', '.join(columns)}) {rows}"
    yield "ANALYZE"


def fill(connection: Connection, count: int) -> None:
    """Put so many orders into the empty database, and let the server learn how they are spread."""
    for each in statements(count):
        connection.execute(text(each.replace(":", r"\:")))


def later(seconds: float) -> datetime:
    """So long after the newest order."""
    return NOW + timedelta(seconds=seconds)
