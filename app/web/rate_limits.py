"""Rate limits: counts API requests and people's attempts in time windows, and refuses requests over the quota.

Counted in Redis for all processes. While Redis is unreachable, no API request is refused, and people's attempts are
counted in this process.

A window is fixed: its first request opens it, and when it closes the whole quota is available again, which is just
what the `t` of the RateLimit header promises. So a counter is one number, where a sliding window would store a time
for every request. The disadvantage: around the end of a window a client may spend two quotas. Refused requests do
not prolong a window.

attempt_limits.py spends the quotas of people at browsers.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from math import ceil
from threading import Lock

from flask import Flask, Response, current_app, g, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from redis import RedisError
from redis.commands.core import Script

from app.adapters.redis_connection import CircuitOpenError, PerThreadClients, connect
from app.domain.errors import RateLimited
from app.domain.limits import ANSWERS_PER_MINUTE, GUESSES_PER_MINUTE
from app.domain.security_events import SecurityEvent
from app.domain.sign_in_limits import CODES_PER_HOUR, MAILS_PER_HOUR, NEW_BROWSERS_PER_HOUR
from app.services import security_log
from app.settings import Settings
from app.web.context import container
from app.web.parking import find_parking

log = logging.getLogger(__name__)

MCP = "/mcp"
"""The path of the MCP server, whose requests count like those of the API."""
_COUNTED = ("/api/", MCP)
_COUNT = """
local count = redis.call("INCRBY", KEYS[1], ARGV[1])
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
    left = tonumber(ARGV[2])
    redis.call("PEXPIRE", KEYS[1], left)
end
return {count, left}
"""
"""Lua script: counts, opens a window if none is open, and returns the count and the milliseconds until the window
closes; in one round trip."""
_KEY_PREFIX = "LIMITS:"
"""Prefix of the counters' keys in Redis."""
NAME = "brightlist.counters"
PROCESS_NAME = "brightlist.process_counters"
WARN_EVERY = timedelta(minutes=1)
MAX_KEPT = 50_000
"""The most windows that one process keeps. Only an attack opens more; then the oldest are dropped."""


