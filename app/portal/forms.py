"""What every form shares: text that a page can hold, what was refused, tokens that make two presses one thing."""

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
    """Let every template write a token as `form_token()`."""
    app.jinja_env.globals["form_token"] = read_form_token


def read_form_token() -> str:
    """Read the token of the form that was sent; make a fresh one where there is none, or none of ours.

    A page shown anew has a fresh one; a form that comes back with an error keeps its own.
    """
    token = request.form.get(_FIELD, "")
    return token if _TOKEN.fullmatch(token) else secrets.token_urlsafe(24)


def blame(field: Field, fault: str) -> None:
    """Say what is wrong with the field."""
    field.errors = [*field.errors, fault]


def add_errors(form: BaseForm, refused: InvalidRequest) -> None:
    """Show what the service refused on the fields it is about."""
    for name, fault in (refused.details or {}).items():
        blame(form[name], str(fault))


def clean_text(text: str | None) -> str:
    """Clean several lines: a form that comes back holds what was typed, as far as a page can hold it."""
    return clean(text or "")


def clean_line(text: str | None) -> str:
    """Clean the text and put it on one line."""
    return one_line(text or "")
