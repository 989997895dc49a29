"""The public pages with the originals of an advertisement's altered pictures: without sign-in, cookie or
indexing.
"""

import io
import logging
from collections.abc import Sequence
from typing import Final

import segno
from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from app.domain.disclosure.listing import Listing
from app.domain.errors import NotFound
from app.models import PublicPage, PublicPicture
from app.portal.figures import describe_figures
from app.portal.page_blueprint import PageBlueprint
from app.portal.public.certificates import certify, file_name
from app.services.photos import lost_originals, pictures, public_pages
from app.services.previews import previews
from app.web import attempt_limits, rate_limits
from app.web.context import container
from app.web.files import ACCEL, stored_file
from engine.types.media import MediaType, sniff
from engine.types.pictures import PreviewSize

log = logging.getLogger(__name__)
blueprint = PageBlueprint("originals", __name__, url_prefix=f"{public_pages.PATH}/<token>")

PAGE_SECONDS: Final = 60
"""How long caches keep a page. A revoked page may still be seen for this long."""
PICTURE_SECONDS: Final = 3600
"""How long caches keep a picture."""
ORIGINAL, ALTERED = "original", "altered"
FULL = "full"
_WHICH = f"<any({ORIGINAL},{ALTERED}):which>"
_SIZE = f"<any({PreviewSize.THUMB},{PreviewSize.VIEW},{FULL}):size>"


@blueprint.get("")
def index(token: str) -> ResponseReturnValue:
    """Every altered picture of the advertisement beside its original."""
    page = _find(token)
    return _render("index", page, pictures=page.pictures)


@blueprint.get("/<int:number>")
def show(token: str, number: int) -> ResponseReturnValue:
    """One altered picture beside its original."""
    page = _find(token)
    return _render("index", page, pictures=[public_pages.find_picture(page, number)])


@blueprint.get("/sheet")
def sheet(token: str) -> ResponseReturnValue:
    """The address of the page as text and QR code, to be printed beside an advertisement."""
    page = _find(token)
    return _render("sheet", page, pictures=page.pictures)


@blueprint.get("/qr.svg")
def qr(token: str) -> ResponseReturnValue:
    """The QR code of the page's address."""
    page, picture = _find(token), io.BytesIO()
    rate_limits.count()
    segno.make(public_pages.url_of(container().settings.base_url, page), error="m").save(
        picture, kind="svg", scale=8, border=4
    )
    return _cached(Response(picture.getvalue(), mimetype="image/svg+xml"), PAGE_SECONDS)


@blueprint.get(f"/<int:number>/{_WHICH}/{_SIZE}")
def picture(token: str, number: int, which: str, size: str) -> ResponseReturnValue:
    """A picture, as a preview or in full size. The full-size original is a copy without the personal details in its
    file.
    """
    found = public_pages.find_picture(_find(token), number)
    if size == FULL:
        # Previews are not counted: a page shows up to a hundred of them, and browsers cache them.
        rate_limits.count()
    response = _send(_find_key(found, which, size))
    # A preview may exist without its original, so an existing preview says nothing about the original, and nothing
    # is recorded.
    if which == ORIGINAL and (response is None or size == FULL):
        exists = container().storage.stat(public_pages.original_key(found)) is not None
        _record_original(found, found=exists)
        if response is None and exists:
            _request_copies(found.original_key)
    if response is None:
        raise NotFound
    if size == FULL:
        response.headers["Content-Disposition"] = f'inline; filename="{file_name(found, which)}"'
    if ACCEL not in response.headers:
        response.make_conditional(request)
    return _cached(response, PICTURE_SECONDS)


def _find_key(picture: PublicPicture, which: str, size: str) -> str:
    key = picture.original_key if which == ORIGINAL else picture.altered_key
    if size != FULL:
        return previews.key_of(key, PreviewSize(size))
    return previews.key_of(key, PreviewSize.PUBLIC) if which == ORIGINAL else key


def _send(key: str) -> Response | None:
    """The file; None if it is missing. No other file replaces it: full-size files may hold personal details."""
    seen = container().storage.peek(key)
    if seen is None:
        return None
    stored, head = seen
    try:
        return stored_file(key, stored, str(sniff(head) or MediaType.JPEG))
    except FileNotFoundError:
        return None


def _request_copies(key: str) -> None:
    """Request the copies of an original unless they are requested already, so that further views write nothing."""
    here = container()
    with here.database.read_session() as session:
        if previews.is_wanted(session, key):
            return
    with here.database.unit_of_work() as session:
        pictures.request_public_copy(session, key, here.clock())


def _record_original(picture: PublicPicture, *, found: bool) -> None:
    """Record for staff that an original is missing, or is available again, unless that is recorded already."""
    if found is (picture.original_lost_at is None):
        return
    here = container()
    if not found:
        log.error("public page %s: the original of picture %s is lost", picture.public_page_id, picture.number)
    with here.database.unit_of_work() as session:
        lost_originals.record(session, picture.public_page_id, picture.number, here.clock(), found=found)


def _find(token: str) -> PublicPage:
    here = container()
    with attempt_limits.limit_link_guesses(), here.database.read_session() as session:
        page = public_pages.find(session, token, here.clock())
        session.expunge_all()
        return page


def _render(name: str, page: PublicPage, pictures: Sequence[PublicPicture] = ()) -> Response:
    rate_limits.count()
    text = render_template(
        f"portal/public/originals/{name}.html",
        page=page,
        pictures=pictures,
        lost={each.number for each in page.pictures if each.original_lost_at is not None},
        certificates={each.number: certify(each) for each in page.pictures},
        figures={each.number: describe_figures(each.report.figures) for each in pictures},
        rule=Listing(jurisdiction=page.jurisdiction).rules[0],
        url=public_pages.url_of(container().settings.base_url, page),
    )
    response = Response(text)
    response.headers["X-Robots-Tag"] = "noindex"
    return _cached(response, PAGE_SECONDS)


def _cached(response: Response, seconds: int) -> Response:
    response.cache_control.public, response.cache_control.max_age = True, seconds
    return response