class RateQuota(StrEnum):
    """Kinds of requests with separate counts. READS and WRITES are for the API; a caller without a key has READS.

    The others are for people. SIGN_INS: tries to sign in. NEW_BROWSERS: tries from browsers that the account does
    not know. PROOFS: passwords asked of a signed-in user. SIGN_UPS, RESETS, NEW_ADDRESSES: requested mails. CODES:
    tries at one-time codes. LINKS: opened links that lead nowhere. ANSWERS: forms sent by a share link.
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
    LINKS = "links"
    ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class Spent:
    """The requests that a caller has `left` in the current window, which closes in `seconds`; refused if below
    zero.
    """

    left: int
    seconds: int


class RedisCounters:
    """The counters of all callers, in Redis."""

    def __init__(self, redis_url: str, limits: Mapping[RateQuota, RateLimitItem]) -> None:
        self._connections = PerThreadClients(redis_url)
        self._script = Script(connect(redis_url), _COUNT)
        self._limits = limits
        self._policies = {
            quota: f'"{quota}";q={each.amount};w={each.get_expiry()}' for quota, each in limits.items()
        }
        self._warned_at: datetime | None = None

    def policy(self, quota: RateQuota) -> str:
        """The quota and its window, as the value of the header RateLimit-Policy."""
        return self._policies[quota]

    def spend(self, quota: RateQuota, caller: str, now: datetime, amount: int = 1) -> Spent | None:
        """Count a request; `amount` -1 takes one back, 0 only reads. None while Redis is unreachable."""
        try:
            return container().redis_breaker.call(lambda: self._count(quota, caller, amount))
        except CircuitOpenError:
            return None
        except RedisError as error:
            self._warn(error, now)
            return None

    def limit_of(self, quota: RateQuota) -> int:
        """How many requests the quota allows in one window."""
        return self._limits[quota].amount

    def seconds(self, quota: RateQuota) -> int:
        """How many seconds a window of the quota lasts."""
        return self._limits[quota].get_expiry()

    def _count(self, quota: RateQuota, caller: str, amount: int) -> Spent:
        limit = self._limits[quota]
        window_milliseconds = limit.get_expiry() * 1000
        key = f"{_KEY_PREFIX}{limit.key_for(caller, quota)}"
        count, left = self._script([key], [amount, window_milliseconds], self._connections.client())
        return Spent(limit.amount - count, ceil(left / 1000))

    def _warn(self, error: RedisError, now: datetime) -> None:
        if not _within(WARN_EVERY, self._warned_at, now):
            self._warned_at = now
            log.warning("rate limits are open, Redis is away: %s", error)


@dataclass
class ProcessCounters:
    """The counters of this process, for when Redis is unreachable: each caller's count and its window's end."""

    open: dict[tuple[RateQuota, str], tuple[int, datetime]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def spend(
        self, quota: RateQuota, caller: str, limit: int, window: timedelta, now: datetime, amount: int = 1
    ) -> Spent:
        """Count a try, of `limit` tries in each `window`; `amount` -1 takes one back, 0 only reads."""
        with self.lock:
            self._make_room(now)
            count, closes_at = self.open.get((quota, caller), (0, now + window))
            # A window also ends if the clock was set back.
            if not now < closes_at <= now + window:
                count, closes_at = 0, now + window
            self.open[quota, caller] = count + amount, closes_at
        return Spent(limit - count - amount, ceil((closes_at - now).total_seconds()))

    def _make_room(self, now: datetime) -> None:
        if len(self.open) < MAX_KEPT:
            return
        current = {key: window for key, window in self.open.items() if window[1] > now}
        for key in list(current)[: max(0, len(current) - MAX_KEPT // 2)]:
            del current[key]
        self.open = current


def install(app: Flask) -> None:
    """Set up the application's counters: every API answer gets RateLimit headers, and API requests that reach no
    view are counted, too.
    """
    with app.app_context():
        settings = container().settings
    app.extensions[NAME] = RedisCounters(settings.redis_url, _limits(settings))
    app.extensions[PROCESS_NAME] = ProcessCounters()
    app.before_request(_count_unrouted)
    app.after_request(_add_headers)


def counters() -> RedisCounters:
    """The counters of the application that answers this request."""
    found: RedisCounters = current_app.extensions[NAME]
    return found


def process_counters() -> ProcessCounters:
    """The counters of this process."""
    found: ProcessCounters = current_app.extensions[PROCESS_NAME]
    return found


def count(quota: RateQuota | None = None) -> None:
    """Count this API request for its key or client token, or for its IP address if it has no valid one; a request
    that was kept to wait was counted when it arrived. `quota`: counted instead of the quota of the request's
    method. Raises RateLimited.
    """
    actor, parking = g.get("actor"), find_parking()
    amount = 0 if parking and parking.was_kept else 1
    writes = actor and request.method not in ("GET", "HEAD")
    g.quota = quota or (RateQuota.WRITES if writes else RateQuota.READS)
    # Visitors of a customer's page must not use up what the customer's own server may send.
    token = g.get("client_token")
    caller = token.session_id if token else actor.key_id if actor else client_address()
    g.spent = counters().spend(g.quota, caller, container().clock(), amount)
    if amount and g.spent is not None and g.spent.left < 0:
        if g.spent.left == -1:
            # Logged only for the first refusal in a window, so that further requests do not fill the log.
            security_log.record(SecurityEvent.THROTTLED, actor and actor.account_id, quota=g.quota)
        raise RateLimited(g.quota, counters().limit_of(g.quota), g.spent.seconds + 1)


def client_address() -> str:
    """The IP address by which a caller is counted; of an IPv6 address, its network of 64 bits."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        # A server that listens on a Unix socket knows no address.
        return "nowhere"
    if isinstance(address, IPv6Address):
        # One IPv6 customer has at least 2**64 addresses; an IPv4 address may come as IPv4-mapped IPv6 address.
        address = address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64)
    return str(address)


def _limits(settings: Settings) -> Mapping[RateQuota, RateLimitItem]:
    return {
        RateQuota.READS: RateLimitItemPerMinute(settings.rate_limit_reads),
        RateQuota.WRITES: RateLimitItemPerMinute(settings.rate_limit_writes),
        RateQuota.SIGN_INS: RateLimitItemPerMinute(settings.rate_limit_sign_ins),
        RateQuota.NEW_BROWSERS: RateLimitItemPerHour(NEW_BROWSERS_PER_HOUR),
        RateQuota.PROOFS: RateLimitItemPerMinute(settings.rate_limit_sign_ins),
        RateQuota.SIGN_UPS: RateLimitItemPerHour(MAILS_PER_HOUR),
        RateQuota.RESETS: RateLimitItemPerHour(MAILS_PER_HOUR),
        RateQuota.NEW_ADDRESSES: RateLimitItemPerHour(MAILS_PER_HOUR),
        RateQuota.CODES: RateLimitItemPerHour(CODES_PER_HOUR),
        RateQuota.LINKS: RateLimitItemPerMinute(GUESSES_PER_MINUTE),
        RateQuota.ANSWERS: RateLimitItemPerMinute(ANSWERS_PER_MINUTE),
    }


def _within(duration: timedelta, since: datetime | None, now: datetime) -> bool:
    # False also if the clock was set back before `since`.
    return since is not None and since <= now < since + duration


def _count_unrouted() -> None:
    # An unknown path or method reaches no view that could count it.
    if request.path.startswith(_COUNTED) and request.routing_exception is not None:
        count()


def _add_headers(response: Response) -> Response:
    if request.path.startswith(_COUNTED):
        quota = g.get("quota", RateQuota.READS)
        response.headers["RateLimit-Policy"] = counters().policy(quota)
        if spent := g.get("spent"):
            response.headers["RateLimit"] = f'"{quota}";r={max(spent.left, 0)};t={spent.seconds}'
    return response
