"""What of the ledger an address asks for: kind, days or a month, one order; and where in it the page begins."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from flask import request

from app.domain.errors import InvalidRequest
from app.domain.ledger import LedgerKind
from app.domain.mail_text import one_line
from app.services.ledger_pages import EARLIEST, LATEST, Cursor, Filter

KIND, SINCE, UNTIL, MONTH, JOB = "kind", "from", "to", "month", "job"
MOST_TYPED = 40
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_PLACE = re.compile(r"[0-9]{1,19}")
NO_DAY = {
    name: f"Enter the {place} day as {date(2026, 11, 30)}, between {EARLIEST.year} and {LATEST.year}."
    for name, place in ((SINCE, "first"), (UNTIL, "last"))
}
NO_MONTH = f"A month is written as 2026-11, between {EARLIEST.year} and {LATEST.year}."
TURNED = "The last day is before the first. Enter a later one."


@dataclass(frozen=True, slots=True)
class LedgerForm:
    """The filter as it was asked for: `typed` stands in its fields, and `faults` say what makes no sense."""

    wanted: Filter
    typed: Mapping[str, str]
    faults: Sequence[tuple[str, str]]

    @property
    def query(self) -> dict[str, str]:
        """The same filter in the address of another page."""
        return {name: text for name, text in self.typed.items() if text}

    def error(self, name: str) -> Sequence[str]:
        """What is wrong with the field."""
        return [message for field, message in self.faults if field == name]


def asked() -> LedgerForm:
    """The filter that the address of the page at hand asks for. A kind that there is not filters nothing."""
    typed = {name: one_line(request.args.get(name, ""))[:MOST_TYPED] for name in (KIND, SINCE, UNTIL, JOB)}
    kind = LedgerKind(typed[KIND]) if typed[KIND] in list(LedgerKind) else None
    typed[KIND] = kind.value if kind else ""
    faults: list[tuple[str, str]] = []
    if month := request.args.get(MONTH, ""):
        typed[SINCE], typed[UNTIL] = _month(month, faults)
    since, until = _days(typed, faults)
    return LedgerForm(Filter(kind, since, until, typed[JOB]), typed, faults)


def asked_rightly() -> Filter:
    """The same where nothing can be typed again. Raises InvalidRequest."""
    form = asked()
    if form.faults:
        raise InvalidRequest(dict(form.faults))
    return form.wanted


def place() -> Cursor | None:
    """The line that the page begins at; what is no number is no place."""
    for name in ("before", "after"):
        if _PLACE.fullmatch(text := request.args.get(name, "")):
            return Cursor(int(text), newer=name == "after")
    return None


def _days(typed: Mapping[str, str], faults: list[tuple[str, str]]) -> tuple[date | None, date | None]:
    since, until = _day(typed[SINCE]), _day(typed[UNTIL])
    for name, day in ((SINCE, since), (UNTIL, until)):
        if typed[name] and day is None:
            faults.append((name, NO_DAY[name]))
    if since and until and until < since:
        faults.append((UNTIL, TURNED))
    return since, until


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
    return day if day and EARLIEST <= day <= LATEST else None


def _month(text: str, faults: list[tuple[str, str]]) -> tuple[str, str]:
    first = _day(f"{text}-01") if _MONTH.fullmatch(text) else None
    if first is None:
        faults.append((SINCE, NO_MONTH))
        return "", ""
    return str(first), str((first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
