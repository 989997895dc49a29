"""Pictures that pages show inline, only for users who may see them. Only the user's own browser caches them."""

from typing import Final

from flask import Response, request
from flask.typing import ResponseReturnValue

from app.domain.errors import NotFound, require_found
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.photos import picture_access
from app.services.photos.finished_pictures import find_before
from app.web.context import container
from app.web.files import ACCEL, stored_file
from engine.types.media import SHOWN_BY_BROWSERS, MediaType, sniff
from engine.types.pictures import PreviewSize

blueprint = for_signed_in(PageBlueprint("pictures", __name__, url_prefix="/pictures"))

CACHE_SECONDS: Final = 3600
_SIZE = f"<any({PreviewSize.THUMB},{PreviewSize.VIEW}):size>"


@blueprint.get(f"/drafts/<draft_id>/<photo_id>/{_SIZE}")
def draft_photo(draft_id: str, photo_id: str, size: str) -> ResponseReturnValue:
    """A photo of an order that is being filled in."""
    with container().database.read_session() as session:
        key = picture_access.find_draft_preview(session, visitor(), draft_id, photo_id, PreviewSize(size))
    return _send_inline(key)


@blueprint.get(f"/jobs/<job_id>/<photo_id>/{_SIZE}")
def original(job_id: str, photo_id: str, size: str) -> ResponseReturnValue:
    """A photo as it was ordered."""
    with container().database.read_session() as session:
        key = picture_access.find_original_preview(session, visitor(), job_id, photo_id, PreviewSize(size))
    return _send_inline(key)


@blueprint.get("/jobs/<job_id>/<photo_id>/before")
def before(job_id: str, photo_id: str) -> ResponseReturnValue:
    """The photo to compare with its result: as it was ordered, or straightened as the result was."""
    here = container()
    with here.database.read_session() as session:
        photo_key, made = picture_access.find_compared(session, visitor(), job_id, photo_id)
        key = find_before(here.storage, photo_key, made)
    return _send_inline(key)


@blueprint.get(f"/jobs/<job_id>/<photo_id>/result/{_SIZE}")
def result(job_id: str, photo_id: str, size: str) -> ResponseReturnValue:
    """The picture of a result."""
    with container().database.read_session() as session:
        key = picture_access.find_result_preview(session, visitor(), job_id, photo_id, PreviewSize(size))
    return _send_inline(key)


@blueprint.get(f"/jobs/<job_id>/rounds/<revision_id>/<any(before,made):which>/{_SIZE}")
def of_round(job_id: str, revision_id: str, which: str, size: str) -> ResponseReturnValue:
    """The picture that was sent back in a round (`before`); for staff also the picture `made` since."""
    with container().database.read_session() as session:
        asked = (visitor(), job_id, revision_id, PreviewSize(size))
        key = picture_access.find_round_preview(session, *asked, made=which == "made")
    return _send_inline(key)


@blueprint.get("/jobs/<job_id>/rounds/<revision_id>/<any(before,made):which>/photo")
def photo_of_round(job_id: str, revision_id: str, which: str) -> ResponseReturnValue:
    """The photo to compare with a picture of a round: as it was ordered, or straightened as that picture was."""
    here = container()
    with here.database.read_session() as session:
        asked = (visitor(), job_id, revision_id)
        photo_key, picture = picture_access.find_compared_of_round(session, *asked, made=which == "made")
        key = find_before(here.storage, photo_key, picture)
    return _send_inline(key)


@blueprint.get("/layouts/<outlook_id>")
def layout(outlook_id: str) -> ResponseReturnValue:
    """The room of a photo with the furniture that its hints place, small and coarsely lit."""
    with container().database.read_session() as session:
        picture = picture_access.get_layout(session, visitor(), outlook_id)
    response = Response(picture, mimetype=str(MediaType.JPEG))
    response.cache_control.private, response.cache_control.max_age = True, CACHE_SECONDS
    return response


@blueprint.get("/jobs/<job_id>/<photo_id>/result/full")
def full(job_id: str, photo_id: str) -> ResponseReturnValue:
    """The picture of a result at full size: for staff, and for its owner once it can be downloaded."""
    with container().database.read_session() as session:
        key, media_type = picture_access.find_result(session, visitor(), job_id, photo_id)
    return _send_inline(key, media_type)


@blueprint.get("/jobs/<job_id>/<photo_id>/full")
def original_full(job_id: str, photo_id: str) -> ResponseReturnValue:
    """The photo at full size, if browsers show its format. Raises NotFound for others, such as HEIC and TIFF."""
    here = container()
    with here.database.read_session() as session:
        key = picture_access.find_original(session, visitor(), job_id, photo_id)
    seen = here.storage.peek(key)
    media_type = sniff(seen[1]) if seen else None
    if media_type not in SHOWN_BY_BROWSERS:
        raise NotFound
    return _send_inline(key, str(media_type))


def _send_inline(key: str, media_type: str = MediaType.JPEG) -> Response:
    storage = container().storage
    stored = require_found(storage.stat(key))
    try:
        response = stored_file(key, stored, str(media_type))
    except FileNotFoundError:
        raise NotFound from None
    response.cache_control.private, response.cache_control.max_age = True, CACHE_SECONDS
    if ACCEL not in response.headers:
        response.make_conditional(request)
    return response
