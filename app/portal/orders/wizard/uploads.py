"""Uploads into a draft: sent with a form, or by the page's script, which first requests a URL for each file."""

import hashlib
from collections.abc import Callable
from functools import wraps
from itertools import zip_longest
from typing import Annotated, Any

from flask import jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from app.adapters.signed_urls import UPLOADS, Permission
from app.domain import limits
from app.domain.capture import Capture
from app.domain.catalog import ServiceType
from app.domain.drafts import read
from app.domain.errors import InvalidRequest, Refusal, TooLarge, Unavailable, UnsupportedMedia
from app.domain.field_errors import Fault, FaultCode
from app.domain.order_files import MAX_PHOTOS
from app.domain.ports import StorageUnavailableError
from app.models import DraftPhoto
from app.portal.orders.wizard.steps import blueprint, draft_id, page
from app.portal.visitors import visitor
from app.services import stored_files
from app.services.orders import draft_arrivals, draft_duplicates, draft_photos, drafts
from app.services.orders.draft_duplicates import UploadPlace
from app.services.orders.draft_photos import NewFile
from app.services.uploads import bucket_uploads, uploads
from app.services.uploads.quotas import Reservation
from app.web.bodies import json_object
from app.web.context import container
from app.web.errors import STATUS
from app.web.fault_messages import describe_faults, message
from app.web.form_parts import FilePart
from engine.types.enhancements import PhotoType

FileName = Annotated[str, StringConstraints(max_length=1000)]
Size = Annotated[int, Field(ge=1, le=limits.MAX_FILE_BYTES)]
Digest = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]

FULL = f"Only {limits.MAX_DRAFT_FILES} files are taken at a time. Order these, and start another order for more."


def _read_capture(sent: Any) -> Capture | None:
    """What the page read from a file; None for values that no camera writes, which do not stop the upload."""
    try:
        return Capture.model_validate(sent)
    except ValidationError:
        return None


class FilesToUpload(BaseModel):
    """Files to be uploaded: their names; where the page knows them, their sizes in bytes, their SHA-256 digests,
    and when and how they were taken; and their type, if the customer chose one.
    """

    type: PhotoType | None = None
    names: Annotated[list[FileName], Field(min_length=1, max_length=MAX_PHOTOS)]
    sizes: Annotated[list[Size], Field(max_length=MAX_PHOTOS)] = []
    digests: Annotated[list[Digest | None], Field(max_length=MAX_PHOTOS)] = []
    captures: Annotated[
        list[Annotated[Capture | None, BeforeValidator(_read_capture)]], Field(max_length=MAX_PHOTOS)
    ] = []


class FilesUnderWay(BaseModel):
    """The ids of files that a page is uploading."""

    ids: Annotated[list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=limits.MAX_DRAFT_FILES)]


class UrlRequest(BaseModel):
    """A request for another URL of a file; `direct` is false where the page could not reach the store."""

    size: Size | None = None
    direct: bool = True


def receive(part: FilePart, file: NewFile) -> DraftPhoto:
    """Store one file as a photo of the draft. Returns the earlier photo if one has the same content.

    Raises a Refusal with the reason, and then keeps nothing of the file.
    """
    here, draft_key = container(), (visitor().account_id, draft_id())
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, *draft_key)
        under_way = draft_arrivals.FORM_UNDER_WAY
        (photo,) = draft_photos.add_photos(session, draft, [file], here.clock(), under_way)
    reservation = Reservation(here.database, uploads.session_of(photo.storage_key), here.upload_quota)
    content = hashlib.sha256()
    try:
        with uploads.PhotoUpload(here.storage, photo.storage_key, reservation) as upload:
            for chunk in part.chunks:
                upload.take(chunk)
                content.update(chunk)
            upload.finish()
            # If the order was placed in the meantime, its photos must not change.
            with here.database.unit_of_work() as session:
                draft = drafts.get_open(session, *draft_key)
                upload.end(session)
                arrived = draft_photos.confirm(session, here.storage, draft, photo.id, here.clock())
                if file.is_reference:
                    return arrived
                return draft_duplicates.record_digest(session, here.storage, draft, arrived, content.hexdigest())
    except Exception as broken:
        with here.database.unit_of_work() as session:
            unplaced = drafts.get(session, *draft_key)
            draft_arrivals.leave_out(session, unplaced, [photo.id], here.clock(), also_under_way=True)
        if isinstance(broken, StorageUnavailableError):
            raise Unavailable from broken
        raise


def choose_default_type() -> PhotoType:
    """The type of a new photo until the customer chooses one or the analysis of the file finds one."""
    service = page().content.service_type
    return PhotoType.EXTERIOR if service is ServiceType.EXTERIOR else PhotoType.INTERIOR


