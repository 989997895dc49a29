"""Security headers on every answer: a strict policy without inline script or style."""

from flask import Flask, Response, g, request

from app.web.context import container

_FORM_ACTION = "form-action 'self'"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "font-src 'self'",
        _FORM_ACTION,
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


STRICT_TRANSPORT = f"max-age={365 * 24 * 3600}"
"""Browsers come by https alone from then on, to this very host."""


def install(app: Flask) -> None:
    """Protect every answer of the application; what is not a static file is nobody's to keep."""
    app.after_request(_protect)


def allow_form_to(origin: str) -> None:
    """Let forms of the page at hand lead there: browsers ask the page where its forms may be redirected to."""
    g.form_origin = origin


def _is_https() -> bool:
    return container().settings.base_url.startswith("https://")


def _protect(response: Response) -> Response:
    response.headers.extend(HEADERS)
    if _is_https():
        response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
    origin = g.get("form_origin")
    policy = POLICY.replace(_FORM_ACTION, f"{_FORM_ACTION} {origin}") if origin else POLICY
    response.headers["Content-Security-Policy"] = policy
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
