"""Adds the portal to the application: its pages, their sessions, and the values for every template.

Requests to the API run none of this code: request hooks belong to the pages' blueprints (PageBlueprint), and the
context processors, which belong to the application, run only where a page is rendered.
"""

from flask_wtf.csrf import generate_csrf

from app.portal import (
    account,
    assets,
    credits,
    docs,
    forms,
    keys,
    lengths,
    option_forms,
    orders,
    permissions,
    presets,
    public,
    reviews,
    security,
    shared,
    staff,
    team,
    test_mode,
    themes,
    visitors,
    webhooks,
    words,
)
from app.portal.hints import words as hint_words
from app.secret_key import secret_keys
from app.web.context import container
from app.web.wsgi import Application

BLUEPRINTS = (
    themes.blueprint,
    *public.BLUEPRINTS,
    *docs.BLUEPRINTS,
    *shared.BLUEPRINTS,
    *security.BLUEPRINTS,
    *account.BLUEPRINTS,
    *team.BLUEPRINTS,
    *keys.BLUEPRINTS,
    test_mode.blueprint,
    *orders.BLUEPRINTS,
    *presets.BLUEPRINTS,
    *credits.BLUEPRINTS,
    *webhooks.BLUEPRINTS,
    *reviews.BLUEPRINTS,
    *staff.BLUEPRINTS,
)
NAMES = frozenset(blueprint.name for blueprint in BLUEPRINTS)


def install(app: Application) -> None:
    """Add the portal to the application."""
    _configure_sessions(app)
    app.context_processor(lambda: {"support_email": container().settings.support_email})
    for part in (assets, forms, hint_words, lengths, option_forms, words, themes, permissions, visitors):
        part.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)


def _configure_sessions(app: Application) -> None:
    with app.app_context():
        settings = container().settings
    secure = settings.base_url.startswith("https://")
    newest, *older = secret_keys(settings)
    app.secret_key = newest
    app.config.update(
        SECRET_KEY_FALLBACKS=older,
        # Forms that are open in browsers while the keys change stay valid. This signer takes the newest key last.
        WTF_CSRF_SECRET_KEY=[*reversed(older), newest],
        # Browsers accept a __Host- cookie only over TLS, and send it only to exactly this host.
        SESSION_COOKIE_NAME="__Host-brightlist" if secure else "brightlist",
        SESSION_COOKIE_SECURE=secure,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        WTF_CSRF_TIME_LIMIT=None,  # a form is valid until its sign-in ends
        # These are the defaults of CSRFProtect(app), which is not used because its hook would run for every
        # request, also to the API.
        WTF_CSRF_METHODS={"POST", "PUT", "PATCH", "DELETE"},
        WTF_CSRF_FIELD_NAME="csrf_token",
        WTF_CSRF_HEADERS=["X-CSRFToken", "X-CSRF-Token"],
        WTF_CSRF_SSL_STRICT=True,
    )
    app.jinja_env.globals["csrf_token"] = generate_csrf
