"""Everything the portal adds to the application: its pages, who may see them, and the guard of every form."""

from flask import Flask, request
from flask_wtf.csrf import CSRFError, CSRFProtect
from htmx_flask import Htmx

from app.domain.errors import StalePage
from app.portal import (
    account,
    assets,
    credits,
    forms,
    keys,
    orders,
    public,
    reviews,
    security,
    staff,
    themes,
    visitors,
    webhooks,
    words,
)
from app.secret_key import secret_keys
from app.web import file_forms
from app.web.context import container

BLUEPRINTS = (
    themes.blueprint,
    *public.BLUEPRINTS,
    *security.BLUEPRINTS,
    *account.BLUEPRINTS,
    *keys.BLUEPRINTS,
    *orders.BLUEPRINTS,
    *credits.BLUEPRINTS,
    *webhooks.BLUEPRINTS,
    *reviews.BLUEPRINTS,
    *staff.BLUEPRINTS,
)
NAMES = frozenset(blueprint.name for blueprint in BLUEPRINTS)
_SAFE = ("GET", "HEAD", "OPTIONS")


def install(app: Flask) -> None:
    """Add the portal to the application."""
    _keep_sessions(app)
    Htmx(app)
    for part in (assets, forms, words, themes, visitors):
        part.install(app)
    _guard_forms(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)


def _keep_sessions(app: Flask) -> None:
    with app.app_context():
        settings = container().settings
    secure = settings.base_url.startswith("https://")
    newest, *older = secret_keys(settings)
    app.secret_key = newest
    app.config.update(
        SECRET_KEY_FALLBACKS=older,
        # Forms open in browsers while keys change stay good; this signer wants the newest key last.
        WTF_CSRF_SECRET_KEY=[*reversed(older), newest],
        # Browsers hold a cookie of this name to the very host, over TLS, for every path.
        SESSION_COOKIE_NAME="__Host-brightlist" if secure else "brightlist",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a form is good as long as its sign-in
        WTF_CSRF_CHECK_DEFAULT=False,
    )


def _guard_forms(app: Flask) -> None:
    """Refuse every form that was not made for this very browser; programs with keys have no session to abuse."""
    guard = CSRFProtect(app)

    def check() -> None:
        if request.blueprint in NAMES and request.method not in _SAFE:
            if request.mimetype == "multipart/form-data":
                file_forms.open_form()
            try:
                guard.protect()
            except CSRFError:
                raise StalePage from None

    app.before_request(check)
