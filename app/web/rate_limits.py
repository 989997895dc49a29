"""How many requests a minute one key may send, counted in Redis for all processes; without Redis nobody is refused.

The quotas of people at browsers are counted here too; web/attempt_limits.py spends them.

A window is fixed: its first request opens it, and when it closes the whole quota is back, which is just what the
`t` of the RateLimit header promises. So a counter is one number, where a moving window keeps a moment for every
request. The price: around the close of a window a client may spend two quotas. Refused requests prolong nothing.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import time

from flask import Flask, Response, current_app, g, request
from flask_limiter import Limiter
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from redis import RedisError

from app.adapters.redis_connection import RedisLeftAloneError, options
from app.domain.errors import RateLimited
from app.domain.security_events import SecurityEvent
from app.services import security_log
from app.web.context import container

log = logging.getLogger(__name__)

_API = "/api/"
WARN_EVERY = timedelta(minutes=1)
NAME = "brightlist.rate_limits"


class Quota(StrEnum):
    """What is counted, each on its own; callers without a valid key have the first.

    The others are for people: tries to sign in, those of browsers that the account does not know, passwords asked
    of who is signed in, mails that somebody had sent, tries at one-time codes.
    """

    READS = "reads"
    WRITES = "writes"
    SIGN_INS = "sign-ins"
    NEW_BROWSERS = "new-browsers"
    PROOFS = "proofs"
    SIGN_UPS = "sign-ups"
    RESETS = "resets"
    NEW_ADDRESSES = "new-addresses"
    CODES = "codes"


MAILS_PER_HOUR = 10
"""So many mails an hour may be asked for, of each kind on its own."""
NEW_BROWSERS_PER_HOUR = 10
"""So often an hour may one address try to sign in to one account that does not know the browser."""
CODES_PER_HOUR = 10
"""Six digits, three of a million right at a time: whoever knows the password guesses one in four years or so."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Where a caller stands in its window, `seconds` before that closes; refused when `left` is below zero."""

    left: int
    seconds: int


class Counters:
    """The counters of all callers, in Redis."""

    def __init__(self, limiter: Limiter, limits: dict[Quota, RateLimitItem]) -> None:
        self._limiter = limiter
        self._limits = limits
        self._warned_at: datetime | None = None

    def policy(self, quota: Quota) -> str:
        """The quota and its window, as the header RateLimit-Policy says it."""
        limit = self._limits[quota]
        return f'"{quota}";q={limit.amount};w={limit.get_expiry()}'

    def spend(self, quota: Quota, caller: str, now: datetime, amount: int = 1) -> Spent | None:
        """Count one request, or give one back (-1); None while Redis is away."""
        try:
            return container().redis_breaker.call(lambda: self._count(quota, caller, amount))
        except RedisLeftAloneError:
            return None
        except RedisError as error:
            self._warn(error, now)
            return None

    def most(self, quota: Quota) -> int:
        """How many requests a window the quota is."""
        return self._limits[quota].amount

    def seconds(self, quota: Quota) -> int:
        """How long a window is open."""
        return self._limits[quota].get_expiry()

    def _count(self, quota: Quota, caller: str, amount: int) -> Spent:
        limit, storage = self._limits[quota], self._limiter.storage
        key = limit.key_for(caller, quota)
        sent = storage.incr(key, limit.get_expiry(), amount)
        return Spent(limit.amount - sent, ceil(storage.get_expiry(key) - time()))

    def _warn(self, error: RedisError, now: datetime) -> None:
        if not _within(WARN_EVERY, self._warned_at, now):
            self._warned_at = now
            log.warning("rate limits are open, Redis is away: %s", error)


def install(app: Flask) -> None:
    """Tell every caller of the application's API where it stands, and limit those whom no view counts."""
    with app.app_context():
        settings = container().settings
    app.config["RATELIMIT_STORAGE_OPTIONS"] = options()
    # The library tells a socket's address by a scheme of its own.
    uri = settings.redis_url.replace("unix://", "redis+unix://", 1)
    limiter = Limiter(address, app=app, storage_uri=uri, strategy="fixed-window")
    limits: dict[Quota, RateLimitItem] = {
        Quota.READS: RateLimitItemPerMinute(settings.rate_limit_reads),
        Quota.WRITES: RateLimitItemPerMinute(settings.rate_limit_writes),
        Quota.SIGN_INS: RateLimitItemPerMinute(settings.rate_limit_sign_ins),
        Quota.NEW_BROWSERS: RateLimitItemPerHour(NEW_BROWSERS_PER_HOUR),
        Quota.PROOFS: RateLimitItemPerMinute(settings.rate_limit_sign_ins),
        Quota.SIGN_UPS: RateLimitItemPerHour(MAILS_PER_HOUR),
        Quota.RESETS: RateLimitItemPerHour(MAILS_PER_HOUR),
        Quota.NEW_ADDRESSES: RateLimitItemPerHour(MAILS_PER_HOUR),
        Quota.CODES: RateLimitItemPerHour(CODES_PER_HOUR),
    }
    app.extensions[NAME] = Counters(limiter, limits)
    app.before_request(_count_strays)
    app.after_request(_tell)


def count() -> None:
    """Count this request for its key, or for its address where it came without a valid one. Raises RateLimited."""
    actor = g.get("actor")
    g.quota = Quota.WRITES if actor and request.method not in ("GET", "HEAD") else Quota.READS
    g.spent = counters().spend(g.quota, actor.key_id if actor else address(), container().clock())
    if g.spent is not None and g.spent.left < 0:
        if g.spent.left == -1:
            # The first that is refused in a window: who goes on sending fills no log.
            security_log.tell(SecurityEvent.THROTTLED, actor and actor.account_id, quota=g.quota)
        raise RateLimited(g.quota, counters().most(g.quota), g.spent.seconds + 1)


def _count_strays() -> None:
    # An unknown path or method reaches no view that could count it.
    if request.path.startswith(_API) and request.routing_exception is not None:
        count()


def _tell(response: Response) -> Response:
    if request.path.startswith(_API):
        quota = g.get("quota", Quota.READS)
        response.headers["RateLimit-Policy"] = counters().policy(quota)
        if spent := g.get("spent"):
            response.headers["RateLimit"] = f'"{quota}";r={max(spent.left, 0)};t={spent.seconds}'
    return response


def counters() -> Counters:
    """The counters of the application that answers this request."""
    found: Counters = current_app.extensions[NAME]
    return found


def address() -> str:
    """Where the request comes from, as callers are told apart: IPv6 ones by their network."""
    try:
        told = ip_address(request.remote_addr or "")
    except ValueError:
        # A server that listens on a socket file has no address to tell.
        return "nowhere"
    if isinstance(told, IPv6Address):
        # One IPv6 customer holds 2**64 addresses at least; IPv4 ones may come dressed as IPv6.
        told = told.ipv4_mapped or IPv6Address(int(told) >> 64 << 64)
    return str(told)


def _within(duration: timedelta, since: datetime | None, now: datetime) -> bool:
    # A clock that was set back ends it too.
    return since is not None and since <= now < since + duration
