"""Sign-ins with two-factor: the session remembers for five minutes that the browser has proved the password."""

import hashlib
import hmac
from typing import Any

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import NotFound
from app.domain.sign_in_limits import SECOND_STEP_VALID_FOR
from app.models import User
from app.portal import typed_forms, visitors
from app.portal.visitors import NEXT
from app.services.accounts import users
from app.web.context import container

_KEY = "first_step"


def sign_in_or_ask_code(user: User, target: str | None = None) -> ResponseReturnValue:
    """Sign a user in who has proved the password or access to the mailbox, and redirect to `target`.

    Where two-factor is on, redirect to the form for the code first.
    """
    if user.totp_since is None:
        visitors.sign_in(user.id)
        return visitors.redirect_after_sign_in(user.id, target)
    account_id = typed_forms.find_last_account(user.id)
    session.clear()
    if account_id:
        typed_forms.remember_user(user.id, account_id)
    at = container().clock().timestamp()
    session[_KEY] = {"user": user.id, "at": at, "proof": _proof(user)}
    values: dict[str, Any] = {NEXT: target} if target else {}
    return redirect(url_for("sign_in.code", **values), 303)


def find_pending_user() -> str | None:
    """Find the user whose password this browser proved. None if that was too long ago, or if since then the
    password was changed or two-factor was switched off.
    """
    kept = session.get(_KEY)
    here = container()
    if kept is None or not 0 <= here.clock().timestamp() - kept["at"] <= SECOND_STEP_VALID_FOR.total_seconds():
        return None
    try:
        with here.database.read_session() as unit:
            user = users.get(unit, kept["user"])
    except NotFound:
        return None
    is_current = user.totp_since is not None and hmac.compare_digest(kept["proof"], _proof(user))
    return user.id if is_current else None


def _proof(user: User) -> str:
    # Users can read the session cookie, so it holds only a hash of the password hash.
    return hashlib.sha256((user.password_hash or "").encode()).hexdigest()
