"""The blueprint of a group of pages: it refuses a form that was not made for the browser that sends it."""

from flask import Blueprint, request
from flask_wtf.csrf import CSRFError, CSRFProtect

from app.domain.errors import StalePage
from app.web import file_forms

FORM_METHODS = ("GET", "POST")
"""Methods of a view that both shows its form and receives it."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_GUARD = CSRFProtect()
"""The CSRF check that the hook of each PageBlueprint calls. If it were installed on the application, it would check
API requests too.
"""


class PageBlueprint(Blueprint):
    """A group of pages with CSRF checks. Its hooks never run for API requests, which have a key and no session."""

    def __init__(self, name: str, import_name: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.before_request(_check_token)


def _check_token() -> None:
    """Raise StalePage for a form without a valid CSRF token."""
    if request.method in _SAFE:
        return
    if request.mimetype == "multipart/form-data":
        file_forms.open_form()
    try:
        _GUARD.protect()
    except CSRFError:
        raise StalePage from None
