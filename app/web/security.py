"""Security headers on every answer, with a strict Content-Security-Policy without inline scripts and styles."""

from collections.abc import Mapping, Sequence
from functools import cache

from flask import Flask, Response, g, request

from app.web.context import container

POLICY: Mapping[str, Sequence[str]] = {
    "default-src": ("'none'",),
    "script-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'", "blob:"),
    "connect-src": ("'self'",),
    "font-src": ("'self'",),
    "form-action": ("'self'",),
    "base-uri": ("'none'",),
    "frame-ancestors": ("'none'",),
}
STORE_DIRECTIVES = ("connect-src", "form-action")
"""The directives that also allow a store with an origin of its own: scripts upload photos to it, and forms are
redirected to downloads there."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
TLS_HEADERS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
"""Headers for a service with an https URL: for a year, browsers use only https for it."""


def install(app: Flask) -> None:
    """Set the security headers on every answer of the application; all but static files also get `no-store`."""
    with app.app_context():
        by_tls = container().settings.base_url.startswith("https://")
    every = {**HEADERS, **TLS_HEADERS} if by_tls else HEADERS

    def protect(response: Response) -> Response:
        response.headers.extend(every)
        return _protect(response)

    app.after_request(protect)


def allow_form_to(origin: str) -> None:
    """Allow forms on the page of this request to be redirected to the origin: browsers check that against the
    policy of the page.
    """
    g.form_origin = origin


def _protect(response: Response) -> Response:
    policy = _policy(container().storage.direct_origin, g.get("form_origin"))
    response.headers["Content-Security-Policy"] = policy
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


@cache
def _policy(store_origin: str | None, form_origin: str | None) -> str:
    """The policy as a header's value, with the other origins that are allowed."""
    others = {name: [store_origin] if store_origin else [] for name in STORE_DIRECTIVES}
    others["form-action"] += [form_origin] if form_origin else []
    return "; ".join(" ".join((name, *sources, *others.get(name, ()))) for name, sources in POLICY.items())
