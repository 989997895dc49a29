"""The blueprint of a group of pages: its forms are refused unless they were made for this very browser."""

from flask import Blueprint, request
from flask_wtf.csrf import CSRFError, CSRFProtect

from app.domain.errors import StalePage
from app.web import file_forms

FORM_METHODS = ("GET", "POST")
"""Of a view that shows its form and takes it."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_GUARD = CSRFProtect()
"""Asked by the hook of each group of pages: given an application, it would look at requests of programs too."""


class PageBlueprint(Blueprint):
    """A group of pages. Programs with keys have no session to abuse: none of its hooks runs for them."""

    def __init__(self, name: str, import_name: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.before_request(_check_token)


def _check_token() -> None:
    """Let a form through that has its token. Raises StalePage otherwise."""
    if request.method in _SAFE:
        return
    if request.mimetype == "multipart/form-data":
        file_forms.open_form()
    try:
        _GUARD.protect()
    except CSRFError:
        raise StalePage from None
