"""Limits how often somebody may try to sign in or request a mail, counted by IP address and by account.

For an account (the e-mail or id that is named) the quota itself is the limit. For an IP address, which many people
may share, the limit is the quota of sign-ins, counted separately for each quota.

Sign-ins are counted in another way, so that nobody can lock an owner out. A browser that the account knows has a
count of its own. All other browsers are counted by IP address and account: the more often they try an account, the
fewer tries an address has for it, and the longer each must wait. No address uses up the tries of another.

Counted in Redis for all processes; while Redis is unreachable, in this process, so that guessing stays limited.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from math import ceil

from flask import g, session

from app.domain.errors import NotFound, RateLimited
from app.domain.security_events import SecurityEvent
from app.domain.sign_in_limits import ADDRESSES_PER_NETWORK, SIGN_IN_STAGES, TURN_VALID_FOR, SignInStage
from app.services import security_log
from app.services.security.known_browsers import network_of
from app.web.context import container
from app.web.rate_limits import RateQuota, Spent, client_address, counters, process_counters

_TURN, _COUNTED_CALLERS = "turn", "counted"


def count(quota: RateQuota, whom: str) -> None:
    """Count a try for the IP address that it comes from, and for the e-mail address or id `whom` that it names.

    Raises RateLimited when either had too many tries.
    """
    spent = _spend(RateQuota.SIGN_INS, f"{quota}:from:{client_address()}"), _spend(quota, f"for:{_digest(whom)}")
    _refuse_beyond(quota, *spent)


def count_sign_in(email: str, known: str | None) -> None:
    """Count a try to sign in to the account with this e-mail, whether or not there is such an account.

    `known`: what identifies a browser that the account knows; None for all other browsers.

    Raises RateLimited after too many tries, and for an unknown browser that has to wait for its turn: it may send
    the same request again after the seconds in the answer, so that no thread has to wait.
    """
    if known is not None:
        _refuse_beyond(RateQuota.SIGN_INS, _spend(RateQuota.SIGN_INS, f"known:{_digest(known, email)}"))
    else:
        _refuse_beyond(
            RateQuota.SIGN_INS, _spend(RateQuota.SIGN_INS, f"{RateQuota.SIGN_INS}:from:{client_address()}")
        )
        _count_unknown_browser(_digest(email))


@contextmanager
def limit_link_guesses() -> Iterator[None]:
    """Within this block, each NotFound counts as a wrong guess of a link. Raises RateLimited on entering the block
    after too many wrong guesses from the IP address.

    Guesses have a counter of their own, because any page on the web can make its visitors open wrong links.
    """
    quota, caller = RateQuota.LINKS, f"from:{client_address()}"
    spent = _spend(quota, caller, 0)
    if spent.left < 0:
        raise RateLimited(quota, counters().limit_of(quota), spent.seconds)
    try:
        yield
    except NotFound:
        _refuse_beyond(quota, _spend(quota, caller))
        raise


@contextmanager
def limit_pin_guesses(link: str) -> Iterator[None]:
    """Count the PIN that is checked within this block, for the link and, by the quota of sign-ins, for the IP
    address. If the block raises nothing, the PIN was right, and is not counted after all. Raises RateLimited after
    too many tries for the link or from the address.
    """
    callers = (
        (RateQuota.SIGN_INS, f"{RateQuota.CODES}:from:{client_address()}"),
        (RateQuota.CODES, f"for:{_digest(link)}"),
    )
    _refuse_beyond(RateQuota.CODES, *(_spend(*each) for each in callers))
    yield
    for each in callers:
        _spend(*each, -1)


def count_answer(link: str) -> None:
    """Count a form that a client sends by a share link, for the link and for the IP address that it comes from.

    Raises RateLimited when either sent too many.
    """
    quota = RateQuota.ANSWERS
    callers = f"{quota}:from:{client_address()}", f"{quota}:for:{_digest(link)}"
    _refuse_beyond(quota, *(_spend(quota, caller) for caller in callers))


def give_back_try() -> None:
    """Do not count this request's try to sign in from an unknown browser: it was no wrong guess."""
    for caller in g.pop(_COUNTED_CALLERS, ()):
        _spend(RateQuota.NEW_BROWSERS, caller, -1)


def _count_unknown_browser(account_digest: str) -> None:
    quota = RateQuota.NEW_BROWSERS
    callers = (
        f"for:{account_digest}:from:{client_address()}",
        f"for:{account_digest}:near:{network_of(client_address())}",
        f"for:{account_digest}",
    )
    own = _spend(quota, callers[0])
    # A try refused here is not counted for the network and the account, so it makes nothing harder for others.
    _refuse_beyond(quota, own)
    nearby, for_account = (_spend(quota, caller) for caller in callers[1:])
    setattr(g, _COUNTED_CALLERS, callers)
    stage = _stage(for_account)
    _refuse_beyond(
        quota,
        replace(own, left=stage.max_requests - _count_tries(own)),
        replace(nearby, left=stage.max_requests * ADDRESSES_PER_NETWORK - _count_tries(nearby)),
    )
    _take_turn(_digest(account_digest, client_address()), stage.wait_seconds)


def _stage(spent: Spent) -> SignInStage:
    return next(stage for stage in SIGN_IN_STAGES if _count_tries(spent) <= stage.up_to)


def _count_tries(spent: Spent) -> int:
    """How many tries of unknown browsers the present window has counted."""
    return counters().limit_of(RateQuota.NEW_BROWSERS) - spent.left


def _take_turn(caller: str, wait_seconds: int) -> None:
    # Kept in the browser's session cookie. An old cookie can be sent again to skip the wait, but its try is
    # counted.
    now, (kept_for, at) = container().clock().timestamp(), session.pop(_TURN, ("", 0))
    if not wait_seconds or (kept_for == caller and at <= now <= at + TURN_VALID_FOR.total_seconds()):
        return
    waits = kept_for == caller and now < at <= now + wait_seconds
    session[_TURN] = (caller, at if waits else now + wait_seconds)
    raise RateLimited(RateQuota.NEW_BROWSERS, 1, ceil(session[_TURN][1] - now))


def _refuse_beyond(quota: RateQuota, *spent: Spent) -> None:
    waits = [each.seconds for each in spent if each.left < 0]
    if any(each.left == -1 for each in spent):
        # Logged only for the first refusal in a window, so that further tries do not fill the log.
        security_log.record(SecurityEvent.THROTTLED, quota=quota)
    if waits:
        raise RateLimited(quota, counters().limit_of(quota), max(*waits, 1))


def _digest(*words: str) -> str:
    # A digest keeps personal data out of Redis, and gives a short key however long the text is.
    text = "\n".join(word.strip().lower() for word in words)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _spend(quota: RateQuota, caller: str, amount: int = 1) -> Spent:
    now, in_redis = container().clock(), counters()
    spent = in_redis.spend(quota, caller, now, amount)
    if spent is None:
        window = timedelta(seconds=in_redis.seconds(quota))
        spent = process_counters().spend(quota, caller, in_redis.limit_of(quota), window, now, amount)
    return spent
