"""Keeps what somebody typed into a form that came after their sign-in had ended; security/typed.py shows it."""

from flask import g, request, session

from app.domain.kept_forms import list_kept
from app.services.security import kept_forms
from app.services.security.kept_forms import TypedForm
from app.web.context import container

_WHOSE = "typed_by"
"""In the browser's signed session: whose sign-in it had last. It opens nothing, and signing out ends it."""
_KEPT = "typed_form_kept"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def remember_user(user_id: str) -> None:
    """Note who signs in at this browser."""
    session[_WHOSE] = user_id


def keep_sent() -> None:
    """Keep the form of this request for the user who was signed in at this browser last; of files nothing is kept.

    Its token was checked before: it was made for this browser.
    """
    whose = session.get(_WHOSE)
    if whose is None or request.mimetype not in _FORMS or "HX-Request" in request.headers:
        return
    fields = list_kept(request.form.items(multi=True))
    if not fields:
        return
    here = container()
    with here.database.unit_of_work() as unit:
        kept_forms.keep(unit, here.vault, whose, TypedForm(request.path, fields, here.clock()))
    setattr(g, _KEPT, True)


def was_kept() -> bool:
    """Whether the form of this request was kept."""
    return _KEPT in g


def should_lead(user_id: str) -> bool:
    """Whether the user who signed in just now is to be led to what they typed."""
    here = container()
    with here.database.unit_of_work() as unit:
        return kept_forms.lead(unit, user_id, here.clock())
