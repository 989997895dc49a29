"""The blueprints of clients' pages: they refuse a form that was not made for the same share link."""

from flask import Blueprint, Response, current_app, make_response, render_template, request
from itsdangerous import BadSignature, URLSafeSerializer

from app.domain.errors import StalePage
from app.domain.ids import digest_of_secret
from app.models import ShareLink
from app.portal.shared.forms import PinForm
from app.portal.shared.pins import PinRequiredError, require_pin
from app.services.accounts.brandings import StudioLook
from app.services.photos import shared_pages, shares
from app.web import attempt_limits
from app.web.context import container

_SAFE = ("GET", "HEAD", "OPTIONS")
_FIELD = "csrf_token"
_FORM = "application/x-www-form-urlencoded"


class SharedBlueprint(Blueprint):
    """A group of pages of a share link.

    Anyone who knows the link may use its forms, without a session. The token in a form proves that it came from the
    link's page, so that no other website can make a client's browser send an answer.
    """

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name, url_prefix=f"{shares.PATH}/<token>")
        self.before_request(_check_token)
        self.register_error_handler(PinRequiredError, _ask_for_pin)


def make_form_token(token: str) -> str:
    """The token for the forms on the pages of this link."""
    return str(_serializer().dumps(digest_of_secret(token)))


def find_link(token: str, *, answers: bool = False, locked: bool = False) -> ShareLink:
    """The link with this token; with `answers`, also the client's answer and comments; with `locked`, even if this
    browser has not entered its PIN. Raises NotFound, PinRequiredError, and RateLimited for a client that tried too
    many wrong tokens.
    """
    here = container()
    with attempt_limits.limit_link_guesses(), here.database.read_session() as session:
        link = shared_pages.find(session, token, here.clock(), answers=answers)
        session.expunge_all()
    if not locked:
        require_pin(token, link)
    return link


def render_pin(token: str, form: PinForm) -> Response:
    """The page that asks for the PIN. It names neither people nor the property, so that nobody learns more without
    the PIN.
    """
    values = {"token": token, "link_form_token": make_form_token(token), "form": form}
    text = render_template("portal/shared/pin.html", look=StudioLook(), sender="", **values)
    return keep_from_search(make_response(text, 422 if form.errors else 403))


def keep_from_search(response: Response) -> Response:
    """The response, which search engines must not index."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _ask_for_pin(_: PinRequiredError) -> Response:
    return render_pin(str((request.view_args or {}).get("token", "")), PinForm())


def _check_token() -> None:
    """Count a form with a valid token. Raises StalePage for other forms, and RateLimited for too many."""
    if request.method in _SAFE:
        return
    token = str((request.view_args or {}).get("token", ""))
    if request.mimetype != _FORM:
        # A form that could hold files is refused before its body is read.
        raise StalePage
    try:
        made_for = _serializer().loads(request.form.get(_FIELD, ""))
    except BadSignature:
        raise StalePage from None
    if made_for != digest_of_secret(token):
        raise StalePage
    attempt_limits.count_answer(digest_of_secret(token))


def _serializer() -> URLSafeSerializer:
    # These are the same keys as for forms of signed-in visitors, the newest key last.
    return URLSafeSerializer(current_app.config["WTF_CSRF_SECRET_KEY"], salt="share-form")
