"""Between the password and the code: a browser that proved one and not yet the other, for five minutes."""

import hashlib
import hmac
from typing import Any

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import NotFound
from app.domain.sign_in_limits import SECOND_STEP_HOLDS
from app.models import User
from app.portal import visitors
from app.portal.visitors import NEXT
from app.services.accounts import users
from app.web.context import container

_KEY = "first_step"


def enter(user: User, target: str | None = None) -> ResponseReturnValue:
    """Sign the user in at this browser, where they proved the password or the mailbox, and go to `target`.

    Where two-factor is on, the code is asked for first.
    """
    if user.totp_since is None:
        visitors.sign_in(user.id)
        return visitors.lead_back(user.id, target)
    session.clear()
    at = container().clock().timestamp()
    session[_KEY] = {"user": user.id, "at": at, "proof": _proof(user)}
    values: dict[str, Any] = {NEXT: target} if target else {}
    return redirect(url_for("sign_in.code", **values), 303)


def pending() -> str | None:
    """The user for whom this browser proved the first step; None when that is over or the password changed."""
    kept = session.get(_KEY)
    here = container()
    if kept is None or not 0 <= here.clock().timestamp() - kept["at"] <= SECOND_STEP_HOLDS.total_seconds():
        return None
    try:
        with here.database.read_session() as unit:
            user = users.get(unit, kept["user"])
    except NotFound:
        return None
    same = user.totp_since is not None and hmac.compare_digest(kept["proof"], _proof(user))
    return user.id if same else None


def _proof(user: User) -> str:
    # The session can be read, not changed, by its owner: of the kept hash it holds a hash.
    return hashlib.sha256((user.password_hash or "").encode()).hexdigest()
