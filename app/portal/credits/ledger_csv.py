"""The ledger as a file of comma-separated values, made while it is sent."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from app.domain.events import iso
from app.domain.spreadsheets import harmless
from app.services.ledger_pages import Row

COLUMNS = (
    "moved_at_utc",
    "kind",
    "reason",
    "order_id",
    "order_address",
    "purchase_id",
    "receipt_number",
    "credits",
    "balance_after",
)


def encoded(batches: Iterable[Sequence[Row]]) -> Iterator[bytes]:
    """The first line, which names the columns, and a line for each row; as much at a time as a batch holds."""
    yield _lines([COLUMNS])
    for rows in batches:
        yield _lines(map(_fields, rows))


def _lines(lines: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()


def _fields(row: Row) -> Sequence[str]:
    words = (row.kind.value, row.reason, row.job_id or "", row.address or "", row.purchase_id or "")
    number = "" if row.receipt_number is None else str(row.receipt_number)
    # Amounts stay numbers, below zero too.
    return (iso(row.created_at), *map(harmless, words), number, f"{row.amount:.2f}", f"{row.balance_after:.2f}")
