"""Tokens that make a form pressed twice one thing: fresh on every page shown, kept with what the form made."""

import re
import secrets

from flask import Flask, request

FIELD = "form_token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")


def install(app: Flask) -> None:
    """Let every template write one as `form_token()`: that of the form at hand when it comes back with an error."""
    app.jinja_env.globals["form_token"] = given


def given() -> str:
    """The token of the form that was sent; a fresh one where there is none, or none of ours."""
    token = request.form.get(FIELD, "")
    return token if _TOKEN.fullmatch(token) else secrets.token_urlsafe(24)
