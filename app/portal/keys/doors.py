"""The blueprint of keys, and the words all their pages use."""

from flask import Blueprint, Response, make_response, render_template

from app.domain.keys import holds
from app.portal.keys import key_words
from app.portal.visitors import for_signed_in
from app.web.context import container

blueprint = for_signed_in(Blueprint("keys", __name__, url_prefix="/keys"))


def show(template: str, http_status: int = 200, **values: object) -> Response:
    """The page with these values, and what every page of keys says things with."""
    told = {"now": container().clock(), "words": key_words, "holds": holds}
    return make_response(render_template(f"portal/keys/{template}.html", **told, **values), http_status)
