"""The PIN of a share link: a browser that entered it once keeps a signed cookie for the pages of this link."""

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as WerkzeugResponse

from app.domain.ids import digest_of_secret
from app.models import ShareLink
from app.services.photos import shares

_COOKIE = "share_pin"


class PinRequiredError(Exception):
    """The link has a PIN that this browser has not entered."""


def require_pin(token: str, link: ShareLink) -> None:
    """Raises PinRequiredError if the link has a PIN and this browser has not entered it since it was set."""
    if link.pin_digest is None:
        return
    try:
        kept = _serializer().loads(request.cookies.get(_COOKIE, ""))
    except BadSignature:
        raise PinRequiredError from None
    if kept != _entered(token, link):
        raise PinRequiredError


def remember_pin(response: Response | WerkzeugResponse, token: str, link: ShareLink) -> None:
    """Let this browser open the link until it ends or its PIN changes."""
    if link.pin_digest is None:
        return
    response.set_cookie(
        _COOKIE,
        str(_serializer().dumps(_entered(token, link))),
        expires=link.expires_at,
        path=f"{shares.PATH}/{token}",
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )


def _entered(token: str, link: ShareLink) -> str:
    return digest_of_secret(f"{token} {link.pin_digest}")


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["WTF_CSRF_SECRET_KEY"], salt="share-pin")
