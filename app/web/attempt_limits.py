"""How often somebody may try to prove who they are, or have mail sent: by where they come from and whom they name.

Whom they name has the quota's own measure; an address has that of sign-ins for each, as many people may share it.

To sign in is counted otherwise, so that nobody keeps an owner out: a browser that the account knows is counted by
itself, and all others by their address and the account. The more often these try an account, the fewer tries an
address has for it and the longer each must wait; no address ever spends what another has.

Counted in Redis for all processes; while that is away, in this process, so that guessing is bounded all the same.
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
from app.domain.sign_in_limits import ADDRESSES_PER_NETWORK, SIGN_IN_STAGES, TURN_HOLDS, SignInStage
from app.services import security_log
from app.services.security.known_browsers import network_of
from app.web.context import container
from app.web.rate_limits import RateQuota, Spent, client_address, counters, process_counters

_TURN, _COUNTED = "turn", "counted"


def count(quota: RateQuota, whom: str) -> None:
    """Count a try for where it comes from and for whom it names: an e-mail address or an id.

    Raises RateLimited when there were too many of either.
    """
    spent = _spend(RateQuota.SIGN_INS, f"{quota}:from:{client_address()}"), _spend(quota, f"for:{_digest(whom)}")
    _refuse_beyond(quota, *spent)


def count_sign_in(email: str, known: str | None) -> None:
    """Count a try to sign in to the account with this e-mail, whether or not there is one.

    `known`: what tells the browser from others, where the account knows it; None for all other browsers.

    Raises RateLimited when there were too many tries, and for an unknown browser that has to wait for its turn:
    the same request is taken once the seconds are over, on whatever thread is free then.
    """
    if known is not None:
        _refuse_beyond(RateQuota.SIGN_INS, _spend(RateQuota.SIGN_INS, f"known:{_digest(known, email)}"))
    else:
        _refuse_beyond(
            RateQuota.SIGN_INS, _spend(RateQuota.SIGN_INS, f"{RateQuota.SIGN_INS}:from:{client_address()}")
        )
        _count_stranger(_digest(email))


@contextmanager
def looking_up_link() -> Iterator[None]:
    """Look up what a link leads to. Raises RateLimited before that for an address from which too many led nowhere,
    and counts one that does: NotFound, raised within.

    They have a counter of their own: any page of the web can make its visitors open such links.
    """
    quota, caller = RateQuota.LINKS, f"from:{client_address()}"
    before = _spend(quota, caller, 0)
    if before.left < 0:
        raise RateLimited(quota, counters().most(quota), before.seconds)
    try:
        yield
    except NotFound:
        _refuse_beyond(quota, _spend(quota, caller))
        raise


def count_answer(link: str) -> None:
    """Count a form that somebody sends by a share link, for the link and for where it comes from.

    Raises RateLimited when there were too many of either.
    """
    quota = RateQuota.ANSWERS
    callers = f"{quota}:from:{client_address()}", f"{quota}:for:{_digest(link)}"
    _refuse_beyond(quota, *(_spend(quota, caller) for caller in callers))


def give_back_try() -> None:
    """Give back what the try of this request counted for a browser unknown to the account: it guessed nothing."""
    for caller in g.pop(_COUNTED, ()):
        _spend(RateQuota.NEW_BROWSERS, caller, -1)


def _count_stranger(named: str) -> None:
    quota = RateQuota.NEW_BROWSERS
    callers = (
        f"for:{named}:from:{client_address()}",
        f"for:{named}:near:{network_of(client_address())}",
        f"for:{named}",
    )
    here = _spend(quota, callers[0])
    # What is refused here is not counted for others: nothing gets harder for them.
    _refuse_beyond(quota, here)
    nearby, all_ = (_spend(quota, caller) for caller in callers[1:])
    setattr(g, _COUNTED, callers)
    stage = _stage(all_)
    _refuse_beyond(
        quota,
        replace(here, left=stage.most - _made(here)),
        replace(nearby, left=stage.most * ADDRESSES_PER_NETWORK - _made(nearby)),
    )
    _take_turn(_digest(named, client_address()), stage.wait_seconds)


def _stage(spent: Spent) -> SignInStage:
    return next(stage for stage in SIGN_IN_STAGES if _made(spent) <= stage.up_to)


def _made(spent: Spent) -> int:
    """How many requests a window of new browsers counts."""
    return counters().most(RateQuota.NEW_BROWSERS) - spent.left


def _take_turn(whose: str, wait_seconds: int) -> None:
    # In the browser's session: a turn kept back spares a wait, but no try is counted less.
    now, (kept_for, at) = container().clock().timestamp(), session.pop(_TURN, ("", 0))
    if not wait_seconds or (kept_for == whose and at <= now <= at + TURN_HOLDS.total_seconds()):
        return
    waits = kept_for == whose and now < at <= now + wait_seconds
    session[_TURN] = (whose, at if waits else now + wait_seconds)
    raise RateLimited(RateQuota.NEW_BROWSERS, 1, ceil(session[_TURN][1] - now))


def _refuse_beyond(quota: RateQuota, *spent: Spent) -> None:
    over = [each.seconds for each in spent if each.left < 0]
    if any(each.left == -1 for each in spent):
        # The first that is refused in a window: who goes on trying fills no log.
        security_log.record(SecurityEvent.THROTTLED, quota=quota)
    if over:
        raise RateLimited(quota, counters().most(quota), max(*over, 1))


def _digest(*words: str) -> str:
    # Nothing personal in Redis, and one short key however long the name is.
    text = "\n".join(word.strip().lower() for word in words)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _spend(quota: RateQuota, caller: str, amount: int = 1) -> Spent:
    now, all_ = container().clock(), counters()
    spent = all_.spend(quota, caller, now, amount)
    if spent is None:
        holds = timedelta(seconds=all_.seconds(quota))
        spent = process_counters().spend(quota, caller, all_.most(quota), holds, now, amount)
    return spent