def explain_refusal(refusal: Refusal) -> str:
    """The reason why a file was refused, as text beside the file."""
    details = describe_faults(refusal) if isinstance(refusal, InvalidRequest) else None
    return next(map(str, details.values())) if details else refusal.message


def answer_in_json(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Decorate a view: answer refusals in JSON, as the page's script reads them."""

    @wraps(view)
    def answer(**values: str) -> ResponseReturnValue:
        try:
            return view(**values)
        except Refusal as refusal:
            return jsonify(message=explain_refusal(refusal)), STATUS[type(refusal)]

    return answer


@blueprint.post("/<draft_id>/uploads")
@answer_in_json
def make_places() -> ResponseReturnValue:
    """Add a photo for each file, and answer its id and URL. A file that the draft has already gets no URL; a file
    beyond the limit of a draft gets only a refusal.
    """
    wanted = read(FilesToUpload, json_object())
    details = zip_longest(wanted.names, wanted.sizes, wanted.digests, wanted.captures)
    kind, here = wanted.type or choose_default_type(), container()
    is_chosen = wanted.type is not None
    files = [
        NewFile(kind, name, False, digest, size or 0, is_chosen, capture)
        for name, size, digest, capture in details
        if name is not None
    ]
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        found = draft_duplicates.find_places(session, draft, files, here.clock())
    return jsonify(
        places=[_describe_place(place, file.size_bytes) for place, file in zip(found, files, strict=True)]
    )


def _describe_place(place: UploadPlace, size_bytes: int) -> dict[str, Any]:
    if place.row is None:
        return {"refused": FULL}
    if place.is_uploaded:
        return {"id": place.row.id, "there": True}
    return {"id": place.row.id, "url": _make_url(place.row.storage_key, size_bytes or None)}


@blueprint.post("/<draft_id>/uploads/alive")
@answer_in_json
def keep_expecting() -> ResponseReturnValue:
    """Record that the page is still uploading these files. Answers the ids of the files that were left out in the
    meantime.
    """
    wanted, here = read(FilesUnderWay, json_object()), container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        gone = draft_arrivals.keep_expecting(session, draft, wanted.ids, here.clock())
    return jsonify(gone=gone)


@blueprint.post("/<draft_id>/uploads/ended")
@answer_in_json
def stop_expecting() -> ResponseReturnValue:
    """Record that a page was closed before these files had arrived."""
    wanted, here = read(FilesUnderWay, json_object()), container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        draft_arrivals.stop_expecting(session, draft, wanted.ids, here.clock())
    return jsonify()


@blueprint.post("/<draft_id>/uploads/<photo_id>/url")
@answer_in_json
def renew_url(photo_id: str) -> ResponseReturnValue:
    """Answer another URL, after the first one expired or the store could not be reached."""
    wanted = read(UrlRequest, json_object() if request.is_json else {})
    with container().database.read_session() as session:
        row = draft_photos.get(session, page().draft, photo_id)
    return jsonify(url=_make_url(row.storage_key, wanted.size, direct=wanted.direct))


@blueprint.post("/<draft_id>/uploads/<photo_id>/arrived")
@answer_in_json
def note_arrival(photo_id: str) -> ResponseReturnValue:
    """Confirm that the file was uploaded, so that the board shows it from now on, on any device."""
    here, account_id = container(), visitor().account_id
    with here.database.read_session() as session:
        key = draft_photos.get(session, page().draft, photo_id).storage_key
    if fault := here.bucket_intake.take_in(account_id, page().draft.upload_session_id, [key]).get(key):
        # These are the same refusals as for a file that is sent to the service itself.
        refusal = TooLarge if fault is FaultCode.FILE_TOO_LARGE else UnsupportedMedia
        raise refusal(message(Fault((), fault)))
    digest = _read_digest(photo_id, key)
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, account_id, draft_id())
        photo = draft_photos.confirm(session, here.storage, draft, photo_id, here.clock())
        if digest is not None:
            photo = draft_duplicates.record_digest(session, here.storage, draft, photo, digest)
    return jsonify(id=photo.id, there=photo.id != photo_id)


def _read_digest(photo_id: str, key: str) -> str | None:
    """Compute the digest of a stored file if the page did not send one: browsers can do so only over TLS."""
    row = next((each for each in page().unfinished if each.id == photo_id), None)
    if row is None or row.sha256 is not None:
        return None
    try:
        return stored_files.digest_of(container().storage, key)
    except FileNotFoundError:
        return None


def _make_url(key: str, size_bytes: int | None, *, direct: bool = True) -> str:
    here = container()
    seconds = here.settings.upload_url_seconds
    if not direct:
        return here.urls.make(UPLOADS, Permission(key, ""), seconds).removeprefix(here.settings.base_url)
    url = bucket_uploads.upload_url(here.storage, key, seconds, size_bytes)
    # A URL of our own store becomes a path: the page may have been opened under another host name.
    return url.removeprefix(here.settings.base_url)
