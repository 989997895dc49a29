"""How operations of the API are taken out of use: announced, kept for a fixed time, then ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime

NOTICE = timedelta(days=365)
"""The shortest time that an operation works after it was announced as deprecated."""


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The days from which an operation is deprecated, and on which it ends, in UTC; `instead`: what to use, in
    CommonMark.
    """

    since: date
    until: date
    instead: str

    def __post_init__(self) -> None:
        """Raise ValueError if the operation would end less than NOTICE after its announcement."""
        if self.until < self.since + NOTICE:
            raise ValueError(f"deprecated on {self.since}, it may end on {self.since + NOTICE} at the earliest")

    def describe(self) -> str:
        """The announcement in words."""
        return f"Deprecated since {self.since}; ends on {self.until}. {self.instead}"

    def headers(self, policy_url: str) -> Mapping[str, str]:
        """The headers of every answer: Deprecation (RFC 9745), Sunset (RFC 8594), and a link to the policy."""
        return {
            "Deprecation": f"@{int(_start(self.since).timestamp())}",
            "Sunset": format_datetime(_start(self.until), usegmt=True),
            "Link": f'<{policy_url}>; rel="deprecation"; type="text/html"',
        }


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
