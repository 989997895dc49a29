"""How many requests a minute one key may send, counted in Redis; without Redis nobody is refused."""

from flask import Flask, Response, g, request

from app.domain.errors import RateLimited
from app.domain.security_events import SecurityEvent
from app.services import security_log
from app.web.context import container
from app.web.counters import RateQuota, address, counters

_API = "/api/"


def install(app: Flask) -> None:
    """Tell every caller of the application's API where it stands, and limit those whom no view counts."""
    app.before_request(_count_strays)
    app.after_request(_tell)


def count() -> None:
    """Count this request for its key, or for its address where it came without a valid one. Raises RateLimited."""
    actor = g.get("actor")
    g.quota = RateQuota.WRITES if actor and request.method not in ("GET", "HEAD") else RateQuota.READS
    g.spent = counters().spend(g.quota, actor.key_id if actor else address(), container().clock())
    if g.spent is not None and g.spent.left < 0:
        if g.spent.left == -1:
            # The first that is refused in a window: who goes on sending fills no log.
            security_log.record(SecurityEvent.THROTTLED, actor and actor.account_id, quota=g.quota)
        raise RateLimited(g.quota, counters().most(g.quota), g.spent.seconds + 1)


def _count_strays() -> None:
    # An unknown path or method reaches no view that could count it.
    if request.path.startswith(_API) and request.routing_exception is not None:
        count()


def _tell(response: Response) -> Response:
    if request.path.startswith(_API):
        quota = g.get("quota", RateQuota.READS)
        response.headers["RateLimit-Policy"] = counters().policy(quota)
        if spent := g.get("spent"):
            response.headers["RateLimit"] = f'"{quota}";r={max(spent.left, 0)};t={spent.seconds}'
    return response
