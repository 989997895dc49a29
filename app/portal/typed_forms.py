"""Keeps a form that was sent after its user's sign-in had ended; security/typed.py shows it to that user."""

from flask import g, request, session

from app.domain.kept_forms import select_fields
from app.portal import account_modes
from app.services.security import kept_forms
from app.services.security.kept_forms import TypedForm
from app.web.context import container

_LAST_USER = "typed_by"
_LAST_ACCOUNT = "typed_for"
"""Keys in the browser's signed session: the user who signed in last, and the account for which they acted. They
give no access; signing out removes them.
"""
_KEPT = "typed_form_kept"
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


def remember_user(user_id: str, account_id: str) -> None:
    """Remember in the session which user signs in at this browser, or changes to another account."""
    session[_LAST_USER], session[_LAST_ACCOUNT] = user_id, account_id


def find_last_account(user_id: str) -> str:
    """The account for which the user acted at this browser, which they did not leave by signing out; else empty."""
    found: str = session.get(_LAST_ACCOUNT, "") if session.get(_LAST_USER) == user_id else ""
    return found


def keep_sent_form() -> None:
    """Keep the form of this request, without its files, for the user who was signed in at this browser last. Forms
    of test mode are not kept.

    The form's CSRF token was checked before, so the form was made for this browser.
    """
    user_id, account_id = session.get(_LAST_USER), session.get(_LAST_ACCOUNT)
    if not (user_id and account_id) or request.mimetype not in _FORM_TYPES or "HX-Request" in request.headers:
        return
    if account_modes.is_for_sandbox(account_id):
        # The user may next sign in with a browser in live mode, and would then send the form for the live account.
        return
    fields = select_fields(request.form.items(multi=True))
    if not fields:
        return
    here = container()
    with here.database.unit_of_work() as unit:
        kept_forms.keep(unit, here.vault, user_id, TypedForm(account_id, request.path, fields, here.clock()))
    setattr(g, _KEPT, True)


def was_kept() -> bool:
    """Whether the form of this request was kept."""
    return _KEPT in g


def claim_redirect_to_form(user_id: str) -> bool:
    """Whether to redirect a user, who has just signed in, to the kept form; true only once for each kept form."""
    here = container()
    with here.database.unit_of_work() as unit:
        return kept_forms.redirect_once(unit, user_id, here.clock())
