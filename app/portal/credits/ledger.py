"""The ledger: the filter in a query string, and the lines as a CSV file."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from flask import request

from app.domain.api_types import iso
from app.domain.errors import InvalidRequest
from app.domain.ledger import LedgerKind
from app.domain.mail_text import one_line
from app.domain.spreadsheets import escape_formula
from app.services.billing.ledger_pages import FIRST_DAY, LAST_DAY, LedgerFilter, LedgerRow
from app.services.pagination import Cursor

KIND, SINCE, UNTIL, MONTH, JOB = "kind", "from", "to", "month", "job"
MAX_LENGTH = 40
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_LINE_ID = re.compile(r"[0-9]{1,19}")
NOT_A_DAY = {
    name: f"Enter a {place} day that exists, written like 2026-11-30, from {FIRST_DAY.year} to {LAST_DAY.year}."
    for name, place in ((SINCE, "first"), (UNTIL, "last"))
}
NOT_A_MONTH = f"A month is written as 2026-11, between {FIRST_DAY.year} and {LAST_DAY.year}."
DAYS_REVERSED = "The last day is before the first. Enter a later one."
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


@dataclass(frozen=True, slots=True)
class LedgerForm:
    """The form of the ledger's filter. `typed`: the text of its fields; `faults`: pairs of field and message."""

    filter: LedgerFilter
    typed: Mapping[str, str]
    faults: Sequence[tuple[str, str]]

    @property
    def query(self) -> dict[str, str]:
        """The filter as the query of another page's URL."""
        return {name: text for name, text in self.typed.items() if text}

    def error(self, name: str) -> Sequence[str]:
        """The messages of the field's faults."""
        return [message for field, message in self.faults if field == name]


def read_form() -> LedgerForm:
    """Read the filter from this page's query string. An unknown kind is ignored."""
    typed = {name: one_line(request.args.get(name, ""))[:MAX_LENGTH] for name in (KIND, SINCE, UNTIL, JOB)}
    kind = LedgerKind(typed[KIND]) if typed[KIND] in list(LedgerKind) else None
    typed[KIND] = kind.value if kind else ""
    faults: list[tuple[str, str]] = []
    if month := request.args.get(MONTH, ""):
        typed[SINCE], typed[UNTIL] = _read_month(month, faults)
    since, until = _read_days(typed, faults)
    return LedgerForm(LedgerFilter(kind, since, until, typed[JOB]), typed, faults)


def read_filter() -> LedgerFilter:
    """Read the filter for a file, which cannot show faults. Raises InvalidRequest for faults."""
    form = read_form()
    if form.faults:
        raise InvalidRequest(dict(form.faults))
    return form.filter


def read_cursor() -> Cursor[int] | None:
    """Read the line at which the page begins; None if the query string has no valid number."""
    for name in ("before", "after"):
        if _LINE_ID.fullmatch(text := request.args.get(name, "")):
            return Cursor(int(text), newer=name == "after")
    return None


def _read_days(typed: Mapping[str, str], faults: list[tuple[str, str]]) -> tuple[date | None, date | None]:
    since, until = _read_day(typed[SINCE]), _read_day(typed[UNTIL])
    for name, day in ((SINCE, since), (UNTIL, until)):
        if typed[name] and day is None:
            faults.append((name, NOT_A_DAY[name]))
    if since and until and until < since:
        faults.append((UNTIL, DAYS_REVERSED))
    return since, until


def _read_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
    return day if day and FIRST_DAY <= day <= LAST_DAY else None


def _read_month(text: str, faults: list[tuple[str, str]]) -> tuple[str, str]:
    first = _read_day(f"{text}-01") if _MONTH.fullmatch(text) else None
    if first is None:
        faults.append((SINCE, NOT_A_MONTH))
        return "", ""
    return str(first), str((first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def write_csv(batches: Iterable[Sequence[LedgerRow]]) -> Iterator[bytes]:
    """Write the names of the columns and a line for each row, one batch at a time."""
    yield _write_lines([COLUMNS])
    for rows in batches:
        yield _write_lines(map(_write_fields, rows))


def _write_lines(lines: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()


def _write_fields(row: LedgerRow) -> Sequence[str]:
    words = (row.kind.value, row.reason, row.job_id or "", row.address or "", row.purchase_id or "")
    number = "" if row.receipt_number is None else str(row.receipt_number)
    # Amounts are not escaped: escaping would turn a negative number into text.
    return (
        iso(row.created_at),
        *map(escape_formula, words),
        number,
        f"{row.amount:.2f}",
        f"{row.balance_after:.2f}",
    )
