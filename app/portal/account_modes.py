"""Test mode of the portal: which pages act for the sandbox of the visitor's account, kept in the session."""

from dataclasses import replace

from flask import flash, g, request, session

from app.domain.actors import Visitor
from app.domain.roles import Ability

_TESTED_ACCOUNT = "test_mode_of"
"""Key in the session: the account whose sandbox the browser acts for. It gives no access."""
_ENDED = "test_mode_ended"
_LIVE_PAGES = frozenset(
    {
        "account",
        "billing_details",
        "branding",
        "engine",
        "docs_key",
        "file_names",
        "invitations",
        "kept_photos",
        "notifications",
        "picture_use",
        "security",
        "team",
        "test_mode",
        "typed",
    }
)
"""Blueprints about people or settings, which a sandbox does not have. In test mode all other blueprints act for the
sandbox, so that nothing there costs anything.
"""


def apply(who: Visitor) -> Visitor:
    """The visitor; in test mode if their browser is in it and their role allows it. Called at every request."""
    sandbox = who.sandbox
    if sandbox is None or session.get(_TESTED_ACCOUNT) != who.account_id:
        return who
    if not who.may(Ability.DEVELOP):
        _end()
        return who
    if request.blueprint in _LIVE_PAGES:
        return replace(who, test_mode=True)
    return replace(who, test_mode=True, account_id=sandbox.account_id, credits=sandbox.credits)


def _end() -> None:
    """Leave test mode because the visitor's role no longer allows it, and say so once. Forms of pages that are open
    in test mode must not do anything in live mode.
    """
    leave()
    session.pop("csrf_token", None)
    setattr(g, _ENDED, True)
    flash("Your role no longer includes test mode, so you left it: what you see now is live.", "error")


def has_ended() -> bool:
    """Whether test mode ended with this request."""
    return _ENDED in g and request.blueprint not in _LIVE_PAGES


def is_for_sandbox(account_id: str) -> bool:
    """Whether this browser is in test mode of the live account, and the requested page has a test mode; also if
    nobody is signed in any more.
    """
    return session.get(_TESTED_ACCOUNT) == account_id and request.blueprint not in _LIVE_PAGES


def enter(account_id: str) -> None:
    """Let this browser act for the sandbox of the live account from the next request on."""
    session[_TESTED_ACCOUNT] = account_id


def leave() -> str | None:
    """Leave test mode, if this browser is in it; returns the account that can be passed to enter() to return to it,
    else None.
    """
    found: str | None = session.pop(_TESTED_ACCOUNT, None)
    return found
