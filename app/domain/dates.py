"""How days and times are written on pages and in e-mails: `Nov 21, 2026, 14:02 UTC`."""

from datetime import UTC, date, datetime

DAY = "%b %-d, %Y"
"""The format of a day, for strftime()."""
TIME = f"{DAY}, %H:%M UTC"
"""The format of a time in UTC."""


def format_day(on: date) -> str:
    """The day as in `Nov 21, 2026`."""
    return on.strftime(DAY)


def format_time(at: datetime) -> str:
    """The time in UTC as in `Nov 21, 2026, 14:02 UTC`."""
    return at.astimezone(UTC).strftime(TIME)
