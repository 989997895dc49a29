"""Functions for all forms: they clean typed text, add errors to fields, and make the tokens by which a form that is
sent twice acts only once.
"""

import re
import secrets

from flask import Flask, request
from wtforms import Field
from wtforms.form import BaseForm

from app.domain.errors import InvalidRequest
from app.domain.mail_text import clean, one_line

_FIELD = "form_token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")


def install(app: Flask) -> None:
    """Give every template `form_token()`, the token for its form."""
    app.jinja_env.globals["form_token"] = read_form_token


def read_form_token() -> str:
    """Read the token of the form that was sent; make a new one if the form has none, or none in the right format.

    A newly opened page gets a new token; a form that is shown again with an error keeps its token.
    """
    token = request.form.get(_FIELD, "")
    return token if _TOKEN.fullmatch(token) else secrets.token_urlsafe(24)


def add_error(field: Field, fault: str) -> None:
    """Add an error to the field."""
    field.errors = [*field.errors, fault]


def add_errors(form: BaseForm, refused: InvalidRequest) -> None:
    """Add the faults of the refusal to the fields that they name."""
    for name, fault in (refused.details or {}).items():
        add_error(form[name], str(fault))


def clean_text(text: str | None) -> str:
    """Replace control characters in text of several lines, so that a page can show the text again."""
    return clean(text or "")


def clean_line(text: str | None) -> str:
    """Clean the text like clean_text(), and put it on one line."""
    return one_line(text or "")
