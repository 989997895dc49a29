"""Everything the portal adds to the application: its pages, their sessions, what every template may use.

Requests of programs run none of it: hooks belong to a group of pages (PageBlueprint), and what is the application's
own here are context processors, which run where a page is rendered.
"""

from flask_wtf.csrf import generate_csrf

from app.portal import (
    account,
    assets,
    credits,
    forms,
    keys,
    option_forms,
    orders,
    presets,
    public,
    reviews,
    security,
    shared,
    staff,
    themes,
    visitors,
    webhooks,
    words,
)
from app.secret_key import secret_keys
from app.web.context import container
from app.web.wsgi import Application

BLUEPRINTS = (
    themes.blueprint,
    *public.BLUEPRINTS,
    *shared.BLUEPRINTS,
    *security.BLUEPRINTS,
    *account.BLUEPRINTS,
    *keys.BLUEPRINTS,
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
    _keep_sessions(app)
    app.context_processor(lambda: {"support_email": container().settings.support_email})
    for part in (assets, forms, option_forms, words, themes, visitors):
        part.install(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)


def _keep_sessions(app: Application) -> None:
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
        # What CSRFProtect would set, and with it a hook that every request of the application runs.
        WTF_CSRF_METHODS={"POST", "PUT", "PATCH", "DELETE"},
        WTF_CSRF_FIELD_NAME="csrf_token",
        WTF_CSRF_HEADERS=["X-CSRFToken", "X-CSRF-Token"],
        WTF_CSRF_SSL_STRICT=True,
    )
    app.jinja_env.globals["csrf_token"] = generate_csrf
