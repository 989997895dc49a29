"""How often somebody may try to prove who they are, or have mail sent: by where they come from and whom they name.

Whom they name has the quota's own measure; an address has that of sign-ins for each, as many people may share it.

Counted in Redis for all processes; while that is away, in this process, so that guessing is bounded all the same.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from threading import Lock

from flask import Flask, current_app

from app.domain.errors import RateLimited
from app.web.context import container
from app.web.rate_limits import Quota, Spent, address, counters

NAME = "brightlist.tries"
MOST_KEPT = 50_000
"""Windows kept in this process: more are a flood, and the oldest make room."""


@dataclass
class Windows:
    """The counters of this process: for each caller how often, until when."""

    open: dict[tuple[Quota, str], tuple[int, datetime]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def spend(self, quota: Quota, caller: str, most: int, holds: timedelta, now: datetime) -> Spent:
        """Count one try."""
        with self.lock:
            self._make_room(now)
            count, closes_at = self.open.get((quota, caller), (0, now + holds))
            # A clock that was set back ends a window too.
            if not now < closes_at <= now + holds:
                count, closes_at = 0, now + holds
            self.open[quota, caller] = count + 1, closes_at
        return Spent(most - count - 1, ceil((closes_at - now).total_seconds()))

    def _make_room(self, now: datetime) -> None:
        if len(self.open) < MOST_KEPT:
            return
        held = {key: window for key, window in self.open.items() if window[1] > now}
        for key in list(held)[: max(0, len(held) - MOST_KEPT // 2)]:
            del held[key]
        self.open = held


def install(app: Flask) -> None:
    """Give the application its counters for a time without Redis."""
    app.extensions[NAME] = Windows()


def count(quota: Quota, whom: str) -> None:
    """Count a try for where it comes from and for whom it names: an e-mail address or an id.

    Raises RateLimited when there were too many of either.
    """
    # Nothing personal in Redis, and one short key however long the name is.
    named = hashlib.sha256(whom.strip().lower().encode("utf-8", "surrogatepass")).hexdigest()
    spent = [_spend(Quota.SIGN_INS, f"{quota}:from:{address()}"), _spend(quota, f"for:{named}")]
    refused = [each.seconds for each in spent if each.left < 0]
    if refused:
        raise RateLimited(quota, counters().most(quota), max(*refused, 1))


def _spend(quota: Quota, caller: str) -> Spent:
    now, all_ = container().clock(), counters()
    spent = all_.spend(quota, caller, now)
    if spent is None:
        windows: Windows = current_app.extensions[NAME]
        spent = windows.spend(quota, caller, all_.most(quota), timedelta(seconds=all_.seconds(quota)), now)
    return spent
