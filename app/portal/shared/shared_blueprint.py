"""The blueprints of clients' pages: their forms are refused unless they were made for this very share link."""

from flask import Blueprint, current_app, request
from itsdangerous import BadSignature, URLSafeSerializer

from app.domain.errors import StalePage
from app.domain.ids import digest_of_secret
from app.models import ShareLink
from app.services.photos import shared_pages, shares
from app.web import attempt_limits
from app.web.context import container

_SAFE = ("GET", "HEAD", "OPTIONS")
_FIELD = "csrf_token"
_FORM = "application/x-www-form-urlencoded"


class SharedBlueprint(Blueprint):
    """Some of the pages of a share link.

    A client has no session that anyone could abuse: all who know the link may do what its forms do. Their token
    says that a form came from its page, so that nobody is made to answer by a page of somebody else's.
    """

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name, url_prefix=f"{shares.PATH}/<token>")
        self.before_request(_check_token)


def make_form_token(token: str) -> str:
    """What the forms on the pages of this link hold."""
    return str(_serializer().dumps(digest_of_secret(token)))


def find_link(token: str, *, answers: bool = False) -> ShareLink:
    """The link with this token, with what was said where `answers` are wanted. Raises NotFound, and RateLimited for
    anyone who guesses.
    """
    here = container()
    with attempt_limits.looking_up_link(), here.database.read_session() as session:
        link = shared_pages.find(session, token, here.clock(), answers=answers)
        session.expunge_all()
        return link


def _check_token() -> None:
    """Let a form through that has its token. Raises StalePage otherwise."""
    if request.method in _SAFE:
        return
    token = str((request.view_args or {}).get("token", ""))
    if request.mimetype != _FORM:
        # Nothing of a file is read.
        raise StalePage
    try:
        made_for = _serializer().loads(request.form.get(_FIELD, ""))
    except BadSignature:
        raise StalePage from None
    if made_for != digest_of_secret(token):
        raise StalePage
    attempt_limits.count_answer(digest_of_secret(token))


def _serializer() -> URLSafeSerializer:
    # The keys as forms of signed-in visitors have them, the newest last.
    return URLSafeSerializer(current_app.config["WTF_CSRF_SECRET_KEY"], salt="share-form")
