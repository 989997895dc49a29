"""Security headers on every answer: a strict policy without inline script or style."""

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
TO_THE_STORE = ("connect-src", "form-action")
"""Where files go past the service: scripts send photos there, forms are redirected to downloads."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ONLY_BY_TLS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
"""Where the service's address is one of https: browsers ask for it by no other way for a year."""


def install(app: Flask) -> None:
    """Protect every answer of the application; what is not a static file is nobody's to keep."""
    with app.app_context():
        by_tls = container().settings.base_url.startswith("https://")
    every = {**HEADERS, **ONLY_BY_TLS} if by_tls else HEADERS

    def protect(response: Response) -> Response:
        response.headers.extend(every)
        return _protect(response)

    app.after_request(protect)


def allow_form_to(origin: str) -> None:
    """Let forms of the page at hand lead there: browsers ask the page where its forms may be redirected to."""
    g.form_origin = origin


def _protect(response: Response) -> Response:
    policy = _policy(container().storage.direct_origin, g.get("form_origin"))
    response.headers["Content-Security-Policy"] = policy
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


@cache
def _policy(store_origin: str | None, form_origin: str | None) -> str:
    """The policy with what may be reached beside ourselves."""
    others = {name: [store_origin] if store_origin else [] for name in TO_THE_STORE}
    others["form-action"] += [form_origin] if form_origin else []
    return "; ".join(" ".join((name, *sources, *others.get(name, ()))) for name, sources in POLICY.items())
