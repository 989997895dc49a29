"""The pictures on a client's page, original and result, and the studio's color and logo."""

from typing import Final

from flask import Response, request
from flask.typing import ResponseReturnValue

from app.domain import branding
from app.domain.errors import NotFound, require_found
from app.portal.shared.shared_blueprint import SharedBlueprint, find_link
from app.services.accounts import brandings
from app.services.accounts.brandings import StudioLook
from app.services.photos import shared_pages
from app.services.photos.finished_pictures import find_before
from app.web.context import container
from app.web.files import ACCEL, stored_file
from engine.types.media import MediaType
from engine.types.pictures import PreviewSize

blueprint = SharedBlueprint("shared_pictures", __name__)

CACHE_SECONDS: Final = 3600
BEFORE, AFTER = "before", "after"
_WHICH = f"<any({BEFORE},{AFTER}):which>"
_SIZE = f"<any({PreviewSize.THUMB},{PreviewSize.VIEW}):size>"


@blueprint.get(f"/photos/<int:number>/{_WHICH}/{_SIZE}")
def show(token: str, number: int, which: str, size: str) -> ResponseReturnValue:
    """A preview of the original (`before`) or the result (`after`); full-size files are downloaded."""
    link, here = find_link(token), container()
    with here.database.read_session() as session:
        is_result = which == AFTER
        key = shared_pages.preview_key(session, link, number, result=is_result, size=PreviewSize(size))
        if not is_result and size == PreviewSize.VIEW:
            key = find_before(here.storage, *shared_pages.find_compared(session, link, number))
    stored = require_found(here.storage.stat(key))
    try:
        response = stored_file(key, stored, str(MediaType.JPEG))
    except FileNotFoundError:
        raise NotFound from None
    if ACCEL not in response.headers:
        response.make_conditional(request)
    return allow_caching(response, CACHE_SECONDS)


@blueprint.get("/brand.css")
def stylesheet(token: str) -> ResponseReturnValue:
    """The studio's color for both themes, as a stylesheet of its own because pages have no inline styles."""
    look = _find_look(token)
    text = branding.stylesheet(look.color) if look.color else ""
    return allow_caching(Response(text, mimetype="text/css"), CACHE_SECONDS)


@blueprint.get("/logo.png")
def logo(token: str) -> ResponseReturnValue:
    """The studio's logo."""
    link = find_link(token)
    with container().database.read_session() as session:
        return allow_caching(
            Response(brandings.get_logo(session, link.account_id), mimetype="image/png"), CACHE_SECONDS
        )


def _find_look(token: str) -> StudioLook:
    link = find_link(token)
    with container().database.read_session() as session:
        return brandings.find(session, link.account_id)


def allow_caching(response: Response, seconds: int) -> Response:
    """Let the client's own browser cache the response for `seconds`, and keep search engines from indexing it."""
    response.cache_control.private, response.cache_control.max_age = True, seconds
    response.headers["X-Robots-Tag"] = "noindex"
    return response
